import { and, eq, gt, isNull, sql } from 'drizzle-orm';
import type { Database, Executor } from '../../db/executor.ts';
import { committedResponses, idempotencyKeys } from '../../db/generated/schema.ts';
import { placeholdersOf, statement } from '../../db/session/statement.ts';
import { hasSqlState } from '../../db/sql-state.ts';

/** A key, as one caller used it for one operation. */
export interface KeyName {
  readonly scope: string;
  readonly operation: string;
  readonly key: string;
}

export interface HeldKey extends KeyName {
  /** The attempt that holds the key. */
  readonly holder: string;
}

/** What a key is claimed with. */
export interface ClaimTerms {
  /** What the request is about; null if only its handler knows, or there is none. */
  readonly organizationId: string | null;
  readonly payloadHash: Buffer;
  readonly now: Date;
  readonly leasedUntil: Date;
  readonly expiresAt: Date;
}

const isNamed = and(
  eq(idempotencyKeys.scope, sql.placeholder('scope')),
  eq(idempotencyKeys.operation, sql.placeholder('operation')),
  eq(idempotencyKeys.key, sql.placeholder('key')),
);

const isPendingAndHeld = and(
  isNamed,
  eq(idempotencyKeys.holder, sql.placeholder('holder')),
  isNull(idempotencyKeys.status),
);

const organizationId = sql`${sql.placeholder('organizationId')}::uuid`;
const now = sql.param(sql.placeholder('now'), idempotencyKeys.expiresAt);

const name = placeholdersOf(idempotencyKeys, ['scope', 'operation', 'key']);

/** Sets columns of a stored key if it has expired, or has no response and no attempt that works under it. */
function ifFree<Columns>(columns: Columns) {
  return {
    target: [idempotencyKeys.scope, idempotencyKeys.operation, idempotencyKeys.key],
    set: columns,
    setWhere: sql`${idempotencyKeys.expiresAt} <= ${now}
      or (${isNull(idempotencyKeys.status)} and ${idempotencyKeys.leasedUntil} <= ${now})`,
  };
}

const claimed = statement((executor) => {
  const lease = placeholdersOf(idempotencyKeys, [
    'holder',
    'payloadHash',
    'leasedUntil',
    'expiresAt',
  ]);
  const fresh = { ...lease, status: null, headers: null, body: null };
  return executor
    .insert(idempotencyKeys)
    .values({ ...name, ...fresh })
    .onConflictDoUpdate(ifFree(fresh))
    .returning({
      isCommitted: sql<boolean>`is_committed(${organizationId}, ${idempotencyKeys}, ${now})`,
    });
});

/**
 * Acquires a key that is new, expired, or past its lease without a response.
 *
 * Uses its own statement, so that others see it before the work begins. It waits for a transaction that
 * is about to store a response, and then leaves the key alone.
 *
 * @returns whether this attempt now holds the key; `committed`: it does, and the server of the organization has the
 *   response of an attempt whose commit wasn't noted here
 */
export async function claimKey(
  db: Executor,
  held: HeldKey,
  terms: ClaimTerms,
): Promise<'held' | 'committed' | 'taken'> {
  const [row] = await claimed(db, { ...held, ...terms });
  if (!row) return 'taken';
  return row.isCommitted ? 'committed' : 'held';
}

const committed = statement((executor) =>
  executor
    .select({
      payloadHash: committedResponses.payloadHash,
      status: committedResponses.status,
      headers: committedResponses.headers,
      body: committedResponses.body,
      expiresAt: committedResponses.expiresAt,
    })
    .from(committedResponses)
    .where(
      and(
        eq(committedResponses.organizationId, sql.placeholder('organizationId')),
        eq(committedResponses.scope, sql.placeholder('scope')),
        eq(committedResponses.operation, sql.placeholder('operation')),
        eq(committedResponses.key, sql.placeholder('key')),
      ),
    ),
);

const adopted = statement((executor) =>
  executor
    .update(idempotencyKeys)
    .set(placeholdersOf(idempotencyKeys, ['payloadHash', 'status', 'headers', 'body', 'expiresAt']))
    .where(isPendingAndHeld),
);

/** Copies the response that the server of the organization has to a key that this attempt holds. */
export async function adoptResponse(
  db: Executor,
  held: HeldKey,
  inOrganization: string | null,
): Promise<void> {
  const [response] = await committed(db, { ...held, organizationId: inOrganization });
  if (response) await adopted(db, { ...held, ...response });
}

const found = statement((executor) =>
  executor
    .select({
      holder: idempotencyKeys.holder,
      payloadHash: idempotencyKeys.payloadHash,
      status: idempotencyKeys.status,
      headers: idempotencyKeys.headers,
      body: idempotencyKeys.body,
    })
    .from(idempotencyKeys)
    .where(and(isNamed, gt(idempotencyKeys.expiresAt, now))),
);

/** @returns null for a key that is free, or that only an attempt has whose transaction is under way */
export async function findKey(db: Executor, key: KeyName & { readonly now: Date }) {
  const [row] = await found(db, { ...key });
  return row ?? null;
}

