import { aboutUser, recordAccountActivity } from '../../domain/activity.ts';
import { newMailedToken } from '../../domain/mailed-tokens/new-token.ts';
import { replaceMailedToken } from '../../domain/mailed-tokens/queries.ts';
import type { Jobs } from '../../ports/jobs.ts';
import type { JobDeps } from '../job-deps.ts';
import { passwordResetMail, verificationMail } from './mails.ts';
import { findPendingAccount, findResettableAccount, isRecorded } from './queries.ts';

type NoticeDeps = Pick<JobDeps, 'db' | 'clock' | 'mailer' | 'appUrl'>;

/** Mails a new link that verifies the email of a pending account. No-op for any other. */
export async function sendVerification(
  { db, clock, mailer, appUrl }: NoticeDeps,
  { email }: Jobs['send_verification'],
): Promise<void> {
  const account = await findPendingAccount(db, email);
  if (!account) return;
  const { token, row } = newMailedToken(account, 'verify_email', clock.now());
  await replaceMailedToken(db, row);
  await mailer.send(verificationMail(account.email, `${appUrl}/verify-email?token=${token}`));
}

/** Mails a new link that resets a password, and records the request once. No-op without such an account. */
export async function sendPasswordReset(
  { db, clock, mailer, appUrl }: NoticeDeps,
  { email, requestId, activityId: id }: Jobs['send_password_reset'],
): Promise<void> {
  const account = await findResettableAccount(db, email);
  if (!account) return;
  const { token, row } = newMailedToken(account, 'reset_password', clock.now());
  await db.transaction(async (tx) => {
    await replaceMailedToken(tx, row);
    if (requestId === null) return;
    if (id !== undefined && (await isRecorded(tx, { id, userId: account.id }))) return;
    await recordAccountActivity(tx, {
      id,
      ...aboutUser(account, { requestId }, row.issuedAt),
      action: 'user.request_password_reset',
    });
  });
  await mailer.send(passwordResetMail(account.email, `${appUrl}/reset-password?token=${token}`));
}
