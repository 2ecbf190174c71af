import type { Transaction } from '../../db/executor.ts';
import { eraseReferences } from '../../domain/account-erasure/queries.ts';
import { eraseText, recordSubjects } from '../../domain/erased-text/erase.ts';
import { deleteDeliveriesOf } from '../../domain/erased-text/queries.ts';
import { removeExportsOf } from '../../domain/account-exports/queries.ts';
import { lockAccount } from '../../domain/account-sessions/queries.ts';
import { recordAccountActivity } from '../../domain/activity.ts';
import { enqueueJob, enqueueJobInPlace, enqueueJobs } from '../../domain/job-queue.ts';
import { voidMailedTokens } from '../../domain/mailed-tokens/queries.ts';
import { newId } from '../../kernel/ids.ts';
import {
  deletePersonalOrganization,
  leaveTeams,
  purgePersonalOrganization,
} from './organizations.ts';
import type { DeletionDeps, Leaving } from './leaving.ts';
import {
  beginDeletion,
  findDue,
  findLeaving,
  jobKeyOf,
  takePictures,
  writeTombstone,
} from './queries.ts';

type Step = (deps: DeletionDeps, leaving: Leaving) => Promise<void>;

/** What a deletion does, in this order. Each may be repeated, and resumed after a part of it. */
const steps: readonly Step[] = [
  leaveTeams,
  deletePersonalOrganization,
  purgePersonalOrganization,
  removePictures,
  removeExports,
  erase,
  bury,
];

/** Enqueues the deletion of each account whose time has come, and of those whose deletion was interrupted. */
export async function enqueueDueDeletions({ db, clock }: DeletionDeps): Promise<void> {
  for (const userId of await findDue(db, clock.now())) {
    const job = { name: 'delete_account', payload: { userId } } as const;
    await enqueueJobInPlace(db, jobKeyOf(userId), job);
  }
}

/**
 * Deletes an account whose time has come, or goes on with a deletion that was interrupted. No-op for any other.
 *
 * @see docs/decisions/0073-leaving.md
 */
export async function deleteAccount(deps: DeletionDeps, userId: string): Promise<void> {
  const { db, clock } = deps;
  const isBegun = await db.transaction(async (tx) => {
    await voidMailedTokensIfDue(tx, { userId, now: clock.now() });
    await lockAccount(tx, userId);
    return beginDeletion(tx, userId, clock.now());
  });
  if (!isBegun) return;
  const leaving = { userId, requestId: `deletion-${newId()}` };
  for (const step of steps) {
    deps.signal?.throwIfAborted();
    await step(deps, leaving);
  }
}

/** The link that keeps the account ends with its wait. Before the account is locked, like every change of tokens. */
async function voidMailedTokensIfDue(
  tx: Transaction,
  { userId, now }: { userId: string; now: Date },
): Promise<void> {
  const leaving = await findLeaving(tx, userId);
  if (leaving && leaving.deletesAt <= now) await voidMailedTokens(tx, userId);
}

/** Removes the picture, and every upload of one. */
async function removePictures({ db, clock }: DeletionDeps, { userId }: Leaving): Promise<void> {
  await db.transaction(async (tx) => {
    const keys = await takePictures(tx, userId, clock.now());
    await enqueueJobs(
      tx,
      'delete_object',
      keys.map((key) => ({ key })),
    );
  });
}

/** Removes the exports, finished or not. */
async function removeExports({ db }: DeletionDeps, { userId }: Leaving): Promise<void> {
  await db.transaction((tx) => removeExportsOf(tx, userId));
}

async function erase({ db, clock, signal }: DeletionDeps, { userId }: Leaving): Promise<void> {
  const leaving = await findLeaving(db, userId);
  if (!leaving) return;
  await recordSubjects(db, leaving, clock.now());
  await eraseText({ db, signal }, leaving);
}

/** Last, so that an interrupted deletion is found by its status. From then on the address is free. */
async function bury({ db, clock }: DeletionDeps, leaving: Leaving): Promise<void> {
  const { userId, requestId } = leaving;
  await db.transaction(async (tx) => {
    await voidMailedTokens(tx, userId);
    const account = await lockAccount(tx, userId);
    if (account?.accountStatus !== 'DELETING') return;
    const now = clock.now();
    await enqueueJob(tx, 'send_deleted_notice', { email: account.email });
    await eraseReferences(tx, userId);
    await writeTombstone(tx, userId, now);
    // Those that were written since, with the name.
    await deleteDeliveriesOf(tx, { id: userId });
    await recordAccountActivity(tx, {
      action: 'user.delete',
      actorId: userId,
      resourceType: 'user',
      resourceId: userId,
      resourceName: '',
      apiKeyId: null,
      requestId,
      at: now,
    });
  });
}
