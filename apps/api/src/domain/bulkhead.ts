import type { Database } from '../db/executor.ts';
import type { BulkheadLoad } from '../ports/telemetry.ts';
import type {
  CallerContext,
  MemberContext,
  PublicContext,
  VisitorContext,
} from '../kernel/context.ts';
import { Failure } from '../kernel/errors.ts';

export interface BulkheadLimits {
  /** Maximum number of changes of one organization that hold a connection at the same time. */
  readonly share: number;
  /** Maximum number of queued changes of one organization. */
  readonly maxWaiting: number;
  readonly maxWaitMs: number;
}

export interface Bulkhead {
  /**
   * Runs work of an organization or a user within its share of connections, first in, first out.
   *
   * @throws Failure `rate_limited` (429) when too many wait, `service_unavailable` (503) after too long a wait
   */
  within<Result>(key: string, work: () => Promise<Result>): Promise<Result>;
  load(): BulkheadLoad;
}

/**
 * Keeps one organization from taking every connection of the pool: its changes may all wait for one row.
 *
 * @see docs/decisions/0039-overload-and-shutdown.md
 */
export function createBulkhead({ share, maxWaiting, maxWaitMs }: BulkheadLimits): Bulkhead {
  const running = new Map<string, number>();
  /** A set keeps the order of arrival. */
  const queues = new Map<string, Set<() => void>>();
  let waiting = 0;
  let refused = 0;

  function stopWaiting(key: string, queue: Set<() => void>, go: () => void): void {
    waiting -= 1;
    queue.delete(go);
    if (queue.size === 0) queues.delete(key);
  }

  function turn(key: string): Promise<void> {
    const queue = queues.get(key) ?? new Set();
    if (queue.size >= maxWaiting) {
      refused += 1;
      throw tooMany();
    }
    queues.set(key, queue);
    waiting += 1;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        stopWaiting(key, queue, go);
        refused += 1;
        reject(tooLong(maxWaitMs));
      }, maxWaitMs);
      const go = () => {
        clearTimeout(timer);
        stopWaiting(key, queue, go);
        resolve();
      };
      queue.add(go);
    });
  }

  function leave(key: string): void {
    const [next] = queues.get(key) ?? [];
    // Hands its slot to the next in the queue, so that a new arrival can't overtake.
    if (next) return next();
    const left = (running.get(key) ?? 0) - 1;
    if (left <= 0) running.delete(key);
    else running.set(key, left);
  }

  return {
    async within(key, work) {
      const count = running.get(key) ?? 0;
      if (count < share) running.set(key, count + 1);
      else await turn(key);
      try {
        return await work();
      } finally {
        leave(key);
      }
    },
    load: () => ({ waiting, refused }),
  };
}

/** The client's fault: it sends too many requests at once. */
function tooMany(): Failure {
  return new Failure('rate_limited', { headers: { 'retry-after': '2' } });
}

/** The server's fault: something is slow. */
function tooLong(maxWaitMs: number): Failure {
  return new Failure('service_unavailable', {
    cause: new Error(`a change waited ${maxWaitMs} ms for its turn`),
    headers: { 'retry-after': '5' },
  });
}

const bulkheads = new WeakMap<Database, Bulkhead>();

/** Runs the changes on a database within a bulkhead; without this call, nothing limits them. */
export function setBulkhead(db: Database, bulkhead: Bulkhead): void {
  bulkheads.set(db, bulkhead);
}

type AnyContext = PublicContext | VisitorContext | CallerContext | MemberContext;

export interface Turn {
  readonly db: Database;
  readonly ctx: AnyContext;
  /** The organization whose rows the change locks, if its context names none. */
  readonly organizationId?: string;
}

/** Runs work that holds a connection for a change, within the bulkhead of its organization or its user. */
export function inTurn<Result>(
  { db, ctx, organizationId }: Turn,
  work: () => Promise<Result>,
): Promise<Result> {
  const bulkhead = bulkheads.get(db);
  const key = organizationId ?? keyOf(ctx);
  return bulkhead === undefined || key === null ? work() : bulkhead.within(key, work);
}

/** Null for a change without a session: those are limited by address. */
function keyOf(ctx: AnyContext): string | null {
  if ('organization' in ctx) return ctx.organization.id;
  if ('share' in ctx) return ctx.share.organizationId;
  return 'user' in ctx ? ctx.user.id : null;
}
