import type { Session } from '@atelier/contract';
import type { Transaction } from '../../db/executor.ts';
import type { Deps } from '../../deps.ts';
import {
  dismissSessions,
  listOpenSessions,
  lockAccount,
  type SessionChoice,
} from '../../domain/account-sessions/queries.ts';
import { aboutUser, recordActivity } from '../../domain/activity.ts';
import type { UserContext } from '../../kernel/context.ts';
import { deviceNameOf } from '../../kernel/device-name.ts';
import { Failure } from '../../kernel/errors.ts';
import { paginationOf } from '../../kernel/pagination.ts';
import { withAuthority } from '../../domain/transaction.ts';

/** Where the caller is logged in. */
export function sessionUseCases({ db, clock }: Deps) {
  return {
    async list(request: { page?: number | undefined; limit: number }, ctx: UserContext) {
      const { page = 1, limit } = request;
      const { rows, total } = await listOpenSessions(
        db,
        { id: ctx.user.id, now: clock.now() },
        { limit, offset: (page - 1) * limit },
      );
      return {
        items: rows.map(({ userAgent, ...row }): Session => ({
          id: row.id,
          device: deviceNameOf(userAgent),
          ipAddress: row.ipAddress,
          createdAt: row.createdAt.toISOString(),
          lastUsedAt: row.lastUsedAt.toISOString(),
          isCurrent: row.id === ctx.sessionId,
        })),
        pagination: paginationOf(request, total),
      };
    },

    /** @throws Failure `not_found` (404) for a session that is not the caller's, or not open any more */
    async end(id: string, ctx: UserContext) {
      // Only the caller's own are ended.
      ctx.targets.note('params.id');
      const endedCount = await dismiss({ only: id }, ctx);
      if (endedCount === 0) throw new Failure('not_found');
      ctx.noteSecurityEvent('sessions_ended', { account: ctx.user.email });
      return { id };
    },

    async endOthers(ctx: UserContext) {
      const endedCount = await dismiss({ except: ctx.sessionId }, ctx);
      if (endedCount > 0) ctx.noteSecurityEvent('sessions_ended', { account: ctx.user.email });
      return { endedCount };
    },
  };

  async function dismiss(sessions: SessionChoice, ctx: UserContext): Promise<number> {
    const now = clock.now();
    // Of two devices that end each other, the one that came second has nothing to say any more.
    const lockFirst = (tx: Transaction) => lockAccount(tx, ctx.user.id);
    return withAuthority({ db, clock, ctx, lockFirst }, async (tx) => {
      const endedCount = await dismissSessions(tx, { id: ctx.user.id, sessions }, now);
      if (endedCount === 0) return 0;
      await recordActivity(tx, {
        ...aboutUser(ctx.user, ctx, now),
        action: 'user.end_sessions',
        metadata: { endedCount },
      });
      return endedCount;
    });
  }
}
