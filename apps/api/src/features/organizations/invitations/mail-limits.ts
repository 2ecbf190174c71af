import type { Deps } from '../../../deps.ts';
import { giveBack } from '../../../domain/rate-limits.ts';

/** Whether an invitation may be mailed now. @param lastRequestedAt - null before the first request */
export type MayMail = (lastRequestedAt: Date | null) => boolean;

/**
 * Limits the mails of invitations for each mailbox, across inviters. Beyond the limit an invitation is
 * stored and not mailed: a refusal would tell the inviter that others invite the same address.
 *
 * @see docs/decisions/0020-invitations.md
 */
export function invitationMailLimits({ rateLimiter, clock, config, log }: Deps) {
  const pauseMs = config.RATE_LIMIT_ENABLED
    ? config.RATE_LIMIT_INVITATION_MAIL_PAUSE_SECONDS * 1000
    : 0;
  // In both directions: a clock that was set back prolongs no pause.
  const isPauseOver = (last: Date | null) =>
    last === null || Math.abs(clock.now().getTime() - last.getTime()) >= pauseMs;

  return {
    /** Runs work that may mail an invitation. A mail that is not committed doesn't count. */
    async counted<Result>(
      email: string,
      work: (mayMail: MayMail) => Promise<Result>,
    ): Promise<Result> {
      const draw = await rateLimiter.draw('invitation-mailbox', mailboxOf(email));
      let isMailed = false;
      try {
        return await work((lastRequestedAt) => {
          isMailed = draw?.isAllowed !== false && isPauseOver(lastRequestedAt);
          return isMailed;
        });
      } catch (error) {
        isMailed = false;
        throw error;
      } finally {
        if (draw?.isAllowed && !isMailed) await giveBack([draw], { rateLimiter, log });
        if (draw?.isAllowed === false) log.info('no invitation is mailed: its mailbox had enough');
      }
    },
  };
}

/** `grace+any.tag@example.com` as `grace@example.com`: many mail servers deliver both to the same mailbox. */
function mailboxOf(email: string): string {
  const at = email.lastIndexOf('@');
  const [name = ''] = email.slice(0, at).split('+');
  return `${name}${email.slice(at)}`;
}
