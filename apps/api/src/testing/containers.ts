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
  /** Its name in compose.yaml, where its image is pinned. */
  readonly service: 'postgres' | 'storage';
  readonly environment: Record<string, string>;
  readonly command: string[];
  readonly port: number;
}

/** Variables that name another image of a service, such as one that was built on this machine. */
const imageVariables = { postgres: 'TEST_POSTGRES_IMAGE', storage: 'TEST_S3_IMAGE' } as const;

/** Whether Docker, Podman or the like answers. It takes a few milliseconds to see that none does. */
export async function containerEngineAnswers(): Promise<boolean> {
  const { getContainerRuntimeClient } = await import('testcontainers');
  return getContainerRuntimeClient().then(
    () => true,
    () => false,
  );
}

/** The image that the tests take: the one of compose.yaml, unless the environment names another. */
function imageOf(service: ServiceWish['service']): string {
  const named = process.env[imageVariables[service]];
  if (named) return named;
  const file = join(import.meta.dirname, '../../../../compose.yaml');
  // A file of this repository, whose shape a test of it holds.
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
    // Of all that images say when they are ready, this is what they have in common.
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
