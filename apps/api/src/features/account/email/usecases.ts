import { lifetimes } from '@atelier/contract';
import type { Transaction } from '../../../db/executor.ts';
import type { Deps } from '../../../deps.ts';
import {
  dismissSessions,
  endAllSessions,
  lockAccount,
} from '../../../domain/account-sessions/queries.ts';
import { aboutUser, recordAccountActivity } from '../../../domain/activity.ts';
import { fixedUntil, isFreeFor, undoableSince } from '../../../domain/email-changes/queries.ts';
import { enqueueJob, enqueueJobInPlace } from '../../../domain/job-queue.ts';
import { voidMailedTokens } from '../../../domain/mailed-tokens/queries.ts';
import { deletePasskeysSince } from '../../../domain/passkeys/queries.ts';
import { settleSecondFactor } from '../../../domain/second-factor/queries.ts';
import { enqueueSecurityNotice, originOf } from '../../../domain/security-notices.ts';
import { mutate } from '../../../domain/transaction.ts';
import type { PublicContext, UserContext } from '../../../kernel/context.ts';
import { Failure } from '../../../kernel/errors.ts';
import { newId } from '../../../kernel/ids.ts';
import { hashSecretToken } from '../../../kernel/secret-tokens.ts';
import {
  changeEmail,
  findChanged,
  findFixedUntil,
  findRequester,
  isEmailTaken,
  replaceRequest,
  restoreEmail,
  takeChange,
  takeRequest,
} from './queries.ts';
import { assertMayChangeEmail, assertMayUndo } from '../policy.ts';

/**
 * Changes the email of an account, and undoes it.
 *
 * @see docs/decisions/0076-email-changes.md
 */
