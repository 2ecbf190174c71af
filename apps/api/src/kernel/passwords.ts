import { hash, verify } from '@node-rs/argon2';
import pLimit from 'p-limit';
import { Failure } from './errors.ts';

/** OWASP's second choice for argon2id: 19 MiB, two passes, one lane. */
const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** Callers that may wait for a turn; more are told to come back. */
const maxWaiting = 500;

/** Hashes and checks passwords, off the event loop, a bounded number at a time. */
export interface PasswordHasher {
  hash(password: string): Promise<string>;
  /** Takes the same time when there is no hash to compare with. */
  verify(storedHash: string | null, password: string): Promise<boolean>;
}

/** @param concurrency - hashes computed at once; each takes 19 MiB and one thread of the pool */
export async function createPasswordHasher(concurrency: number): Promise<PasswordHasher> {
  const limit = pLimit(concurrency);
  const bounded = <T>(work: () => Promise<T>): Promise<T> => {
    if (limit.pendingCount >= maxWaiting) {
      throw new Failure('service_unavailable', { headers: { 'retry-after': '2' } });
    }
    return limit(work);
  };
  const dummyHash = await hash('no account has this password', parameters);

  return {
    hash: (password) => bounded(() => hash(password, parameters)),
    async verify(storedHash, password) {
      const matches = await bounded(() => verify(storedHash ?? dummyHash, password));
      return matches && storedHash !== null;
    },
  };
}
