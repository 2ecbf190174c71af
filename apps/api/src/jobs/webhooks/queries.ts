import { and, asc, eq, gt, inArray, lt, lte, or, sql } from 'drizzle-orm';
import type { Database, Executor, Transaction } from '../../db/executor.ts';
import { webhookAttempts, webhookDeliveries, webhooks } from '../../db/generated/schema.ts';
import type { Batches } from '../../domain/batches/queries.ts';
import { isAfter, isSealedOtherwise, type SealedPage } from '../../domain/resealing/queries.ts';
import { hostOf, type WebhookKey } from '../../domain/webhooks/endpoint.ts';
import { maxSpreadAtOnce, pace } from '../../domain/webhooks/pace.ts';

const isWebhook = ({ organizationId, webhookId }: WebhookKey) =>
  and(eq(webhooks.organizationId, organizationId), eq(webhooks.id, webhookId));

const isPendingOf = ({ organizationId, webhookId }: WebhookKey) =>
  and(
    eq(webhookDeliveries.organizationId, organizationId),
    eq(webhookDeliveries.webhookId, webhookId),
    eq(webhookDeliveries.status, 'PENDING'),
  );

/** Locks an endpoint until the transaction ends. */
export async function lockWebhook(tx: Transaction, key: WebhookKey) {
  const [row] = await tx.select().from(webhooks).where(isWebhook(key)).for('no key update');
  return row ?? null;
}

export type LockedWebhook = NonNullable<Awaited<ReturnType<typeof lockWebhook>>>;

/** Messages that are in some process's hands, by the clock of the database: those of processes may differ. */
export async function countClaimed(tx: Transaction, key: WebhookKey): Promise<number> {
  const [row] = await tx
    .select({ count: sql<number>`count(*)::int` })
    .from(webhookDeliveries)
    .where(and(isPendingOf(key), gt(webhookDeliveries.claimedUntil, sql`now()`)));
  return row?.count ?? 0;
}

/** The first message that is still to be sent, whether it is due or not. */
export async function firstPending(tx: Transaction, key: WebhookKey) {
  const [row] = await tx
    .select({ id: webhookDeliveries.id, nextAttemptAt: webhookDeliveries.nextAttemptAt })
    .from(webhookDeliveries)
    .where(isPendingOf(key))
    .orderBy(asc(webhookDeliveries.sequence))
    .limit(1);
  return row ?? null;
}

export async function duePending(
  tx: Transaction,
  key: WebhookKey,
  due: { now: Date; limit: number; before: number | null },
) {
  const found = await tx
    .select({ id: webhookDeliveries.id })
    .from(webhookDeliveries)
    .where(
      and(
        isPendingOf(key),
        lte(webhookDeliveries.nextAttemptAt, due.now),
        due.before === null ? undefined : lt(webhookDeliveries.sequence, due.before),
        sql`(${webhookDeliveries.claimedUntil} is null or ${webhookDeliveries.claimedUntil} <= now())`,
      ),
    )
    .orderBy(asc(webhookDeliveries.sequence))
    .limit(due.limit);
  return found.map(({ id }) => id);
}

/** Takes messages in hand. @returns them in their order */
export async function claim(
  tx: Transaction,
  { organizationId }: WebhookKey,
  { ids, leaseSeconds }: { ids: readonly string[]; leaseSeconds: number },
) {
  if (ids.length === 0) return { until: null, deliveries: [] };
  const claimed = await tx
    .update(webhookDeliveries)
    .set({ claimedUntil: sql`now() + make_interval(secs => ${leaseSeconds})` })
    .where(
      and(
        eq(webhookDeliveries.organizationId, organizationId),
        inArray(webhookDeliveries.id, [...ids]),
      ),
    )
    .returning({
      id: webhookDeliveries.id,
      eventId: webhookDeliveries.eventId,
      body: webhookDeliveries.body,
      sequence: webhookDeliveries.sequence,
      attemptCount: webhookDeliveries.attemptCount,
      // As the database writes it: a date has no microseconds.
      until: sql<string>`${webhookDeliveries.claimedUntil}`,
    });
  return {
    until: claimed[0]?.until ?? null,
    deliveries: claimed.toSorted((one, other) => one.sequence - other.sequence),
  };
}

export type Claim = Awaited<ReturnType<typeof claim>>;
export type ClaimedDelivery = Claim['deliveries'][number];

/** Gives messages back, unless another process has taken them in hand meanwhile. */
export async function release(
  db: Executor,
  { organizationId }: WebhookKey,
  { ids, until }: { readonly ids: readonly string[]; readonly until: Claim['until'] },
): Promise<void> {
  await db
    .update(webhookDeliveries)
    .set({ claimedUntil: null })
    .where(
      and(
        eq(webhookDeliveries.organizationId, organizationId),
        inArray(webhookDeliveries.id, [...ids]),
        sql`${webhookDeliveries.claimedUntil} = ${until}::timestamptz`,
      ),
    );
}

