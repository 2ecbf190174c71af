import type { Database, Transaction } from '../../db/executor.ts';
import { inBatches, type Batches } from '../batches/queries.ts';
import { emailsOf, findEmailChangesBefore } from '../email-changes/queries.ts';
import { lockOrganization } from '../plan-limits/queries.ts';
import {
  activityBatchRows,
  activitySubjects,
  assignInvitations,
  deleteDeliveriesOf,
  deleteJobsOf,
  deleteOriginsOf,
  deleteStoredResponsesOf,
  eraseActivities,
  eraseInvitations,
  insertSubjects,
  organizationsThatInvited,
  type ErasedAccount,
} from './queries.ts';

interface Account {
  readonly id: string;
  readonly email: string;
}

/** Records what the history of an account is about, before the rows that tell it are gone. Repeatable. */
export async function recordSubjects(db: Database, account: Account, now: Date): Promise<void> {
  const erased = await withFormerEmails(db, account);
  await db.transaction(async (tx) => {
    await insertSubjects(tx, await activitySubjects(tx, erased), { userId: account.id, now });
  });
}

/**
 * Removes the addresses and the names of an account, and where its requests came from, from everything that keeps them
 * as text: messages of webhooks, invitations, waiting jobs, stored responses, and the history. Repeatable; no row is
 * locked for long.
 */
export async function eraseText(batches: Batches, account: Account): Promise<void> {
  const { db, signal } = batches;
  const erased = await withFormerEmails(db, account);
  await deleteDeliveriesOf(db, erased);
  for (const organizationId of await organizationsThatInvited(db, erased)) {
    await changeInvitations(batches, organizationId, (tx) =>
      eraseInvitations(tx, { organizationId, account: erased }),
    );
  }
  for (const email of erased.emails) await deleteJobsOf(db, email);
  await deleteOriginsOf(db, erased);
  await deleteStoredResponsesOf(batches, erased);
  // Last: it tells the former addresses.
  for (const subject of await activitySubjects(db, erased)) {
    do signal?.throwIfAborted();
    while ((await eraseActivities(db, subject, activityBatchRows)) === activityBatchRows);
  }
}

/**
 * Records which invitations were to a former email of an account, as long as activities of a month tell the email that are
 * about to be dropped. Repeatable.
 *
 * @param before - the latest end of a dropped month, or a timestamp in the month that begins with it
 */
export async function recordFormerAddressees(batches: Batches, before: Date): Promise<void> {
  const { db, signal } = batches;
  for (const account of await findEmailChangesBefore(db, before)) {
    signal?.throwIfAborted();
    const erased = await withFormerEmails(db, account);
    const emails = erased.emails.filter((email) => email !== account.email);
    const former = { id: account.id, emails };
    for (const organizationId of await organizationsThatInvited(db, former)) {
      await changeInvitations(batches, organizationId, (tx) =>
        assignInvitations(tx, { organizationId, account: former }),
      );
    }
  }
}

/** Changes invitations of an organization in batches, each under its lock, like every change of invitations. */
async function changeInvitations(
  batches: Batches,
  organizationId: string,
  change: (tx: Transaction) => Promise<readonly unknown[]>,
): Promise<void> {
  await inBatches(batches, () =>
    batches.db.transaction(async (tx) => {
      await lockOrganization(tx, organizationId);
      return change(tx);
    }),
  );
}

async function withFormerEmails(db: Database, account: Account): Promise<ErasedAccount> {
  return { id: account.id, emails: await emailsOf(db, account) };
}
