import { and, eq, gt, inArray, isNotNull, isNull, lte, sql } from 'drizzle-orm';
import type { Database, Transaction } from '../../../db/executor.ts';
import {
  exchangeCodes,
  identities,
  mailedTokens,
  returnedSignInStates,
  users,
} from '../../../db/generated/schema.ts';
import { lockAccountRow } from '../../../domain/authority/queries.ts';
import { voidMailedTokens } from '../../../domain/mailed-tokens/queries.ts';
import type { IdentityKey } from '../../../domain/sign-in-methods/queries.ts';

/** Maximum number of expired rows that one call removes. */
const tidiedAtOnce = 100;

/** Consumes a state. @returns false when it was used before */
export async function useUpState(
  db: Database,
  { stateHash, expiresAt, now }: { stateHash: Buffer; expiresAt: Date; now: Date },
): Promise<boolean> {
  const expired = db
    .select({ stateHash: returnedSignInStates.stateHash })
    .from(returnedSignInStates)
    .where(lte(returnedSignInStates.expiresAt, now))
    .limit(tidiedAtOnce)
    .for('update', { skipLocked: true });
  await db.delete(returnedSignInStates).where(inArray(returnedSignInStates.stateHash, expired));
  const rows = await db
    .insert(returnedSignInStates)
    .values({ stateHash, expiresAt })
    .onConflictDoNothing()
    .returning({ expiresAt: returnedSignInStates.expiresAt });
  return rows.length === 1;
}

export async function findAccountByIdentity(tx: Transaction, { provider, subject }: IdentityKey) {
  const [row] = await tx
    .select({ id: users.id, accountStatus: users.accountStatus })
    .from(identities)
    .innerJoin(users, eq(users.id, identities.userId))
    .where(and(eq(identities.provider, provider), eq(identities.subject, subject)));
  return row ?? null;
}

/** @returns id and email; null if the account is gone */
export async function findAccount(db: Database, userId: string) {
  const [row] = await db
    .select({ id: users.id, email: users.email })
    .from(users)
    .where(eq(users.id, userId));
  return row ?? null;
}

export async function insertIdentity(
  tx: Transaction,
  identity: IdentityKey & { userId: string; now: Date },
): Promise<void> {
  const { now, ...row } = identity;
  await tx.insert(identities).values({ ...row, createdAt: now });
}

/** Locks an account and its mailed tokens: tokens first, like every consumer of a token. */
export async function lockAccountByEmail(tx: Transaction, email: string) {
  await tx
    .select({ purpose: mailedTokens.purpose })
    .from(mailedTokens)
    .innerJoin(users, eq(users.id, mailedTokens.userId))
    .where(eq(users.email, email))
    .orderBy(mailedTokens.purpose)
    .for('update', { of: mailedTokens });
  const isThatPerson = and(eq(users.email, email), eq(users.kind, 'PERSON'));
  const [found] = await tx.select({ id: users.id }).from(users).where(isThatPerson);
  if (!found) return null;
  await lockAccountRow(tx, found.id);
  // The address may be another's by now.
  const [row] = await tx
    .select({
      id: users.id,
      accountStatus: users.accountStatus,
      emailChangedAt: users.emailChangedAt,
    })
    .from(users)
    .where(and(eq(users.id, found.id), isThatPerson));
  return row ?? null;
}

/** Verifies a pending account and voids the password and mails of its registration. */
export async function takeOverPendingAccount(
  tx: Transaction,
  { userId, now }: { userId: string; now: Date },
): Promise<void> {
  await tx
    .update(users)
    .set({
      accountStatus: 'VERIFIED',
      passwordHash: null,
      passwordOrigin: 'REGISTERED',
      updatedAt: now,
    })
    .where(and(eq(users.id, userId), eq(users.accountStatus, 'PENDING')));
  await voidMailedTokens(tx, userId);
}

/** Stores a code, and removes expired ones. */
export async function insertExchangeCode(
  tx: Transaction,
  { now, ...code }: typeof exchangeCodes.$inferInsert & { now: Date },
): Promise<void> {
  const expired = tx
    .select({ codeHash: exchangeCodes.codeHash })
    .from(exchangeCodes)
    .where(lte(exchangeCodes.expiresAt, now))
    .limit(tidiedAtOnce)
    .for('update', { skipLocked: true });
  await tx.delete(exchangeCodes).where(inArray(exchangeCodes.codeHash, expired));
  await tx.insert(exchangeCodes).values(code);
}

/** A code as a client presents it. */
export interface PresentedCode {
  readonly codeHash: Buffer;
  /** Null matches only a code without a challenge. */
  readonly challenge: Buffer | null;
  readonly now: Date;
}

/**
 * Consumes a code in one statement. It compares digests of secrets, so that timing reveals nothing about them.
 *
 * @returns its account; null when it is not valid, has another challenge, or waits for a second factor
 */
export async function consumeExchangeCode(
  tx: Transaction,
  presented: PresentedCode,
): Promise<string | null> {
  const [row] = await tx
    .delete(exchangeCodes)
    .where(and(isPresented(presented), isNull(exchangeCodes.triesLeft)))
    .returning({ userId: exchangeCodes.userId });
  return row?.userId ?? null;
}

/** @returns the account of a code that waits for a second factor; null for any other */
export async function findWaitingCode(
  tx: Transaction,
  presented: PresentedCode,
): Promise<string | null> {
  const [row] = await tx
    .select({ userId: exchangeCodes.userId })
    .from(exchangeCodes)
    .where(and(isPresented(presented), gt(exchangeCodes.triesLeft, 0)));
  return row?.userId ?? null;
}

/** Takes one of the tries of a code that waits for a second factor. @returns as {@link findWaitingCode} */
export async function takeTry(db: Database, presented: PresentedCode): Promise<string | null> {
  const [row] = await db
    .update(exchangeCodes)
    .set({ triesLeft: sql`${exchangeCodes.triesLeft} - 1` })
    .where(and(isPresented(presented), gt(exchangeCodes.triesLeft, 0)))
    .returning({ userId: exchangeCodes.userId });
  return row?.userId ?? null;
}

/** Consumes a code that waits for a second factor. @returns false when another request did */
export async function consumeWaitingCode(
  tx: Transaction,
  presented: PresentedCode,
): Promise<boolean> {
  const rows = await tx
    .delete(exchangeCodes)
    .where(and(isPresented(presented), isNotNull(exchangeCodes.triesLeft)))
    .returning({ userId: exchangeCodes.userId });
  return rows.length === 1;
}

function isPresented({ codeHash, challenge, now }: PresentedCode) {
  return and(
    eq(exchangeCodes.codeHash, codeHash),
    challenge === null ? isNull(exchangeCodes.challenge) : eq(exchangeCodes.challenge, challenge),
    gt(exchangeCodes.expiresAt, now),
  );
}
