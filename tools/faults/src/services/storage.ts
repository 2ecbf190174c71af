import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { kill } from '../../../../apps/api/src/testing/kill.ts';

const program = join(import.meta.dirname, '../../../../packages/devstack/src/s3/testing/child.ts');
const clock = join(import.meta.dirname, '..', 'shifted-clock.ts');

/** An object store in processes of its own. */
export interface Storage {
  readonly port: number;
  readonly keys: { readonly accessKey: string; readonly secretKey: string };
  kill(): Promise<void>;
  /** @param clockOffsetSeconds - how far its clock is off */
  start(clockOffsetSeconds?: number): Promise<void>;
  pause(): void;
  resume(): void;
}

export async function startStorage(directory: string, port: number): Promise<Storage> {
  const keys = { accessKey: 'faults-access-key', secretKey: 'faults-secret-key' };
  const options = JSON.stringify({ ...keys, dataDir: join(directory, 'storage'), port });
  let child: ChildProcess | null = null;

  async function start(clockOffsetSeconds = 0): Promise<void> {
    const started = fork(program, [options], {
      execArgv: ['--import', clock],
      env: { ...process.env, CLOCK_OFFSET_SECONDS: String(clockOffsetSeconds) },
    });
    await Promise.race([
      once(started, 'message'),
      once(started, 'exit').then(() => Promise.reject(new Error('The storage exited at start.'))),
    ]);
    child = started;
  }
  await start();
  return {
    port,
    keys,
    start,
    async kill() {
      const killed = child;
      child = null;
      if (killed) await kill(killed);
    },
    pause: () => void child?.kill('SIGSTOP'),
    resume: () => void child?.kill('SIGCONT'),
  };
}
