import { availableParallelism } from 'node:os';
import { extname, join } from 'node:path';
import type { Piscina } from 'piscina';
import { Failure } from './errors.ts';

/** In the same directory, in the sources and in the build. */
const threadFile = join(import.meta.dirname, `passwords-thread${extname(import.meta.filename)}`);

/** Maximum number of waiting requests; more are refused with a retry. */
const maxWaiting = 500;

/** Idle time before a thread ends. */
const idleMs = 60_000;

/**
 * Requests take priority when both need the processor: on a core that they use all the time, a thread gets a tenth. At
 * niceness 5 it would get a quarter, in pieces of several milliseconds for which requests wait; at the lowest priority a
 * seventieth, and with other programs on the host sign-ins miss their deadline.
 * On systems other than Linux this would lower the priority of the whole process.
 */
const niceness = process.platform === 'linux' ? 10 : 0;

/** Verified against when there is no account. It has the parameters of every password hash, and matches no password. */
export const dummyHash =
  '$argon2id$v=19$m=19456,t=2,p=1$OxDDUwTK5tFFA6sVdv/TrQ$oWgPEgKZ5nyfMo7ANag3zLuWf9iAJKC1dUfQQrZKxHY';

/** Hashes and verifies passwords in worker threads, a limited number at a time. */
export interface PasswordHasher {
  /** @param salt - 16 bytes; the same salt and password give the same hash; default: random */
  hash(password: string, salt?: Uint8Array): Promise<string>;
  /** Takes the same time when there is no hash to compare with. */
  verify(storedHash: string | null, password: string): Promise<boolean>;
  /** Ends the threads; pending work fails. */
  close(): Promise<void>;
}

/** Leaves one core to the requests. */
const threadsByDefault = Math.min(Math.max(availableParallelism() - 1, 1), 4);

/** @param threads - passwords hashed at once; each takes 19 MiB. The first password starts them. */
export function createPasswordHasher(threads = threadsByDefault): PasswordHasher {
  let starting: Promise<Piscina> | null = null;

  const start = async (): Promise<Piscina> => {
    const { Piscina } = await import('piscina');
    const pool = new Piscina({
      filename: threadFile,
      minThreads: 0,
      maxThreads: threads,
      idleTimeout: idleMs,
      niceIncrement: niceness,
      maxQueue: maxWaiting,
    });
    // No thread could start. Waiting requests fail, and the next one tries again.
    pool.on('error', () => {
      starting = null;
      void pool.destroy();
    });
    return pool;
  };
  const run = async (name: string, task: unknown): Promise<unknown> => {
    const pool = await (starting ??= start());
    if (pool.queueSize >= maxWaiting) {
      throw new Failure('service_unavailable', { headers: { 'retry-after': '2' } });
    }
    return pool.run(task, { name });
  };

  return {
    hash: async (password, salt) => String(await run('hash', { password, salt: salt ?? null })),
    async verify(storedHash, password) {
      const hash = storedHash ?? dummyHash;
      return (await run('verify', { hash, password })) === true && storedHash !== null;
    },
    async close() {
      const pool = await starting;
      starting = null;
      await pool?.destroy();
    },
  };
}
