import { isSending } from '../../domain/webhooks/endpoint.ts';
import { pace } from '../../domain/webhooks/pace.ts';
import { enqueuePump, enqueueSpread } from '../../domain/webhooks/queries.ts';
import type { Database } from '../../db/executor.ts';
import type { Jobs } from '../../ports/jobs.ts';
import { lockWebhook, makeDue } from './queries.ts';

/** Messages of a transaction: an endpoint is locked for some tens of milliseconds. */
const rowsPerPiece = 500;
/** After which a job gives its place to others. */
const turnMs = 10_000;

/**
 * Makes due what waited for an endpoint when it was enabled, in pieces, oldest first: after the first minute, in which the
 * messages go that were made due at once. Idempotent.
 *
 * @see docs/decisions/0072-webhooks.md
 */
export async function spreadBacklog(
  db: Database,
  { organizationId, webhookId, enabledAt, after, until }: Jobs['spread_webhook'],
  signal: AbortSignal,
): Promise<void> {
  const key = { organizationId, webhookId };
  const dueAt = new Date(Date.parse(enabledAt) + pace.firstSeconds * 1_000);
  const endsAt = performance.now() + turnMs;
  let done: number | null = after;
  while (done !== null) {
    const piece = { after: done, until, limit: rowsPerPiece, enabledAt, dueAt };
    const mayContinue = !signal.aborted && performance.now() < endsAt;
    done = await db.transaction(async (tx) => {
      const webhook = await lockWebhook(tx, key);
      if (!webhook || !isSending(webhook)) return null;
      if (!mayContinue) {
        await enqueueSpread(tx, { ...key, enabledAt, after: piece.after, until });
        return null;
      }
      const last = await makeDue(tx, key, piece);
      // It has counted with the times before.
      if (last === null) await enqueuePump(tx, key);
      return last;
    });
  }
}
