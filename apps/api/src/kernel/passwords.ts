import { availableParallelism } from 'node:os';
import { extname, join } from 'node:path';
import type { Piscina } from 'piscina';
import { Failure } from './errors.ts';

/** Beside this file, or beside what was built of it. */
const threadFile = join(import.meta.dirname, `passwords-thread${extname(import.meta.filename)}`);

/** Callers that may wait for a turn; more are told to come back. */
const maxWaiting = 500;

/** Threads stay for the next password so long. */
const idleMs = 60_000;

/**
 * Requests come first where both want the processor: of a core that is wanted all the time, a thread gets about a seventieth.
 * Elsewhere than on Linux, the whole process would become less important.
 */
const niceness = process.platform === 'linux' ? 19 : 0;

/** Compared with where there is no account. Of the parameters that every password is hashed with; nobody's password. */
export const dummyHash =
  '$argon2id$v=19$m=19456,t=2,p=1$OxDDUwTK5tFFA6sVdv/TrQ$oWgPEgKZ5nyfMo7ANag3zLuWf9iAJKC1dUfQQrZKxHY';

/** Hashes and checks passwords, in threads of their own, a bounded number at a time. */
export interface PasswordHasher {
  /** @param salt - 16 bytes, of which the same password gets the same hash; default: random ones */
  hash(password: string, salt?: Uint8Array): Promise<string>;
  /** Takes the same time when there is no hash to compare with. */
  verify(storedHash: string | null, password: string): Promise<boolean>;
  /** Ends the threads; whatever is under way fails. */
  close(): Promise<void>;
}

/** One core is left to the requests. */
const threadsByDefault = Math.min(Math.max(availableParallelism() - 1, 1), 4);

/** @param threads - passwords hashed at once; each takes 19 MiB. They start with the first password. */
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
    // No thread could start. Those who wait for it are told, and the next caller tries anew.
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