export function emailUseCases({
  db,
  clock,
  rateLimiter,
}: Pick<Deps, 'db' | 'clock' | 'rateLimiter'>) {
  return {
    /**
     * Does the same work whether or not an account has the new email; the job looks it up.
     *
     * @throws Failure `validation_failed` (400) for the present email; `email_change_blocked` (409) after a change was
     *   undone
     */
    async requestChange(newEmail: string, ctx: UserContext) {
      const { user } = ctx;
      const lockFirst = (tx: Transaction) => lockAccount(tx, user.id);
      return mutate({ db, clock, ctx, lockFirst }, async (tx, ctx) => {
        const account = await lockAccount(tx, user.id);
        if (!account) throw new Failure('unauthenticated');
        const { email } = account;
        const now = clock.now();
        assertMayChangeEmail(newEmail, {
          email,
          fixedUntil: await findFixedUntil(tx, user.id),
          now,
        });
        await replaceRequest(tx, {
          userId: user.id,
          sessionId: ctx.credential.id,
          newEmail,
          requestedAt: now,
        });
        // It mails the request that is newest by then.
        const job = { name: 'send_email_change', payload: { userId: user.id } } as const;
        await enqueueJobInPlace(tx, `send_email_change:${user.id}`, job);
        await enqueueSecurityNotice(tx, { userId: user.id, about: 'EMAIL_CHANGE_REQUESTED' }, ctx);
        await recordAccountActivity(tx, {
          ...aboutUser({ id: user.id, email }, ctx, now),
          action: 'user.request_email_change',
        });
        return { newEmail };
      });
    },

    /**
     * Changes the email. Every other mailed link is void, and all sessions end except the one of the request.
     *
     * @throws Failure `invalid_or_expired_token` (400), also if another account has taken the email meanwhile
     */
    async confirmChange(token: string, ctx: PublicContext) {
      const now = clock.now();
      const since = new Date(now.getTime() - lifetimes.emailVerificationTokenSeconds * 1000);
      const presented = { tokenHash: hashSecretToken(token), since };
      const changed = await orTaken(
        db.transaction(async (tx) => {
          const userId = await findRequester(tx, presented);
          if (userId === null) throw new Failure('invalid_or_expired_token');
          await voidMailedTokens(tx, userId);
          const account = await lockAccount(tx, userId);
          const request = await takeRequest(tx, userId, presented);
          if (account?.accountStatus !== 'VERIFIED' || request === null) {
            throw new Failure('invalid_or_expired_token');
          }
          const { newEmail, sessionId } = request;
          const oldEmail = account.email;
          const step = await changeEmail(tx, { userId, oldEmail, newEmail, now });
          await enqueueJob(tx, 'index_person', { userId });
          if (!(await isFreeFor(tx, { email: newEmail, userId, now }))) {
            throw new Failure('invalid_or_expired_token');
          }
          const others = { id: userId, sessions: { except: sessionId } };
          const endedCount = await dismissSessions(tx, others, now);
          await recordAccountActivity(tx, {
            ...aboutUser({ id: userId, email: newEmail }, ctx, now),
            action: 'user.change_email',
            changes: [{ field: 'email', from: oldEmail, to: newEmail }],
            metadata: { endedCount },
          });
          await enqueueJob(tx, 'send_email_undo', {
            userId,
            step,
            origin: originOf(ctx),
            notificationId: newId(),
          });
          return { email: newEmail, endedCount };
        }),
      );
      noteEnded(changed, ctx);
      return { email: changed.email };
    },

    /**
     * Restores the former email of an account, also after later changes: their author may know the password.
     *
     * @throws Failure `invalid_or_expired_token` (400)
     */
    async undoChange(token: string, ctx: PublicContext) {
      const now = clock.now();
      const presented = { undoHash: hashSecretToken(token), since: undoableSince(now) };
      const undone = await orTaken(
        db.transaction(async (tx) => {
          const userId = await findChanged(tx, presented);
          if (userId === null) throw new Failure('invalid_or_expired_token');
          await voidMailedTokens(tx, userId);
          const account = await lockAccount(tx, userId);
          const change = await takeChange(tx, userId, presented);
          if (!account || change === null) throw new Failure('invalid_or_expired_token');
          assertMayUndo(account.accountStatus);
          const email = change.oldEmail;
          await restoreEmail(tx, { userId, email, fixedUntil: fixedUntil(now), now });
          await enqueueJob(tx, 'index_person', { userId });
          // A passkey signs in alone: the thief may have added one before the change.
          await deletePasskeysSince(tx, userId, undoableSince(change.changedAt));
          await settleSecondFactor(tx, userId);
          const endedCount = await endAllSessions(tx, userId, now);
          await recordAccountActivity(tx, {
            ...aboutUser({ id: userId, email }, ctx, now),
            action: 'user.undo_email_change',
            changes: [
              { field: 'email', from: account.email, to: email },
              ...(account.accountStatus === 'DELETION_PENDING'
                ? [{ field: 'accountStatus', from: 'DELETION_PENDING', to: 'VERIFIED' }]
                : []),
            ],
            metadata: { endedCount },
          });
          await enqueueJob(tx, 'send_password_reset', { email, requestId: null });
          if (account.email !== email) {
            await enqueueJob(tx, 'send_email_undone', {
              email: account.email,
              origin: originOf(ctx),
            });
          }
          return { email, endedCount };
        }),
      );
      // The owner of the mailbox can sign in at once, whatever others tried before.
      await rateLimiter.clear('login-account', undone.email);
      noteEnded(undone, ctx);
      return { email: undone.email };
    },
  };
}

/** Another account may take the same email at the same time: the one that commits first has it. */
async function orTaken<Result>(change: Promise<Result>): Promise<Result> {
  try {
    return await change;
  } catch (error) {
    if (!isEmailTaken(error)) throw error;
    throw new Failure('invalid_or_expired_token', { cause: error });
  }
}

function noteEnded(
  { email, endedCount }: { email: string; endedCount: number },
  ctx: PublicContext,
): void {
  if (endedCount > 0) ctx.noteSecurityEvent('sessions_ended', { account: email });
}