const secondsUntilDue = (now: Date) => sql<number>`extract(epoch from greatest(
  ${webhookDeliveries.nextAttemptAt} - ${now.toISOString()}::timestamptz, ${webhookDeliveries.claimedUntil} - now()))::float8`;

/**
 * In how many seconds the next message is due that isn't in hand; null if none is pending.
 *
 * @param upTo - the number of the last one that counts
 */
export async function nextDue(
  db: Executor,
  key: WebhookKey,
  { now, upTo }: { now: Date; upTo: number | null },
): Promise<number | null> {
  const [row] = await db
    .select({ seconds: sql<number | null>`min(${secondsUntilDue(now)})` })
    .from(webhookDeliveries)
    .where(
      and(isPendingOf(key), upTo === null ? undefined : lte(webhookDeliveries.sequence, upTo)),
    );
  return row?.seconds ?? null;
}

/** The number of the first message that is due within the pace of an endpoint that starts again; null if there is none. */
export async function nextInPace(tx: Transaction, key: WebhookKey, now: Date) {
  const first = tx
    .select({
      sequence: webhookDeliveries.sequence,
      nextAttemptAt: webhookDeliveries.nextAttemptAt,
    })
    .from(webhookDeliveries)
    .where(isPendingOf(key))
    .orderBy(asc(webhookDeliveries.sequence))
    .limit(maxSpreadAtOnce)
    .as('first');
  const [row] = await tx
    .select({ sequence: first.sequence })
    .from(first)
    .where(
      and(
        gt(first.nextAttemptAt, now),
        lte(first.nextAttemptAt, new Date(now.getTime() + pace.everySeconds * 1_000)),
      ),
    )
    .orderBy(asc(first.sequence))
    .limit(1);
  return row?.sequence ?? null;
}

/** A piece of what waited for an endpoint when it was enabled. */
interface Piece {
  /** The numbers of its messages: after one, up to another. */
  readonly after: number;
  readonly until: number;
  readonly limit: number;
  readonly enabledAt: string;
  readonly dueAt: Date;
}

/**
 * Makes messages due, oldest first, except for those that were tried since their endpoint was enabled. The caller has
 * locked the endpoint.
 *
 * @returns the number of the last one; null if there was none
 */
export async function makeDue(
  tx: Transaction,
  key: WebhookKey,
  { after, until, limit, enabledAt, dueAt }: Piece,
): Promise<number | null> {
  const found = await tx
    .select({ id: webhookDeliveries.id, sequence: webhookDeliveries.sequence })
    .from(webhookDeliveries)
    .where(
      and(
        isPendingOf(key),
        gt(webhookDeliveries.sequence, after),
        lte(webhookDeliveries.sequence, until),
      ),
    )
    .orderBy(asc(webhookDeliveries.sequence))
    .limit(limit);
  const last = found.at(-1);
  if (!last) return null;
  await tx
    .update(webhookDeliveries)
    .set({ nextAttemptAt: dueAt })
    .where(
      and(
        eq(webhookDeliveries.organizationId, key.organizationId),
        inArray(
          webhookDeliveries.id,
          found.map(({ id }) => id),
        ),
        sql`not exists (
          select from webhook_attempts where webhook_attempts.organization_id = ${key.organizationId}
            and webhook_attempts.delivery_id = webhook_deliveries.id
            and webhook_attempts.started_at >= ${enabledAt}::timestamptz)`,
      ),
    );
  return last.sequence;
}

/** In how many seconds the first message may go, for which those behind it wait; null if none is pending. */
export async function nextInOrder(
  db: Executor,
  key: WebhookKey,
  now: Date,
): Promise<number | null> {
  const [row] = await db
    .select({ seconds: secondsUntilDue(now) })
    .from(webhookDeliveries)
    .where(isPendingOf(key))
    .orderBy(asc(webhookDeliveries.sequence))
    .limit(1);
  return row?.seconds ?? null;
}

/** An attempt, and what becomes of its message. */
export interface NewAttempt {
  readonly deliveryId: string;
  readonly number: number;
  readonly startedAt: Date;
  readonly durationMs: number;
  readonly responseStatus: number | null;
  readonly error: string | null;
  readonly responseExcerpt: string | null;
  readonly status: (typeof webhookDeliveries.$inferInsert)['status'];
  readonly nextAttemptAt: Date | null;
  readonly deliveredAt: Date | null;
}

