import type { FastifyBaseLogger } from 'fastify';
import type { Database } from '../../db/executor.ts';
import type { Clock } from '../../ports/clock.ts';
import { releaseKeys, type HeldKey, type KeyName } from './queries.ts';
import { repeatWhile } from './repeat-while.ts';

/** Minimum interval between two attempts, in milliseconds. */
const pauseMs = 250;
/** Maximum number of keys in one statement. */
const batchSize = 500;

/** Keys of attempts of this process that are over, but could not be released. */
export interface UnreleasedKeys {
  /** Releases a key as soon as the database responds, unless its lease ends first. */
  add(key: HeldKey, leasedUntil: Date): void;
  /** Releases a key now, if it is one of these. Costs no statement otherwise. */
  releaseNow(name: KeyName): Promise<void>;
}

/** While the database is away, no attempt can give its key back; without this, retries would wait for the leases. */
export function createUnreleasedKeys({
  db,
  clock,
  log,
}: {
  db: Database;
  clock: Clock;
  log: FastifyBaseLogger;
}): UnreleasedKeys {
  const waiting = new Map<string, { key: HeldKey; leasedUntil: Date }>();

  async function releaseBatch(held: readonly HeldKey[]): Promise<void> {
    for (const holder of await releaseKeys(db, held)) waiting.delete(holder);
  }

  async function releaseAll(): Promise<void> {
    const now = clock.now();
    for (const [holder, { leasedUntil }] of waiting) {
      if (leasedUntil <= now) waiting.delete(holder);
    }
    const held = [...waiting.values()].map(({ key }) => key);
    try {
      for (let start = 0; start < held.length; start += batchSize) {
        await releaseBatch(held.slice(start, start + batchSize));
      }
      const keys = held.filter(({ holder }) => !waiting.has(holder)).length;
      if (keys > 0) log.info({ keys }, 'failed attempts no longer hold their idempotency keys');
    } catch {
      // Still away: the failure of the first attempt is in the log.
    }
  }

  const keepReleasing = repeatWhile(() => waiting.size > 0, { pauseMs, work: releaseAll });

  return {
    add(key, leasedUntil) {
      waiting.set(key.holder, { key, leasedUntil });
      keepReleasing();
    },
    async releaseNow(name) {
      const held = [...waiting.values()].map(({ key }) => key).filter((key) => isSame(key, name));
      if (held.length > 0) await releaseBatch(held);
    },
  };
}

function isSame(one: KeyName, other: KeyName): boolean {
  return one.key === other.key && one.operation === other.operation && one.scope === other.scope;
}
