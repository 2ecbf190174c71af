import { newSecretToken } from '../../kernel/ids.ts';
import { displayNameOf } from '../../domain/person-view/present-user.ts';
import { hashSecretToken } from '../../kernel/secret-tokens.ts';
import type { JobDeps } from '../job-deps.ts';
import { invitationMail } from '../mails.ts';
import { isTokenVoid, issueToken } from './queries.ts';

/**
 * Mails a link to an invitation that can be accepted; otherwise does nothing.
 *
 * Tokens of an invitation accumulate: if the job runs again after the mail has left, each mailed link works.
 * If a token is revoked while its mail is being sent, another mail with a new token follows, so that the last
 * mail always contains a working link.
 */
export async function sendInvitation(
  { db, clock, mailer, appUrl }: Pick<JobDeps, 'db' | 'clock' | 'mailer' | 'appUrl'>,
  key: { organizationId: string; invitationId: string },
): Promise<void> {
  for (;;) {
    const token = newSecretToken();
    const tokenHash = hashSecretToken(token);
    const open = await issueToken(db, key, { tokenHash, now: clock.now() });
    if (!open) return;
    await mailer.send(
      invitationMail({
        to: open.email,
        inviterName: displayNameOf(open.invitedBy),
        organizationName: open.organizationName,
        link: `${appUrl}/invitations/${token}`,
        expiresAt: open.expiresAt,
      }),
    );
    if (!(await isTokenVoid(db, tokenHash))) return;
  }
}
