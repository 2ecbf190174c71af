import { and, count, desc, eq, sql, type SQL } from 'drizzle-orm';
import type { Executor, Transaction } from '../../db/executor.ts';
import { webhooks } from '../../db/generated/schema.ts';
import type { WebhookKey } from '../../domain/webhooks/endpoint.ts';
import { maxSpreadAtOnce, pace } from '../../domain/webhooks/pace.ts';

/** An index has the numbers of what is pending: it alone is counted, and its first entry is the oldest one. */
const pending = (organizationId: string, selected: SQL, rest = sql``) => sql`(
  select ${selected} from webhook_deliveries
  where webhook_deliveries.organization_id = ${organizationId}
    and webhook_deliveries.webhook_id = webhooks.id and webhook_deliveries.status = 'PENDING' ${rest})`;

const viewOf = (organizationId: string) => ({
  id: webhooks.id,
  url: webhooks.url,
  description: webhooks.description,
  events: webhooks.events,
  ordering: webhooks.ordering,
  status: webhooks.status,
  disabledReason: webhooks.disabledReason,
  publicKey: webhooks.publicKey,
  secretHint: webhooks.secretHint,
  previousSecretExpiresAt: webhooks.previousSecretExpiresAt,
  lastDeliveredAt: webhooks.lastDeliveredAt,
  createdBy: webhooks.createdBy,
  createdAt: webhooks.createdAt,
  updatedAt: webhooks.updatedAt,
  pendingCount: sql<number>`${pending(organizationId, sql`count(*)::int`)}`,
  oldestPendingAt: sql<
    string | null
  >`${pending(organizationId, sql`webhook_deliveries.created_at::text`, sql`order by webhook_deliveries.sequence limit 1`)}`,
});

const isWebhook = ({ organizationId, webhookId }: WebhookKey) =>
  and(eq(webhooks.organizationId, organizationId), eq(webhooks.id, webhookId));

export async function listWebhooks(
  db: Executor,
  organizationId: string,
  window: { limit: number; offset: number },
) {
  const ofOrganization = eq(webhooks.organizationId, organizationId);
  const [rows, total] = await Promise.all([
    db
      .select(viewOf(organizationId))
      .from(webhooks)
      .where(ofOrganization)
      .orderBy(desc(webhooks.id))
      .limit(window.limit)
      .offset(window.offset),
    countWebhooks(db, organizationId),
  ]);
  return { rows, total };
}

export async function countWebhooks(db: Executor, organizationId: string): Promise<number> {
  const [row] = await db
    .select({ total: count() })
    .from(webhooks)
    .where(eq(webhooks.organizationId, organizationId));
  return row?.total ?? 0;
}

export async function findWebhook(db: Executor, key: WebhookKey) {
  const [row] = await db.select(viewOf(key.organizationId)).from(webhooks).where(isWebhook(key));
  return row ?? null;
}

export type WebhookRow = NonNullable<Awaited<ReturnType<typeof findWebhook>>>;

/** Locks an endpoint until the transaction ends. @returns its locked state */
export async function lockWebhook(tx: Transaction, key: WebhookKey): Promise<WebhookRow | null> {
  await tx.select({ id: webhooks.id }).from(webhooks).where(isWebhook(key)).for('no key update');
  return findWebhook(tx, key);
}

type NewWebhook = typeof webhooks.$inferInsert;

export async function insertWebhook(tx: Transaction, row: NewWebhook): Promise<void> {
  await tx.insert(webhooks).values(row);
}

export async function updateWebhook(
  tx: Transaction,
  key: WebhookKey,
  change: Partial<NewWebhook>,
): Promise<void> {
  await tx.update(webhooks).set(change).where(isWebhook(key));
}

/** Makes the present secret the one before. */
export async function replaceSecret(
  tx: Transaction,
  key: WebhookKey,
  change: Pick<NewWebhook, 'secret' | 'secretHint' | 'previousSecretExpiresAt' | 'updatedAt'>,
): Promise<void> {
  await tx
    .update(webhooks)
    .set({ ...change, previousSecret: sql`${webhooks.secret}` })
    .where(isWebhook(key));
}

export async function deleteWebhook(tx: Transaction, key: WebhookKey): Promise<void> {
  await tx.delete(webhooks).where(isWebhook(key));
}

/**
 * Lets the first of what has waited go again, oldest first: two a second in the first minute, then the others. What a
 * process has in hand stays there.
 *
 * @returns the numbers between which the rest is, if there is more
 */
export async function spreadFirst(
  tx: Transaction,
  key: WebhookKey,
  now: Date,
): Promise<{ readonly after: number; readonly until: number } | null> {
  // Seconds, which a distributed database adds in an update: the sum of a timestamp and an interval depends on the session.
  const at = now.getTime() / 1000;
  const spread = await tx.execute<{ sequence: string }>(sql`
    update webhook_deliveries set next_attempt_at =
      to_timestamp(${at}::float8 + least(waiting.place * ${pace.everySeconds}::float8, ${pace.firstSeconds}::float8))
    from (
      select id, row_number() over (order by sequence) - 1 as place from webhook_deliveries
      where organization_id = ${key.organizationId} and webhook_id = ${key.webhookId} and status = 'PENDING'
      order by sequence limit ${maxSpreadAtOnce}
    ) as waiting
    where webhook_deliveries.organization_id = ${key.organizationId}
      and webhook_deliveries.id = waiting.id
    returning sequence`);
  if (spread.length < maxSpreadAtOnce) return null;
  const [last] = await tx.execute<{ sequence: string }>(sql`
    select sequence from webhook_deliveries
    where organization_id = ${key.organizationId} and webhook_id = ${key.webhookId} and status = 'PENDING'
    order by sequence desc limit 1`);
  const after = Math.max(...spread.map(({ sequence }) => Number(sequence)));
  const until = Number(last?.sequence);
  return until > after ? { after, until } : null;
}
