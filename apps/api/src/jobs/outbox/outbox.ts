import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import pLimit from 'p-limit';
import type { Topic } from '../../db/announcements.ts';
import type { Database } from '../../db/executor.ts';
import { everywhere, withinOrganization, type Scopes } from '../../db/scopes.ts';
import type { Deps } from '../../deps.ts';
import { deleteMoved, enqueueMoved, findWaiting, firstJobs, lockOutbox } from './queries.ts';

export interface OutboxMover {
  /** Waits for jobs that are being moved. */
  stop(): Promise<void>;
}

/** Organizations whose jobs are moved at the same time: each takes a connection of `db`, and one of `quickDb`. */
const maxAtOnce = 2;
/** Pause before the next look, in milliseconds. */
const pauseMs = 100;
/** Looks at an organization for what was announced: a commit in two phases is announced before its rows are there. */
const maxLooks = 5;
/** Interval of searches for jobs whose announcement was lost, in milliseconds. */
const searchMs = 10_000;

interface Moving {
  readonly db: Database;
  /** On other connections than `db`: a transaction that waits for one more of its own pool may wait for itself. */
  readonly quickDb: Database;
  readonly scopes: Scopes | null;
  readonly log: FastifyBaseLogger;
}

/**
 * Moves the jobs of organizations to the queue, on a database that keeps both on different servers; one Postgres is left
 * alone. Several processes may do so: those of one organization are moved by one of them at a time.
 *
 * @see docs/decisions/0109-one-commit-of-an-organization.md
 */
export function startOutbox(
  parts: Moving & Pick<Deps, 'isDistributed' | 'listenToChanges'>,
): OutboxMover {
  const { db, scopes, log, isDistributed, listenToChanges } = parts;
  const stopping = new AbortController();
  const { signal } = stopping;
  const limit = pLimit(maxAtOnce);
  /** Looks that are left, by organization. */
  let announced = new Map<string, number>();
  let working: Promise<void> | null = null;

  function wake(organizationIds: readonly string[]): void {
    for (const id of organizationIds) announced.set(id, maxLooks);
    if (announced.size > 0 && !signal.aborted) working ??= work();
  }

  async function work(): Promise<void> {
    while (announced.size > 0 && !signal.aborted) {
      const organizations = [...announced];
      announced = new Map();
      await Promise.all(organizations.map(([id, looks]) => limit(() => look(id, looks))));
      if (announced.size > 0) await pause(pauseMs);
    }
    working = null;
  }

  async function look(organizationId: string, looks: number): Promise<void> {
    try {
      const isMoved = await moveJobs(parts, organizationId);
      if (isMoved || looks === 1) return;
      announced.set(organizationId, announced.get(organizationId) ?? looks - 1);
    } catch (err) {
      // The next search finds them again.
      log.warn({ err, organizationId }, 'jobs of an organization could not be moved to the queue');
    }
  }

  async function watch(): Promise<void> {
    // While the database is away, it isn't known; to search in vain does no harm.
    if (!(await isDistributed().catch(() => true)) || signal.aborted) return;
    // It reconnects by itself; until then the search finds what is announced.
    void listenToChanges({ onTopic, onListening: () => void searchOnce() }).catch(
      (err: unknown) => {
        log.warn({ err }, 'jobs of organizations are found by searches only');
      },
    );
    while (!signal.aborted) {
      await searchOnce();
      await pause(searchMs);
    }
  }

  async function searchOnce(): Promise<void> {
    try {
      wake(await everywhere(scopes, () => findWaiting(db)));
    } catch (err) {
      log.warn({ err }, 'jobs that are not in the queue yet could not be searched');
    }
  }

  const pause = (ms: number) => delay(ms, undefined, { signal }).catch(() => {});
  const onTopic = (topic: Topic) => {
    const [kind, id = ''] = topic.split(':');
    if (kind === 'jobs') wake([id]);
  };
  const watching = watch();
  return {
    async stop() {
      stopping.abort();
      await Promise.all([watching, working]);
    },
  };
}

/**
 * Moves the jobs of an organization to the queue. They are there before they are removed here: if the process dies in
 * between, the next one moves them again.
 *
 * @returns false if there are none, or another process moves them
 */
export function moveJobs(
  { db, quickDb, scopes }: Moving,
  organizationId: string,
): Promise<boolean> {
  return withinOrganization(scopes, organizationId, () =>
    // Only for its lock: what is moved commits by itself.
    db.transaction(async (tx) => {
      if (!(await lockOutbox(tx, organizationId))) return false;
      let jobs = await firstJobs(tx, organizationId);
      const areAny = jobs.length > 0;
      while (jobs.length > 0) {
        await enqueueMoved(quickDb, jobs);
        await deleteMoved(quickDb, organizationId, jobs);
        jobs = await firstJobs(tx, organizationId);
      }
      return areAny;
    }),
  );
}
