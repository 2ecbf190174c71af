import type { SignInMethod } from '@atelier/contract';
import type { Transaction } from '../../db/executor.ts';
import type { Deps } from '../../deps.ts';
import { removeUnreadyExports } from '../account-exports/queries.ts';
import {
  dismissAllSessions,
  endAllSessions,
  listOpenSessions,
  lockAccount,
} from '../account-sessions/queries.ts';
import { recordAccountActivity, type AccountActivityEntry } from '../activity.ts';
import { newId } from '../../kernel/ids.ts';
import { lockOrganizationsInvitedTo, revokeOpenInvitations } from '../open-invitations/queries.ts';
import { removeSecondFactors } from '../second-factor/queries.ts';
import { enqueueSecurityNotice } from '../security-notices.ts';
import { OperatorError } from '../operator-error.ts';
import {
  demote,
  findUserId,
  forgetUnprovenPassword,
  promoteVerified,
  setAccountStatus,
} from './queries.ts';

type LockedAccount = NonNullable<Awaited<ReturnType<typeof lockAccount>>> & {
  readonly id: string;
};

/** Maximum number of listed sessions. */
const maxListedSessions = 1_000;

/**
 * Runs the operator's commands on accounts. Every change locks the account as a sign-in does, and
 * resolves with a sentence that describes the state, even when unchanged.
 *
 * All reject with an OperatorError for an unknown email, or a status that does not allow the change.
 */
export function accountOperations({ db, clock }: Pick<Deps, 'db' | 'clock'>) {
  return {
    grantAdmin: (email: string) =>
      change(email, async (tx, account) => {
        if (account.platformRole === 'ADMIN')
          return `${account.email} is already an administrator.`;
        if (account.accountStatus !== 'VERIFIED')
          throw new OperatorError(cannotBecomeAdmin(account));
        await promote(tx, account, { now: clock.now(), requestId: operatorRequestId() });
        return `${account.email} is an administrator now.`;
      }),

    revokeAdmin: (email: string) =>
      change(email, async (tx, account) => {
        if (account.platformRole === 'USER') return `${account.email} is not an administrator.`;
        const now = clock.now();
        await demote(tx, { id: account.id, now });
        await record(tx, account, {
          action: 'user.revoke_admin',
          changes: [{ field: 'platformRole', from: 'ADMIN', to: 'USER' }],
          at: now,
        });
        return `${account.email} is not an administrator any more. (If ADMIN_EMAILS lists the address, the next sign-in makes it one again.)`;
      }),

    suspend: (email: string) =>
      change(email, async (tx, account) => {
        if (account.accountStatus === 'SUSPENDED') return `${account.email} is already suspended.`;
        if (account.accountStatus === 'PENDING') {
          throw new OperatorError(
            `${account.email} is not verified yet: only a verified account can be suspended.`,
          );
        }
        assertNotLeaving(account);
        const now = clock.now();
        await setAccountStatus(tx, { id: account.id, accountStatus: 'SUSPENDED', now });
        await endAllSessions(tx, account.id, now);
        await removeUnreadyExports(tx, account.id);
        const revokedInvitations = await revokeInvitationsOf(tx, account.id, now);
        await record(tx, account, {
          action: 'user.suspend',
          changes: [{ field: 'accountStatus', from: 'VERIFIED', to: 'SUSPENDED' }],
          ...(revokedInvitations > 0 && { metadata: { revokedInvitations } }),
          at: now,
        });
        const revoked =
          revokedInvitations > 0
            ? ` Open invitations that it made: ${revokedInvitations} revoked.`
            : '';
        return `${account.email} is suspended, and all its sessions are ended.${revoked}`;
      }),

    reinstate: (email: string) =>
      change(email, async (tx, account) => {
        if (account.accountStatus === 'VERIFIED') return `${account.email} is not suspended.`;
        if (account.accountStatus === 'PENDING') {
          throw new OperatorError(
            `${account.email} is not suspended but not verified yet: that takes the link in its mail.`,
          );
        }
        assertNotLeaving(account);
        const now = clock.now();
        await setAccountStatus(tx, { id: account.id, accountStatus: 'VERIFIED', now });
        await record(tx, account, {
          action: 'user.reinstate',
          changes: [{ field: 'accountStatus', from: 'SUSPENDED', to: 'VERIFIED' }],
          at: now,
        });
        return `${account.email} is reinstated and may sign in again.`;
      }),

    endSessions: (email: string) =>
      change(email, async (tx, account) => {
        const now = clock.now();
        const endedCount = await dismissAllSessions(tx, account.id, now);
        if (endedCount === 0) return `${account.email} has no open session.`;
        await record(tx, account, {
          action: 'user.end_sessions',
          metadata: { endedCount },
          at: now,
        });
        return `${endedCount} ${endedCount === 1 ? 'session' : 'sessions'} of ${account.email} ended.`;
      }),

    resetSecondFactor: (email: string) =>
      change(email, async (tx, account) => {
        if (!(await removeSecondFactors(tx, account.id))) {
          return `${account.email} has no second factor.`;
        }
        const now = clock.now();
        const endedCount = await dismissAllSessions(tx, account.id, now);
        await record(tx, account, {
          action: 'user.reset_second_factor',
          metadata: { endedCount },
          at: now,
        });
        await enqueueSecurityNotice(tx, { userId: account.id, about: 'SECOND_FACTOR_RESET' }, null);
        return `The second factor of ${account.email} is removed, and all its sessions are ended.`;
      }),

    /** Lists open sessions, the last used first. */
    async listSessions(email: string) {
      const userId = await knownUserId(email);
      return listOpenSessions(
        db,
        { id: userId, now: clock.now() },
        { limit: maxListedSessions, offset: 0 },
      );
    },
  };

  async function change(
    email: string,
    apply: (tx: Transaction, account: LockedAccount) => Promise<string>,
  ): Promise<string> {
    const id = await knownUserId(email);
    return db.transaction(async (tx) => {
      const account = await lockAccount(tx, id);
      if (!account) throw unknown(email);
      return apply(tx, { ...account, id });
    });
  }

  async function knownUserId(email: string): Promise<string> {
    const id = await findUserId(db, email);
    if (id === null) throw unknown(email);
    return id;
  }
}

