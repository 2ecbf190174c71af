import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { findProgram } from '../services/programs.ts';

const mostOutputBytes = 64 * 1024 ** 2;
const known = ['docker', 'podman'] as const;

/** Docker or Podman, by its program. */
export interface Engine {
  readonly name: (typeof known)[number];
  /** @returns what it printed. @throws Error with what it said when it failed */
  run(...args: readonly string[]): Promise<string>;
  /** @throws Error that names the log when it failed */
  build(args: readonly string[], how: BuildOptions): Promise<void>;
}

interface BuildOptions {
  /** That holds the Dockerfile. */
  readonly directory: string;
  readonly logFile: string;
  /** Ends it. */
  readonly signal: AbortSignal;
}

/** No container engine answers; the message says what to do. */
export class NoEngine extends Error {
  constructor() {
    super(
      'No container engine answers: neither `docker info` nor `podman info` works. ' +
        'On Debian: apt-get install podman buildah',
    );
  }
}

/** @throws NoEngine */
export async function findEngine(): Promise<Engine> {
  for (const name of known) {
    const program = findProgram(name);
    if (program === null) continue;
    const engine = engineOf(name, program);
    const answers = await engine.run('info').then(
      () => true,
      () => false,
    );
    if (answers) return engine;
  }
  throw new NoEngine();
}

function engineOf(name: Engine['name'], program: string): Engine {
  return {
    name,
    async run(...args) {
      const { promise, resolve, reject } = Promise.withResolvers<string>();
      execFile(program, args, { maxBuffer: mostOutputBytes }, (error, stdout, stderr) => {
        if (error === null) resolve(stdout.trim());
        // Not its arguments: they hold secrets.
        else reject(new Error(`${name} ${args[0]} failed: ${`${stdout}${stderr}`.trim()}`));
      });
      return promise;
    },
    async build(args, { directory, logFile, signal }) {
      // Else Podman leaves out what the image says of its health.
      const format = name === 'podman' ? ['--format', 'docker'] : [];
      const child = spawn(program, ['build', ...format, ...args, '.'], {
        cwd: directory,
        stdio: ['ignore', 'pipe', 'pipe'],
        signal,
      });
      const log = createWriteStream(logFile);
      child.stdout.pipe(log, { end: false });
      child.stderr.pipe(log, { end: false });
      const [code] = (await once(child, 'close')) as [number | null];
      log.end();
      if (code !== 0) throw new Error(`The image could not be built; see ${logFile}.`);
    },
  };
}
