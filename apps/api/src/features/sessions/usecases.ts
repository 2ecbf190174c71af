import type { Session } from '@atelier/contract';
import type { Transaction } from '../../db/executor.ts';
import type { Deps } from '../../deps.ts';
import {
  dismissSessions,
  listOpenSessions,
  lockAccount,
  type SessionChoice,
} from '../../domain/account-sessions/queries.ts';
import { aboutUser, recordAccountActivity } from '../../domain/activity.ts';
import type { UserContext } from '../../kernel/context.ts';
import { deviceNameOf } from '../../kernel/device-name.ts';
import { Failure } from '../../kernel/errors.ts';
import { numberedWindowOf, paginationOf } from '../../kernel/pagination.ts';
import { withAuthority } from '../../domain/transaction.ts';

/** Lists and ends the caller's sessions. */
export function sessionUseCases({ db, clock }: Deps) {
  return {
    async list(request: { page?: number | undefined; limit: number }, ctx: UserContext) {
      const { rows, total } = await listOpenSessions(
        db,
        { id: ctx.user.id, now: clock.now() },
        numberedWindowOf(request),
      );
      return {
        items: rows.map(({ userAgent, signInMethod: method, secondFactor, ...row }): Session => ({
          id: row.id,
          device: deviceNameOf(userAgent),
          ipAddress: row.ipAddress,
          signIn: method && { method, secondFactor },
          createdAt: row.createdAt.toISOString(),
          lastUsedAt: row.lastUsedAt.toISOString(),
          isCurrent: row.id === ctx.credential.id,
        })),
        pagination: paginationOf(request, total),
      };
    },

    /** @throws Failure `not_found` (404) for a session that is not the caller's, or no longer open */
    async end(id: string, ctx: UserContext) {
      // Ends only the caller's own sessions.
      ctx.targets.note('params.id');
      const endedCount = await dismiss({ only: id }, ctx);
      if (endedCount === 0) throw new Failure('not_found');
      ctx.noteSecurityEvent('sessions_ended', { account: ctx.user.email });
      return { id };
    },

    async endOthers(ctx: UserContext) {
      const endedCount = await dismiss({ except: ctx.credential.id }, ctx);
      if (endedCount > 0) ctx.noteSecurityEvent('sessions_ended', { account: ctx.user.email });
      return { endedCount };
    },
  };

  async function dismiss(sessions: SessionChoice, ctx: UserContext): Promise<number> {
    const now = clock.now();
    // When two devices end each other, the second one has lost its session by now.
    const lockFirst = (tx: Transaction) => lockAccount(tx, ctx.user.id);
    return withAuthority({ db, clock, ctx, lockFirst }, async (tx) => {
      const endedCount = await dismissSessions(tx, { id: ctx.user.id, sessions }, now);
      if (endedCount === 0) return 0;
      await recordAccountActivity(tx, {
        ...aboutUser(ctx.user, ctx, now),
        action: 'user.end_sessions',
        metadata: { endedCount },
      });
      return endedCount;
    });
  }
}
