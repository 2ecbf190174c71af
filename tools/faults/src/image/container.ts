import { setTimeout as delay } from 'node:timers/promises';
import type { Engine } from './engine.ts';

/** A program of the image, confined as compose.yaml does. */
export interface Container {
  /** Runs a program beside it. @returns what that printed */
  execute(...command: readonly string[]): Promise<string>;
  /** A field of what the engine says about it, as JSON. */
  inspect(field: string): Promise<unknown>;
  /** What it wrote so far. */
  log(): Promise<string>;
  /** Stops it as an engine does, by the signal that the image names. @returns its exit code */
  stop(): Promise<number>;
  remove(): Promise<void>;
}

export interface Wish {
  readonly image: string;
  readonly name: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Instead of the image's own. */
  readonly command?: readonly string[];
}

const confined = '--read-only --tmpfs /tmp --cap-drop ALL --security-opt no-new-privileges'.split(
  ' ',
);
/** More than the drain of the image and what is under way may take. */
const stopSeconds = 30;
const removedWithinMs = 10_000;

/** Of one that is gone when its program has ended. @returns what it printed */
export async function runOnce(engine: Engine, wish: Wish): Promise<string> {
  return engine.run('run', '--rm', ...argumentsOf(wish));
}

export async function startContainer(engine: Engine, wish: Wish): Promise<Container> {
  const { name } = wish;
  await engine.run('run', '--detach', ...argumentsOf(wish));
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
          // It may be on its way out.
          if (performance.now() > deadline) throw error;
          await delay(200);
        }
      }
    },
  };
}

function argumentsOf({ image, name, environment, command = [] }: Wish): string[] {
  const variables = Object.entries(environment).flatMap(([name, value]) => [
    '--env',
    `${name}=${value}`,
  ]);
  // The services are on loopback of this machine.
  return ['--name', name, '--network', 'host', ...confined, ...variables, image, ...command];
}
