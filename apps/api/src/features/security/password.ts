import type { ChangePasswordBody } from '@atelier/contract';
import type { z } from 'zod';
import type { Transaction } from '../../db/executor.ts';
import type { Deps } from '../../deps.ts';
import {
  dismissSessions,
  forgetKnownOrigins,
  lockAccount,
} from '../../domain/account-sessions/queries.ts';
import { aboutUser, recordAccountActivity } from '../../domain/activity.ts';
import { voidEmailChange } from '../../domain/email-changes/queries.ts';
import { voidMailedTokens } from '../../domain/mailed-tokens/queries.ts';
import { findPasswordHash } from '../../domain/passwords/queries.ts';
import { passwordRule } from '../../domain/passwords/rule.ts';
import { secondFactors } from '../../domain/second-factor/second-factor.ts';
import { enqueueSecurityNotice } from '../../domain/security-notices.ts';
import { mutate } from '../../domain/transaction.ts';
import type { UserContext } from '../../kernel/context.ts';
import { Failure } from '../../kernel/errors.ts';
import { changePassword } from './queries.ts';

/** Replaces the password of an account that knows the present one. */
export function passwordChange(deps: Deps) {
  const { db, clock, passwords } = deps;
  const assertGoodPassword = passwordRule(deps);
  const factors = secondFactors(deps);

  /**
   * Keeps the session of the request.
   *
   * @throws Failure `validation_failed`, `invalid_credentials`, `second_factor_required` or `second_factor_invalid`
   *   (400), `rate_limited` (429) after too many wrong second factors
   */
  return async (body: z.output<typeof ChangePasswordBody>, ctx: UserContext) => {
    const { user } = ctx;
    await assertGoodPassword(body.newPassword, user.email, ['newPassword']);
    const currentHash = await findPasswordHash(db, user.id);
    const matches = await passwords.verify(currentHash, body.currentPassword);
    const newHash = matches ? await passwords.hash(body.newPassword) : null;
    const secondFactor = matches ? body.secondFactor : undefined;
    const now = clock.now();
    const lockFirst = async (tx: Transaction) => {
      await voidMailedTokens(tx, user.id);
      await lockAccount(tx, user.id);
    };

    const sessionId = ctx.credential.id;
    const attempt = { account: user, presented: secondFactor, sessionId, ctx };
    const changed = await factors.tried(attempt, (prove) =>
      mutate({ db, clock, ctx, lockFirst }, async (tx, ctx) => {
        // Compared again: another session may have changed the password meanwhile.
        const isCurrent = matches && (await findPasswordHash(tx, user.id)) === currentHash;
        if (newHash === null || !isCurrent) {
          throw new Failure('invalid_credentials', { message: 'The password is wrong' });
        }
        await prove(tx);
        await changePassword(tx, { userId: user.id, passwordHash: newHash, now });
        await voidEmailChange(tx, user.id);
        await forgetKnownOrigins(tx, user.id);
        const others = { id: user.id, sessions: { except: ctx.credential.id } };
        const endedCount = body.endOtherSessions ? await dismissSessions(tx, others, now) : 0;
        await recordAccountActivity(tx, {
          ...aboutUser(user, ctx, now),
          action: 'user.change_password',
          metadata: { endedCount },
        });
        await enqueueSecurityNotice(tx, { userId: user.id, about: 'PASSWORD_CHANGED' }, ctx);
        return { endedCount };
      }),
    );
    if (changed.endedCount > 0) ctx.noteSecurityEvent('sessions_ended', { account: user.email });
    return changed;
  };
}