/** An account that signs in, in its locked state, with its proof. */
interface Arrival {
  readonly id: string;
  readonly email: string;
  readonly platformRole: 'USER' | 'ADMIN';
  readonly passwordOrigin: 'REGISTERED' | 'CONTESTED' | 'PROVEN';
  /** Null: it is the email of the registration. */
  readonly emailChangedAt: Date | null;
  readonly by: SignInMethod;
}

/**
 * Makes a verified account in `ADMIN_EMAILS` an administrator. No-op when it is one. Only under the lock of the
 * account.
 *
 * Every sign-in calls it: by then the mailbox is proven, and accounts that come later need no restart of a process. A
 * password older than the proof may be anyone's: it doesn't get the right, and a sign-in with a provider removes it, with
 * the sessions that it opened. An identity that was linked to another email proves nothing about this one: after a change
 * only a password from a reset does.
 *
 * @returns whether the account has lost its password
 * @see docs/decisions/0055-passwords-and-registration.md
 */
export async function grantConfiguredAdmin(
  tx: Transaction,
  account: Arrival,
  call: { adminEmails: readonly string[]; now: Date; requestId: string },
): Promise<boolean> {
  if (account.platformRole === 'ADMIN' || !call.adminEmails.includes(account.email)) return false;
  // It may have been added with a password of unknown origin, and proves no mailbox.
  if (account.by === 'passkey') return false;
  if (account.by === 'password' && account.passwordOrigin !== 'PROVEN') return false;
  if (account.by === 'provider' && account.emailChangedAt !== null) return false;
  const hasLostPassword = await forgetUnprovenPassword(tx, { id: account.id, now: call.now });
  if (hasLostPassword) await endAllSessions(tx, account.id, call.now);
  await promote(tx, account, call);
  return hasLostPassword;
}

async function promote(
  tx: Transaction,
  account: { id: string; email: string },
  { now, requestId }: { now: Date; requestId: string },
): Promise<void> {
  if (!(await promoteVerified(tx, { id: account.id, now }))) return;
  await record(tx, account, {
    action: 'user.grant_admin',
    changes: [{ field: 'platformRole', from: 'USER', to: 'ADMIN' }],
    requestId,
    at: now,
  });
}

/** Revokes an account's invitations in every organization. @returns how many invitations */
async function revokeInvitationsOf(tx: Transaction, userId: string, now: Date): Promise<number> {
  let count = 0;
  for (const organizationId of await lockOrganizationsInvitedTo(tx, userId, now)) {
    const inviter = { organizationId, userId, mayGrant: [] };
    count += (await revokeOpenInvitations(tx, inviter, now)).length;
  }
  return count;
}

/** An activity without an account as its actor. */
async function record(
  tx: Transaction,
  account: { id: string; email: string },
  entry: Pick<AccountActivityEntry, 'action' | 'changes' | 'metadata' | 'at'> & {
    requestId?: string;
  },
): Promise<void> {
  await recordAccountActivity(tx, {
    requestId: operatorRequestId(),
    ...entry,
    actorId: null,
    resourceType: 'user',
    resourceId: account.id,
    resourceName: account.email,
    apiKeyId: null,
  });
}

function operatorRequestId(): string {
  return `operator-${newId()}`;
}

/** @throws OperatorError: such an account can't be signed in to anyway, and only its person may keep it */
function assertNotLeaving({ email, accountStatus }: LockedAccount): void {
  if (accountStatus === 'VERIFIED' || accountStatus === 'SUSPENDED') return;
  throw new OperatorError(
    `${email} asked for the deletion of its account: it cannot be signed in to, and only the link in its mail keeps it.`,
  );
}

function cannotBecomeAdmin({ email, accountStatus }: LockedAccount): string {
  return accountStatus === 'PENDING'
    ? `${email} is not verified yet: only a proven mailbox can become an administrator.`
    : accountStatus === 'SUSPENDED'
      ? `${email} is suspended: reinstate it first.`
      : `${email} asked for the deletion of its account.`;
}

function unknown(email: string): OperatorError {
  return new OperatorError(`There is no account with the email ${email}.`);
}
