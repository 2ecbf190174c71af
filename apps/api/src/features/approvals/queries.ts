import { and, count, desc, eq, gt, isNull, ne } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { totalIn } from '../../db/count.ts';
import type { Database, Executor, Transaction } from '../../db/executor.ts';
import { apiKeys, approvals, users } from '../../db/generated/schema.ts';
import { afterPosition, orderOf } from '../../db/keyset.ts';
import type { ApprovalKey } from '../../domain/approvals/queries.ts';
import type { RowWindow } from '../../kernel/pagination.ts';
import type { CheckedCall } from './call.ts';

const deciders = alias(users, 'deciders');

const view = {
  id: approvals.id,
  organizationId: approvals.organizationId,
  status: approvals.status,
  tool: approvals.tool,
  arguments: approvals.arguments,
  records: approvals.records,
  apiKey: { id: approvals.apiKeyId, name: approvals.apiKeyName, kind: approvals.apiKeyKind },
  createdBy: approvals.createdBy,
  requestedBy: {
    id: users.id,
    email: users.email,
    firstName: users.firstName,
    lastName: users.lastName,
  },
  decidedBy: {
    id: deciders.id,
    email: deciders.email,
    firstName: deciders.firstName,
    lastName: deciders.lastName,
  },
  createdAt: approvals.createdAt,
  expiresAt: approvals.expiresAt,
  decidedAt: approvals.decidedAt,
};

function selectApprovals(db: Executor) {
  return db
    .select(view)
    .from(approvals)
    .innerJoin(users, eq(users.id, approvals.createdBy))
    .leftJoin(deciders, eq(deciders.id, approvals.decidedBy));
}

const isApproval = ({ organizationId, id }: ApprovalKey) =>
  and(eq(approvals.organizationId, organizationId), eq(approvals.id, id));

export async function findApproval(db: Executor, key: ApprovalKey) {
  const [row] = await selectApprovals(db).where(isApproval(key));
  return row ?? null;
}

export type ApprovalRow = NonNullable<Awaited<ReturnType<typeof findApproval>>>;

/** Locks an approval until the transaction ends. @returns its locked state */
export async function lockApproval(tx: Transaction, key: ApprovalKey): Promise<ApprovalRow | null> {
  await tx.select({ id: approvals.id }).from(approvals).where(isApproval(key)).for('no key update');
  return findApproval(tx, key);
}

/** @param createdBy - the account of their keys; null: those of all accounts */
export async function listApprovals(
  db: Database,
  { organizationId, createdBy }: { organizationId: string; createdBy: string | null },
  window: RowWindow,
) {
  const matching = and(
    eq(approvals.organizationId, organizationId),
    createdBy === null ? undefined : eq(approvals.createdBy, createdBy),
  );
  const keyset = {
    column: approvals.createdAt,
    id: approvals.id,
    direction: 'descending',
  } as const;
  const [rows, total] = await Promise.all([
    selectApprovals(db)
      .where(and(matching, afterPosition(keyset, window)))
      .orderBy(...orderOf(keyset))
      .limit(window.limit)
      .offset(window.offset),
    totalIn(window, async () => {
      const [counted] = await db.select({ count: count() }).from(approvals).where(matching);
      return counted?.count ?? 0;
    }),
  ]);
  return { rows, ...total };
}

interface KeyOfCall {
  readonly organizationId: string;
  readonly apiKeyId: string;
  readonly now: Date;
}

const isOfKey = ({ organizationId, apiKeyId, now }: KeyOfCall) =>
  and(
    eq(approvals.organizationId, organizationId),
    eq(approvals.apiKeyId, apiKeyId),
    gt(approvals.expiresAt, now),
  );

/**
 * Finds the newest approval of a call that is not over yet. One that was used is, unless a repetition of the call gets the first
 * response again.
 */
export async function findOfCall(
  tx: Transaction,
  { call, ...key }: KeyOfCall & { readonly call: Pick<CheckedCall, 'hash' | 'isRepeatable'> },
): Promise<ApprovalRow | null> {
  const isUsable = call.isRepeatable ? undefined : ne(approvals.status, 'USED');
  const [row] = await selectApprovals(tx)
    .where(and(isOfKey(key), eq(approvals.callHash, call.hash), isUsable))
    .orderBy(desc(approvals.createdAt), desc(approvals.id))
    .limit(1);
  return row ?? null;
}

export async function countWaiting(tx: Transaction, key: KeyOfCall): Promise<number> {
  return tx.$count(approvals, and(isOfKey(key), eq(approvals.status, 'WAITING')));
}

export async function findKeyOfCall(tx: Transaction, apiKeyId: string) {
  const [row] = await tx
    .select({ apiKeyName: apiKeys.name, apiKeyKind: apiKeys.kind })
    .from(apiKeys)
    .where(and(eq(apiKeys.id, apiKeyId), isNull(apiKeys.revokedAt)));
  return row ?? null;
}

export async function insertApproval(
  tx: Transaction,
  row: typeof approvals.$inferInsert,
): Promise<void> {
  await tx.insert(approvals).values(row);
}

export async function decideApproval(
  tx: Transaction,
  key: ApprovalKey,
  decision: {
    status: 'APPROVED' | 'REFUSED';
    expiresAt: Date;
    decidedBy: string;
    decidedAt: Date;
  },
): Promise<void> {
  await tx.update(approvals).set(decision).where(isApproval(key));
}
