import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { findProgram } from '../../../../apps/api/src/testing/programs.ts';

const maxOutputBytes = 64 * 1024 ** 2;
const known = ['docker', 'podman'] as const;

/** Docker or Podman, by its program. */
export interface Engine {
  readonly name: (typeof known)[number];
  /** @returns its output. @throws Error with its output if it fails */
  run(...args: readonly string[]): Promise<string>;
  /** @throws Error that names the log if it fails */
  build(args: readonly string[], how: BuildOptions): Promise<void>;
}

interface BuildOptions {
  /** The directory of the Dockerfile. */
  readonly directory: string;
  readonly logFile: string;
  /** Aborts the build. */
  readonly signal: AbortSignal;
}

/** No container engine responds; the message says what to install. */
export class NoEngineError extends Error {
  constructor() {
    super(
      'No container engine responds: neither `docker info` nor `podman info` works. ' +
        'On Debian: apt-get install podman buildah',
    );
  }
}

/** @throws NoEngineError */
export async function findEngine(): Promise<Engine> {
  for (const name of known) {
    const program = findProgram(name);
    if (program === null) continue;
    const engine = engineOf(name, program);
    const responds = await engine.run('info').then(
      () => true,
      () => false,
    );
    if (responds) return engine;
  }
  throw new NoEngineError();
}

function engineOf(name: Engine['name'], program: string): Engine {
  return {
    name,
    async run(...args) {
      const { promise, resolve, reject } = Promise.withResolvers<string>();
      execFile(program, args, { maxBuffer: maxOutputBytes }, (error, stdout, stderr) => {
        if (error === null) resolve(stdout.trim());
        // Without the arguments, because they contain secrets.
        else reject(new Error(`${name} ${args[0]} failed: ${`${stdout}${stderr}`.trim()}`));
      });
      return promise;
    },
    async build(args, { directory, logFile, signal }) {
      // In its own format, Podman drops the health check.
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
