import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

export interface ServiceContainer {
  readonly image: string;
  readonly host: string;
  readonly port: number;
  stop(): Promise<void>;
}

interface ServiceWish {
  /** Its name in compose.yaml, which pins its image. */
  readonly service: 'postgres' | 'storage';
  readonly environment: Record<string, string>;
  readonly command: string[];
  readonly port: number;
}

/** Variables that override the image of a service, for example with a local build. */
const imageVariables = { postgres: 'TEST_POSTGRES_IMAGE', storage: 'TEST_S3_IMAGE' } as const;

/** Checks whether Docker, Podman or a similar engine is available. It takes a few milliseconds if none is. */
export async function hasContainerEngine(): Promise<boolean> {
  const { getContainerRuntimeClient } = await import('testcontainers');
  return getContainerRuntimeClient().then(
    () => true,
    () => false,
  );
}

/** Returns the image for tests: the one of compose.yaml, unless the environment overrides it. */
function imageOf(service: ServiceWish['service']): string {
  const named = process.env[imageVariables[service]];
  if (named) return named;
  const file = join(import.meta.dirname, '../../../../compose.yaml');
  // A file of this repository; a test checks its shape.
  const { services } = parse(readFileSync(file, 'utf8')) as {
    services: Readonly<Record<string, { readonly image: string }>>;
  };
  const image = services[service]?.image;
  if (image === undefined) throw new Error(`compose.yaml has no image of ${service}`);
  return image;
}

/** Starts a service, and waits until it listens. */
export async function startServiceContainer(wish: ServiceWish): Promise<ServiceContainer> {
  const { GenericContainer, Wait } = await import('testcontainers');
  const image = imageOf(wish.service);
  const container = await new GenericContainer(image)
    .withEnvironment(wish.environment)
    .withCommand(wish.command)
    .withExposedPorts(wish.port)
    // This is the only readiness check that all images share.
    .withWaitStrategy(Wait.forListeningPorts())
    .start();
  return {
    image,
    host: container.getHost(),
    port: container.getMappedPort(wish.port),
    async stop() {
      await container.stop();
    },
  };
}
