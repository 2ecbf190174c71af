import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import pLimit from 'p-limit';
import type { Topic } from '../../db/announcements.ts';
import type { Database, Transaction } from '../../db/executor.ts';
import { everywhere, withinOrganization, type Scopes } from '../../db/scopes.ts';
import type { Deps } from '../../deps.ts';
import { behindAtAll, moveToNow } from '../../domain/log-positions/queries.ts';
import type { Clock } from '../../ports/clock.ts';
import {
  advanceTo,
  beginIn,
  behindSince,
  followedAmong,
  readRows,
  takePosition,
  type LogRow,
} from './queries.ts';

/** Takes the activities of organizations: each once, in the order of their transactions. */
export interface Consumer {
  /** Stored with its positions. */
  readonly name: string;
  /** Which organizations get a position by themselves, at their beginning; the others get one where it is wanted. */
  readonly follows: 'every organization' | 'every team' | 'where it is wanted';
  /**
   * Takes rows of one organization. What it writes in the transaction happens exactly once for each row.
   *
   * @returns work for after the commit, which may be lost
   */
  take(
    tx: Transaction,
    organizationId: string,
    rows: readonly LogRow[],
  ): Promise<(() => Promise<void>) | void>;
  /** Rows may be missing, because the database has another history: it was restored, or another server took over. */
  restart(tx: Transaction, organizationId: string): Promise<void>;
}

export interface Follower {
  /** Waits for transactions under way. */
  stop(): Promise<void>;
}

/** Organizations that are worked on at the same time: fewer than a pool has connections. */
const maxAtOnce = 4;
/** Commits of this time are read together, in milliseconds. */
const gatherMs = 250;
/** Interval of searches for changes whose announcement was lost, in milliseconds. */
const searchMs = 10_000;
const searchedMs = 10 * 60_000;
/** Every so many searches the positions of all organizations are compared. */
const searchesPerComparison = 60;

interface Following {
  readonly db: Database;
  readonly scopes: Scopes | null;
  readonly clock: Clock;
  readonly log: FastifyBaseLogger;
  readonly listenToChanges: Deps['listenToChanges'];
  readonly consumers: readonly Consumer[];
}

/**
 * Feeds consumers from the activities, without a line in any use case. Several processes may follow: a position belongs to
 * one of them at a time.
 *
 * @see docs/decisions/0071-follower-of-the-log.md
 */
