import { setTimeout as delay } from 'node:timers/promises';
import type { Engine } from './engine.ts';

/** A running container of the image, confined as in compose.yaml. */
export interface Container {
  /** Runs another program in the container. @returns its output */
  execute(...command: readonly string[]): Promise<string>;
  /** Reads a field of the engine's description. */
  inspect(field: string): Promise<unknown>;
  /** Reads its output so far. */
  log(): Promise<string>;
  /** Stops the container by the signal that the image names. @returns its exit code */
  stop(): Promise<number>;
  remove(): Promise<void>;
}

export interface ContainerOptions {
  readonly image: string;
  readonly name: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Replaces the command of the image. */
  readonly command?: readonly string[];
}

const confinementFlags =
  '--read-only --tmpfs /tmp --cap-drop ALL --security-opt no-new-privileges'.split(' ');
/** Longer than the drain of the image and pending requests may take. */
const stopSeconds = 30;
const removedWithinMs = 10_000;

/** Runs a program in a container that is removed afterwards. @returns its output */
export async function runOnce(engine: Engine, options: ContainerOptions): Promise<string> {
  return engine.run('run', '--rm', ...argumentsOf(options));
}

export async function startContainer(
  engine: Engine,
  options: ContainerOptions,
): Promise<Container> {
  const { name } = options;
  await engine.run('run', '--detach', ...argumentsOf(options));
  const inspect = async (field: string): Promise<unknown> =>
    JSON.parse(await engine.run('inspect', '--format', `{{json ${field}}}`, name));
  return {
    execute: (...command) => engine.run('exec', name, ...command),
    inspect,
    log: () => engine.run('logs', name),
    async stop() {
      await engine.run('stop', '--time', String(stopSeconds), name);
      return Number(await inspect('.State.ExitCode'));
    },
    async remove() {
      const deadline = performance.now() + removedWithinMs;
      for (;;) {
        try {
          await engine.run('rm', '--force', name);
          return;
        } catch (error) {
          // The engine may still be removing it.
          if (performance.now() > deadline) throw error;
          await delay(200);
        }
      }
    },
  };
}

function argumentsOf({ image, name, environment, command = [] }: ContainerOptions): string[] {
  const variables = Object.entries(environment).flatMap(([name, value]) => [
    '--env',
    `${name}=${value}`,
  ]);
  // The services listen on loopback of this machine.
  return [
    '--name',
    name,
    '--network',
    'host',
    ...confinementFlags,
    ...variables,
    image,
    ...command,
  ];
}
