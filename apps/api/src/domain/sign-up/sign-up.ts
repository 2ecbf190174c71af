import { deletedAddressSuffix } from '@atelier/contract';
import type { Transaction } from '../../db/executor.ts';
import type { Deps } from '../../deps.ts';
import { enqueueJob } from '../job-queue.ts';
import { aboutUser, recordAccountActivity } from '../activity.ts';
import { invalidField } from '../../kernel/errors.ts';
import { newId } from '../../kernel/ids.ts';
import { isKeptForAnother } from '../email-changes/queries.ts';
import { voidMailedTokensOfPending } from '../mailed-tokens/queries.ts';
import { insertOrganization } from '../new-organization/queries.ts';
import { insertOrReplacePendingUser, insertVerifiedUser, removeUser } from './queries.ts';

export interface NewAccount {
  readonly email: string;
  /** The same for the same address and password. */
  readonly passwordHash: string;
  readonly firstName: string | null;
  readonly lastName: string | null;
  readonly requestId: string;
}

/** @throws Failure `validation_failed` (400) for an address that only deleted accounts have */
function assertDeliverable(email: string): void {
  if (!email.endsWith(deletedAddressSuffix)) return;
  throw invalidField(['email'], 'undeliverable', 'Invalid email: nothing can be mailed to it');
}

/**
 * Creates a pending account with its personal organization and mails a link to verify its address.
 *
 * Registering a pending address again replaces its password; if the two differ, neither is valid. A
 * verified or suspended account stays unchanged, and so does an address that an account may take back.
 * The caller can't distinguish these cases, and every case commits a job, so that timing reveals nothing.
 */
export async function signUp(
  tx: Transaction,
  { clock }: Pick<Deps, 'clock'>,
  account: NewAccount,
): Promise<void> {
  assertDeliverable(account.email);
  const now = clock.now();
  // Immediately, not when the next mail is sent: an earlier link must not prove this password.
  await voidMailedTokensOfPending(tx, account.email);
  const outcome = await newOrPending(tx, {
    id: newId(),
    email: account.email,
    passwordHash: account.passwordHash,
    firstName: account.firstName,
    lastName: account.lastName,
    now,
  });
  if (outcome?.isNew) {
    await insertPersonalOrganization(tx, { ownerId: outcome.userId, now });
  }
  if (outcome) {
    await recordAccountActivity(tx, {
      ...aboutUser({ id: outcome.userId, email: account.email }, account, now),
      action: 'user.register',
    });
  }
  await enqueueJob(tx, 'send_verification', { email: account.email });
}

/** @returns null when the address is taken, or kept for the account that had it until lately */
async function newOrPending(
  tx: Transaction,
  user: Parameters<typeof insertOrReplacePendingUser>[1],
) {
  const outcome = await insertOrReplacePendingUser(tx, user);
  if (!outcome?.isNew) return outcome;
  const { userId } = outcome;
  if (!(await isKeptForAnother(tx, { email: user.email, userId, now: user.now }))) return outcome;
  await removeUser(tx, userId);
  return null;
}

/** An account whose address a sign-in provider has verified. */
export interface VouchedAccount {
  readonly email: string;
  readonly firstName: string | null;
  readonly lastName: string | null;
  readonly provider: string;
  readonly requestId: string;
}

/**
 * Creates a verified account without a password, with its personal organization, in the caller's
 * transaction: both commit together.
 *
 * @returns its id; null when the address is taken
 */
export async function signUpVerified(
  tx: Transaction,
  account: VouchedAccount,
  { clock }: Pick<Deps, 'clock'>,
): Promise<string | null> {
  assertDeliverable(account.email);
  const now = clock.now();
  const userId = await insertVerifiedUser(tx, {
    id: newId(),
    email: account.email,
    firstName: account.firstName,
    lastName: account.lastName,
    now,
  });
  if (userId === null) return null;
  await insertPersonalOrganization(tx, { ownerId: userId, now });
  await recordAccountActivity(tx, {
    ...aboutUser({ id: userId, email: account.email }, account, now),
    action: 'user.register',
    metadata: { provider: account.provider },
  });
  return userId;
}

/** The organization that every account starts with. */
async function insertPersonalOrganization(
  tx: Transaction,
  owner: { ownerId: string; now: Date },
): Promise<void> {
  const id = newId();
  const created = await insertOrganization(tx, {
    id,
    name: 'Personal',
    slug: `personal-${id}`,
    type: 'PERSONAL',
    ...owner,
  });
  if (!created) throw new Error('the slug of a personal organization is taken');
}
