import { deletionDelayDays, type AccountDeletion } from '@atelier/contract';
import type { z } from 'zod';
import type { Transaction } from '../../db/executor.ts';
import type { Deps } from '../../deps.ts';
import { removeUnreadyExports } from '../../domain/account-exports/queries.ts';
import { endAllSessions, lockAccount } from '../../domain/account-sessions/queries.ts';
import { aboutUser, recordAccountActivity } from '../../domain/activity.ts';
import { lockMemberChanges } from '../../domain/authority/queries.ts';
import { enqueueJob } from '../../domain/job-queue.ts';
import {
  consumeMailedToken,
  isForMailbox,
  lockMailedTokensBeside,
  voidMailedTokens,
} from '../../domain/mailed-tokens/queries.ts';
import { originOf } from '../../domain/security-notices.ts';
import { mutate } from '../../domain/transaction.ts';
import type { PublicContext, UserContext } from '../../kernel/context.ts';
import { dayMs } from '../../kernel/durations.ts';
import { Failure } from '../../kernel/errors.ts';
import { hashSecretToken } from '../../kernel/secret-tokens.ts';
import { assertConfirmed, assertNoTeamIsLeft } from './policy.ts';
import { findLedTeams, findTeamsLedAlone, keepAccount, setDeletion } from './queries.ts';

/**
 * Lets a person leave.
 *
 * @see docs/decisions/0073-leaving.md
 */
export function accountUseCases({ db, clock }: Pick<Deps, 'db' | 'clock'>) {
  return {
    /**
     * Begins the wait for the deletion: every session ends, and no credential of the account works.
     *
     * @param confirmation - the account's email, in lower case
     * @throws Failure `confirmation_mismatch` (400), `last_owner` (409) with the teams, `conflict` (409) when the account
     *   became the owner of a team meanwhile
     */
    async requestDeletion(
      confirmation: string,
      ctx: UserContext,
    ): Promise<z.infer<typeof AccountDeletion>> {
      const { id } = ctx.user;
      const led = await findLedTeams(db, id);
      const lockFirst = async (tx: Transaction) => {
        // Two owners who leave at once: the second finds no other one.
        for (const team of led) await lockMemberChanges(tx, team);
        await voidMailedTokens(tx, id);
        await lockAccount(tx, id);
      };
      const { deletesAt, endedCount } = await mutate({ db, clock, ctx, lockFirst }, async (tx) => {
        const account = await lockAccount(tx, id);
        if (account?.accountStatus !== 'VERIFIED') throw new Failure('unauthenticated');
        assertConfirmed(confirmation, account.email);
        assertNoTeamIsLeft(await findTeamsLedAlone(tx, id), led);
        const now = clock.now();
        const deletesAt = new Date(now.getTime() + deletionDelayDays * dayMs);
        await setDeletion(tx, { id, deletesAt, now });
        const endedCount = await endAllSessions(tx, id, now);
        await removeUnreadyExports(tx, id);
        await recordAccountActivity(tx, {
          ...aboutUser({ id, email: account.email }, ctx, now),
          action: 'user.request_deletion',
        });
        const origin = originOf(ctx);
        const notice = { userId: id, about: 'DELETION_REQUESTED', origin } as const;
        await enqueueJob(tx, 'send_account_notice', notice);
        return { deletesAt: deletesAt.toISOString(), endedCount };
      });
      if (endedCount > 0) ctx.noteSecurityEvent('sessions_ended', { account: ctx.user.email });
      return { deletesAt };
    },

    /**
     * Keeps an account whose deletion has not begun.
     *
     * @throws Failure `invalid_or_expired_token` (400)
     */
    async cancelDeletion(token: string, ctx: PublicContext) {
      const now = clock.now();
      return db.transaction(async (tx) => {
        const tokenHash = hashSecretToken(token);
        await lockMailedTokensBeside(tx, tokenHash);
        const used = await consumeMailedToken(tx, { tokenHash, purpose: 'cancel_deletion', now });
        const account = used && (await lockAccount(tx, used.userId));
        if (
          !used ||
          account?.accountStatus !== 'DELETION_PENDING' ||
          !isForMailbox(used, account)
        ) {
          throw new Failure('invalid_or_expired_token');
        }
        const { userId: id } = used;
        const { email } = account;
        await keepAccount(tx, id, now);
        await recordAccountActivity(tx, {
          ...aboutUser({ id, email }, ctx, now),
          action: 'user.cancel_deletion',
        });
        const origin = originOf(ctx);
        const notice = { userId: id, about: 'DELETION_CANCELLED', origin } as const;
        await enqueueJob(tx, 'send_account_notice', notice);
        return { email };
      });
    },
  };
}