export function startFollower(parts: Following): Follower {
  const { db, scopes, clock, log } = parts;
  const stopping = new AbortController();
  const { signal } = stopping;
  const limit = pLimit(maxAtOnce);
  const dirty = new Set<string>();
  /** What is announced of these meanwhile stays dirty until they end. */
  const underWay = new Map<string, Promise<void>>();
  let working: Promise<void> | null = null;

  function wake(organizationIds: readonly string[]): void {
    for (const id of organizationIds) dirty.add(id);
    if (readyIds().length > 0 && !signal.aborted) working ??= work();
  }

  const readyIds = () => [...dirty].filter((id) => !underWay.has(id));

  async function work(): Promise<void> {
    while (readyIds().length > 0 && !signal.aborted) {
      await pause(gatherMs);
      if (signal.aborted) break;
      const announced = readyIds();
      for (const id of announced) dirty.delete(id);
      try {
        const followed = await everywhere(scopes, async () => {
          await begin({ ids: announced });
          return followedAmong(db, announced);
        });
        for (const id of followed) underWay.set(id, advance(id));
      } catch (err) {
        failed(err, announced);
      }
    }
    working = null;
  }

  const beginners = parts.consumers
    .filter(({ follows }) => follows !== 'where it is wanted')
    .map(({ name, follows }) => ({ name, isEverywhere: follows === 'every organization' }));

  async function begin(
    organizations: Parameters<typeof beginIn>[1]['organizations'],
  ): Promise<void> {
    if (beginners.length === 0) return;
    await beginIn(db, { consumers: beginners, organizations, now: clock.now() });
  }

  /** Queues for each piece again, so that a backlog leaves room for other organizations. */
  async function advance(organizationId: string): Promise<void> {
    let behind = parts.consumers;
    while (behind.length > 0 && !signal.aborted) {
      const consumers = behind;
      behind = await limit(() => takePieces(consumers, organizationId));
    }
    underWay.delete(organizationId);
    wake([]);
  }

  /** @returns the consumers with more to take at once */
  async function takePieces(
    consumers: readonly Consumer[],
    organizationId: string,
  ): Promise<Consumer[]> {
    const behind: Consumer[] = [];
    for (const consumer of consumers) {
      if (signal.aborted) break;
      try {
        const next = await takeOnce(parts, consumer, organizationId);
        if (next === 'later') dirty.add(organizationId);
        if (next === 'at once') behind.push(consumer);
      } catch (err) {
        failed(err, [organizationId]);
      }
    }
    return behind;
  }

  /** The next search finds them again. */
  function failed(err: unknown, organizationIds: readonly string[]): void {
    log.warn({ err, organizations: organizationIds.length }, 'activities could not be followed');
  }

  async function search(): Promise<void> {
    for (let searches = 0; !signal.aborted; searches += 1) {
      const isComparison = searches % searchesPerComparison === 0;
      await (isComparison ? lookAtAll() : lookAtRecent());
      await pause(searchMs);
    }
  }

  const lookAtAll = () =>
    look(async () => {
      await begin({ createdSince: new Date(0) });
      return behindAtAll(db);
    });

  const lookAtRecent = () =>
    look(async () => {
      const since = new Date(clock.now().getTime() - searchedMs);
      await begin({ createdSince: since });
      return behindSince(db, since);
    });

  async function look(find: () => Promise<readonly string[]>): Promise<void> {
    try {
      wake(await everywhere(scopes, find));
    } catch (err) {
      log.warn({ err }, 'the activities that are not followed yet could not be searched');
    }
  }

  const pause = (ms: number) => delay(ms, undefined, { signal }).catch(() => {});
  const onTopic = (topic: Topic) => {
    const [kind, id = ''] = topic.split(':');
    if (kind === 'organization') wake([id]);
  };
  // What was announced before the connection, or while it was lost, is searched when it is there.
  const onListening = () => void lookAtRecent();
  // It reconnects by itself; until then the search finds what is announced.
  void parts.listenToChanges({ onTopic, onListening }).catch((err: unknown) => {
    log.warn({ err }, 'changes are found by searches only');
  });
  const searching = search();
  return {
    async stop() {
      stopping.abort();
      await Promise.all([searching, working]);
      await Promise.all(underWay.values());
    },
  };
}

/**
 * Lets a consumer take the next rows of an organization, and moves its position with them.
 *
 * @returns when to look for more: `later` for what is not settled, or in the hands of another process
 */
export async function takeOnce(
  { db, scopes, clock, log }: Pick<Following, 'db' | 'scopes' | 'clock' | 'log'>,
  consumer: Consumer,
  organizationId: string,
): Promise<'at once' | 'later' | 'when announced'> {
  const key = { organizationId, consumer: consumer.name };
  const { next, afterwards } = await withinOrganization(scopes, organizationId, () =>
    db.transaction(async (tx) => {
      const position = await takePosition(tx, key);
      if (position === 'busy') return { next: 'later' as const };
      if (position === null) return { next: 'when announced' as const };
      if (position.isUnknown) {
        await consumer.restart(tx, organizationId);
        await moveToNow(tx, key, clock.now());
        log.warn(key, 'activities are followed from now on: the database has another history');
        return { next: 'at once' as const };
      }
      const { rows, areMoreSettled, areMoreUnsettled } = await readRows(
        tx,
        organizationId,
        position,
      );
      const last = rows.at(-1);
      const afterwards = last && (await consumer.take(tx, organizationId, rows));
      if (last) await advanceTo(tx, key, { row: last, now: clock.now() });
      if (areMoreSettled) return { next: 'at once' as const, afterwards };
      return {
        next: areMoreUnsettled ? ('later' as const) : ('when announced' as const),
        afterwards,
      };
    }),
  );
  await afterwards?.();
  return next;
}
