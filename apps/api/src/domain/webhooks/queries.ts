import { and, asc, eq, inArray, sql } from 'drizzle-orm';
import type { Transaction } from '../../db/executor.ts';
import { webhookDeliveries, webhooks } from '../../db/generated/schema.ts';
import type { Jobs } from '../../ports/jobs.ts';
import { enqueueJobOf } from '../job-queue.ts';
import type { WebhookKey } from './endpoint.ts';
import type { NewMessage } from './message.ts';

/** The consumer of the activity log that queues messages. */
export const webhookConsumer = 'webhooks';

/** Rows that one statement inserts. */
const rowsPerStatement = 200;

/**
 * Queues messages to one endpoint, in order, and gives them their numbers. The caller has locked the endpoint.
 *
 * @param newId - makes an id for each
 */
export async function queueMessages(
  tx: Transaction,
  { organizationId, webhookId }: WebhookKey,
  { messages, now, newId }: { messages: readonly NewMessage[]; now: Date; newId: () => string },
) {
  if (messages.length === 0) return [];
  const [counted] = await tx
    .update(webhooks)
    .set({ lastSequence: sql`${webhooks.lastSequence} + ${messages.length}` })
    .where(and(eq(webhooks.organizationId, organizationId), eq(webhooks.id, webhookId)))
    .returning({ last: webhooks.lastSequence });
  const before = (counted?.last ?? 0) - messages.length;
  const rows = messages.map(({ body, ...message }, index) => ({
    ...message,
    organizationId,
    webhookId,
    id: newId(),
    sequence: before + index + 1,
    body: body(before + index + 1),
    status: 'PENDING' as const,
    attemptCount: 0,
    nextAttemptAt: now,
    lastStatus: null,
    lastError: null,
    createdAt: now,
    deliveredAt: null,
  }));
  for (let at = 0; at < rows.length; at += rowsPerStatement) {
    await tx.insert(webhookDeliveries).values(rows.slice(at, at + rowsPerStatement));
  }
  return rows;
}

/** Enqueues the sender of an endpoint; one that waits for later starts at once instead. */
export async function enqueuePump(
  tx: Pick<Transaction, 'execute'>,
  pump: WebhookKey,
  afterSeconds = 0,
): Promise<void> {
  await enqueueJobOf(tx, pump.organizationId, {
    name: 'pump_webhook',
    payload: pump,
    key: `webhook ${pump.webhookId}`,
    afterSeconds,
  });
}

/** Enqueues what makes a backlog due; that of an endpoint which is enabled again starts anew. */
export async function enqueueSpread(
  tx: Pick<Transaction, 'execute'>,
  spread: Jobs['spread_webhook'],
): Promise<void> {
  await enqueueJobOf(tx, spread.organizationId, {
    name: 'spread_webhook',
    payload: spread,
    key: `webhook backlog ${spread.webhookId}`,
  });
}

/** Locks the endpoints of an organization until the transaction ends. */
export async function lockWebhooks(tx: Transaction, organizationId: string) {
  return tx
    .select({
      organizationId: webhooks.organizationId,
      id: webhooks.id,
      events: webhooks.events,
      status: webhooks.status,
      followsFrom: webhooks.followsFrom,
    })
    .from(webhooks)
    .where(eq(webhooks.organizationId, organizationId))
    .orderBy(asc(webhooks.id))
    .for('no key update');
}

export type LockedEndpoint = Awaited<ReturnType<typeof lockWebhooks>>[number];

/** After another history of the database began: endpoints get what happens from now on. */
export async function followAnew(
  tx: Transaction,
  organizationId: string,
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return;
  await tx
    .update(webhooks)
    .set({ followsFrom: sql`pg_current_xact_id()` })
    .where(and(eq(webhooks.organizationId, organizationId), inArray(webhooks.id, [...ids])));
}
