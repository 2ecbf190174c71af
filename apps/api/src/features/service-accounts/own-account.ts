import type { ServiceAccount } from '@atelier/contract';
import type { Executor, Transaction } from '../../db/executor.ts';
import { lockAccount } from '../../domain/account-sessions/queries.ts';
import { aboutResource } from '../../domain/activity.ts';
import { displayNameOf } from '../../domain/person-view/present-user.ts';
import type { MemberContext } from '../../kernel/context.ts';
import { Failure } from '../../kernel/errors.ts';
import { findServiceAccount, type AccountRow } from './queries.ts';

export const aboutAccount = aboutResource(
  'service_account',
  ({ name }: { readonly name: string }) => name,
);

/** @throws Failure `not_found` (404) for anything but a service account of the organization */
export async function findOwnAccount(
  db: Executor,
  id: string,
  { ctx, now }: { ctx: MemberContext; now: Date },
): Promise<AccountRow> {
  const row = await findServiceAccount(db, { organizationId: ctx.organization.id, id }, now);
  if (!row) throw new Failure('not_found');
  return row;
}

/**
 * Returns the lock that precedes those of the caller: it waits for everything that is under way with a key of the
 * account. Nothing is locked for another account.
 */
export function accountLock(
  id: string,
  { ctx, now }: { ctx: MemberContext; now: Date },
): (tx: Transaction) => Promise<void> {
  return async (tx) => {
    const key = { organizationId: ctx.organization.id, id };
    if (await findServiceAccount(tx, key, now)) await lockAccount(tx, id);
  };
}

/** Presents a service account as in the contract. */
export function presentAccount({ maker, name, ...row }: AccountRow): ServiceAccount {
  return {
    ...row,
    // Its name stands in the column of first names.
    name: name ?? '',
    createdBy: maker && { id: maker.id, displayName: displayNameOf(maker) },
    lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}