const claimedWithin = statement((executor) =>
  executor.select({ isClaimed: sql<boolean>`claimed` }).from(
    sql`claim_idempotency_key(${sql.placeholder('scope')}::text, ${sql.placeholder('operation')}::text,
        ${sql.placeholder('key')}::text, ${now}::timestamptz) as claimed`,
  ),
);

/**
 * Claims a key for a transaction: until it ends, no other attempt has the key. If one has it, or has responded, the
 * transaction is over: statements that were sent behind this one do nothing.
 *
 * @returns whether this attempt has the key
 */
export async function claimWithin(
  tx: Executor,
  key: KeyName & { readonly now: Date },
): Promise<boolean> {
  try {
    await claimedWithin(tx, { ...key });
    return true;
  } catch (error) {
    // Unique violation.
    if (hasSqlState(error, '23505')) return false;
    throw error;
  }
}

const recorded = statement((executor) => {
  const responded = placeholdersOf(idempotencyKeys, [
    'holder',
    'payloadHash',
    'leasedUntil',
    'expiresAt',
    'status',
    'headers',
    'body',
  ]);
  return executor
    .insert(idempotencyKeys)
    .values({ ...name, ...responded })
    .onConflictDoUpdate(ifFree(responded))
    .returning({ holder: idempotencyKeys.holder });
});

/**
 * Stores a key with its response at once.
 *
 * @returns false if another attempt has the key, or has responded
 */
export async function recordResponse(
  db: Executor,
  held: HeldKey,
  response: StoredResponse & { readonly payloadHash: Buffer },
): Promise<boolean> {
  const rows = await recorded(db, { ...held, ...response, leasedUntil: response.now });
  return rows.length > 0;
}

const responded = statement((executor) =>
  executor
    .update(idempotencyKeys)
    .set(placeholdersOf(idempotencyKeys, ['status', 'headers', 'body', 'expiresAt']))
    .where(isPendingAndHeld)
    .returning({
      isFirst: sql<boolean>`commit_response(${organizationId}, ${idempotencyKeys}, ${now})`,
    }),
);

/** What is stored of a response. */
interface StoredResponse {
  readonly now: Date;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  readonly expiresAt: Date;
}

/**
 * @param response - `organizationId`: whose change is in the same transaction; null if there is none
 * @returns false if this attempt no longer holds the key, or another one has committed
 */
export async function storeResponse(
  tx: Executor,
  held: HeldKey,
  response: StoredResponse & { readonly organizationId: string | null },
): Promise<boolean> {
  const [row] = await responded(tx, { ...held, ...response });
  return row?.isFirst ?? false;
}

/**
 * Renews leases without a response, but none whose row another transaction has locked: the attempt's own one is about to
 * store the response, and until it ends, others wait for it.
 */
export async function renewLeases(
  db: Database,
  held: readonly HeldKey[],
  leasedUntil: Date,
): Promise<void> {
  await db.execute(sql`
    with pending as (
      select scope, operation, key from ${idempotencyKeys}
      join ${recordsOf(held)} using (scope, operation, key, holder)
      where status is null
      for update of ${idempotencyKeys} skip locked
    )
    update ${idempotencyKeys}
    set leased_until = ${sql.param(leasedUntil, idempotencyKeys.leasedUntil)}
    from pending
    where ${idempotencyKeys.scope} = pending.scope and ${idempotencyKeys.operation} = pending.operation
      and ${idempotencyKeys.key} = pending.key`);
}

const released = statement((executor) => executor.delete(idempotencyKeys).where(isPendingAndHeld));

/** Makes held keys a relation `given`. */
function recordsOf(held: readonly HeldKey[]) {
  return sql`jsonb_to_recordset(${JSON.stringify(held)}::text::jsonb)
    as given(scope text, operation text, key text, holder uuid)`;
}

/** Releases a key without a response, so that the next attempt may begin at once. */
export async function releaseKey(db: Executor, held: HeldKey): Promise<void> {
  await released(db, { ...held });
}

/**
 * Releases keys like {@link releaseKey}, but none that another transaction has locked: the attempt's own one may still be
 * about to commit.
 *
 * @returns the holders that surely hold no key any more: released ones, and those whose key has a response or another
 *   holder. A claim that isn't committed yet can't be seen.
 */
export async function releaseKeys(db: Database, held: readonly HeldKey[]): Promise<string[]> {
  const done = await db.execute<{ holder: string }>(sql`
    with given as (
      select * from ${recordsOf(held)}
    ), free as (
      select scope, operation, key from ${idempotencyKeys}
      join given using (scope, operation, key, holder)
      where status is null
      for update of ${idempotencyKeys} skip locked
    ), released as (
      delete from ${idempotencyKeys} using free
      where ${idempotencyKeys.scope} = free.scope and ${idempotencyKeys.operation} = free.operation
        and ${idempotencyKeys.key} = free.key
      returning holder
    )
    select holder from released
    union all
    select given.holder from given
    join ${idempotencyKeys} using (scope, operation, key)
    where ${idempotencyKeys.holder} <> given.holder or status is not null`);
  return done.map(({ holder }) => holder);
}
