import { and, eq, isNull, lte, sql } from 'drizzle-orm';
import type { Executor } from '../../db/client.ts';
import { idempotencyKeys } from '../../db/schema/index.ts';

/** A key, as one caller used it for one operation. */
export interface KeyName {
  readonly scope: string;
  readonly operation: string;
  readonly key: string;
}

export interface HeldKey extends KeyName {
  /** The attempt that holds it. */
  readonly holder: string;
}

function named({ scope, operation, key }: KeyName) {
  return and(
    eq(idempotencyKeys.scope, scope),
    eq(idempotencyKeys.operation, operation),
    eq(idempotencyKeys.key, key),
  );
}

function unansweredAndHeld(held: HeldKey) {
  return and(named(held), eq(idempotencyKeys.holder, held.holder), isNull(idempotencyKeys.status));
}

/**
 * Takes a key that is new, expired, or unanswered past its lease.
 *
 * A statement of its own, so that others see it before the work begins. It waits for a transaction that
 * is about to store an answer, and then leaves the key alone.
 *
 * @returns whether the key is held now
 */
export async function claimKey(
  db: Executor,
  held: HeldKey,
  terms: { payloadHash: Buffer; now: Date; leasedUntil: Date; expiresAt: Date },
): Promise<boolean> {
  const { now, ...lease } = terms;
  const fresh = { ...lease, holder: held.holder, status: null, headers: null, body: null };
  const rows = await db
    .insert(idempotencyKeys)
    .values({ ...held, ...fresh })
    .onConflictDoUpdate({
      target: [idempotencyKeys.scope, idempotencyKeys.operation, idempotencyKeys.key],
      set: fresh,
      setWhere: sql`${lte(idempotencyKeys.expiresAt, now)} or (${isNull(idempotencyKeys.status)} and ${lte(idempotencyKeys.leasedUntil, now)})`,
    })
    .returning({ holder: idempotencyKeys.holder });
  return rows.length === 1;
}

export async function findKey(db: Executor, key: KeyName) {
  const [row] = await db
    .select({
      payloadHash: idempotencyKeys.payloadHash,
      status: idempotencyKeys.status,
      headers: idempotencyKeys.headers,
      body: idempotencyKeys.body,
    })
    .from(idempotencyKeys)
    .where(named(key));
  return row ?? null;
}

/** @returns false when the key is not held any more */
export async function storeAnswer(
  tx: Executor,
  held: HeldKey,
  answer: { status: number; headers: Readonly<Record<string, string>>; body: Buffer },
): Promise<boolean> {
  const rows = await tx
    .update(idempotencyKeys)
    .set({ ...answer, headers: { ...answer.headers } })
    .where(unansweredAndHeld(held))
    .returning({ holder: idempotencyKeys.holder });
  return rows.length === 1;
}

/** Gives a key back that has no answer, so that the next attempt may begin at once. */
export async function releaseKey(db: Executor, held: HeldKey): Promise<void> {
  await db.delete(idempotencyKeys).where(unansweredAndHeld(held));
}
