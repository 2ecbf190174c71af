import type { Deps } from '../../deps.ts';
import { enqueueJob } from '../../jobs/queue.ts';
import { recordActivity } from '../../kernel/activity.ts';
import { newId } from '../../kernel/ids.ts';
import { insertPersonalOrganization, insertOrReplacePendingUser } from './queries.ts';

export interface NewAccount {
  readonly email: string;
  readonly passwordHash: string;
  readonly firstName: string | null;
  readonly lastName: string | null;
  readonly requestId: string;
}

/**
 * Creates a pending account with its personal organization and has its address verified by mail.
 *
 * Registering a pending address again replaces its password; a verified or suspended one is left alone.
 * The caller can't tell which it was, and every case commits a job, so that neither can its clock.
 */
export async function signUp(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  account: NewAccount,
): Promise<void> {
  const now = clock.now();
  await db.transaction(async (tx) => {
    const outcome = await insertOrReplacePendingUser(tx, {
      id: newId(),
      email: account.email,
      passwordHash: account.passwordHash,
      firstName: account.firstName,
      lastName: account.lastName,
      now,
    });
    if (outcome?.isNew) {
      await insertPersonalOrganization(tx, { id: newId(), ownerId: outcome.userId, now });
    }
    if (outcome) {
      await recordActivity(tx, {
        action: 'user.register',
        actorId: outcome.userId,
        organizationId: null,
        resourceType: 'user',
        resourceId: outcome.userId,
        resourceName: account.email,
        requestId: account.requestId,
        at: now,
      });
    }
    await enqueueJob(tx, 'send_verification', { email: account.email });
  });
}