/** Notes attempts of different messages. @returns the messages of which no other process has noted it */
export async function noteAttempts(
  tx: Transaction,
  { organizationId }: WebhookKey,
  attempts: readonly NewAttempt[],
): Promise<ReadonlySet<string>> {
  const updated = await tx.execute<{ id: string }>(sql`
    update webhook_deliveries set status = attempt.status, attempt_count = attempt.number,
      next_attempt_at = attempt."nextAttemptAt", delivered_at = attempt."deliveredAt",
      last_status = attempt."responseStatus", last_error = attempt.error, claimed_until = null
    from json_to_recordset(${JSON.stringify(attempts)}::json) as attempt (
      "deliveryId" uuid, number int, "responseStatus" smallint, error text, status text, "nextAttemptAt" timestamptz,
      "deliveredAt" timestamptz)
    where webhook_deliveries.organization_id = ${organizationId}
      and webhook_deliveries.id = attempt."deliveryId"
      and webhook_deliveries.status = 'PENDING' and webhook_deliveries.attempt_count < attempt.number
    returning webhook_deliveries.id`);
  const noted = new Set(updated.map(({ id }) => id));
  const rows = attempts
    .filter(({ deliveryId }) => noted.has(deliveryId))
    .map(
      ({ deliveryId, number, startedAt, durationMs, responseStatus, error, responseExcerpt }) => ({
        organizationId,
        deliveryId,
        number,
        startedAt,
        durationMs,
        status: responseStatus,
        error,
        responseExcerpt,
      }),
    );
  if (rows.length > 0) await tx.insert(webhookAttempts).values(rows);
  return noted;
}

export async function setHealth(
  tx: Transaction,
  key: WebhookKey,
  health: Partial<
    Pick<
      typeof webhooks.$inferInsert,
      | 'failureCount'
      | 'failingSince'
      | 'lastDeliveredAt'
      | 'status'
      | 'disabledReason'
      | 'updatedAt'
    >
  >,
): Promise<void> {
  await tx.update(webhooks).set(health).where(isWebhook(key));
}

/** Rows that one statement removes. */
const rowsPerPiece = 1_000;

/** Removes old deliveries with their attempts, also those of endpoints that are gone. */
export async function deleteDeliveries({ db, signal }: Batches, before: Date): Promise<void> {
  let old: readonly { organizationId: string; id: string }[];
  do {
    signal?.throwIfAborted();
    old = await db
      .select({ organizationId: webhookDeliveries.organizationId, id: webhookDeliveries.id })
      .from(webhookDeliveries)
      .where(lt(webhookDeliveries.createdAt, before))
      .orderBy(asc(webhookDeliveries.createdAt))
      .limit(rowsPerPiece);
    if (old.length === 0) return;
    await db.delete(webhookDeliveries).where(
      and(
        inArray(webhookDeliveries.organizationId, [
          ...new Set(old.map(({ organizationId }) => organizationId)),
        ]),
        inArray(
          webhookDeliveries.id,
          old.map(({ id }) => id),
        ),
      ),
    );
  } while (old.length === rowsPerPiece);
}

/** Lists endpoints whose secrets another key than the current one has sealed. */
export async function sealedOtherwise(db: Database, currentKey: Buffer, page: SealedPage) {
  return db
    .select({
      organizationId: webhooks.organizationId,
      id: webhooks.id,
      secret: webhooks.secret,
      previousSecret: webhooks.previousSecret,
      previousSecretExpiresAt: webhooks.previousSecretExpiresAt,
      signingKey: webhooks.signingKey,
    })
    .from(webhooks)
    .where(
      and(
        or(
          isSealedOtherwise(webhooks.secret, currentKey),
          isSealedOtherwise(webhooks.signingKey, currentKey),
        ),
        isAfter(webhooks.id, page),
      ),
    )
    .orderBy(webhooks.id)
    .limit(page.limit);
}

/** Stores secrets under another key, unless they were replaced meanwhile. */
export async function storeResealed(
  db: Database,
  webhook: { organizationId: string; id: string; secret: Buffer },
  resealed: Pick<typeof webhooks.$inferInsert, 'secret' | 'previousSecret' | 'signingKey'>,
): Promise<void> {
  await db
    .update(webhooks)
    .set(resealed)
    .where(
      and(
        eq(webhooks.organizationId, webhook.organizationId),
        eq(webhooks.id, webhook.id),
        eq(webhooks.secret, webhook.secret),
      ),
    );
}

/** @returns null if the endpoint is gone */
export async function findHost(db: Executor, key: WebhookKey): Promise<string | null> {
  const [row] = await db.select({ url: webhooks.url }).from(webhooks).where(isWebhook(key));
  return row ? hostOf(row.url) : null;
}
