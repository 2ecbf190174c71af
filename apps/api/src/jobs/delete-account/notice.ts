import { newMailedToken } from '../../domain/mailed-tokens/new-token.ts';
import { replaceMailedToken } from '../../domain/mailed-tokens/queries.ts';
import type { Jobs } from '../../ports/jobs.ts';
import type { JobDeps } from '../job-deps.ts';
import { findVerifiedEmail } from '../queries.ts';
import { deletedMail, deletionMail, keptMail } from './mails.ts';
import { findLeaving } from './queries.ts';

/** Mails what happens to an account, unless it has changed again since. */
export async function sendAccountNotice(
  { db, clock, mailer, appUrl }: Pick<JobDeps, 'db' | 'clock' | 'mailer' | 'appUrl'>,
  { userId, about, origin }: Jobs['send_account_notice'],
): Promise<void> {
  if (about === 'DELETION_CANCELLED') {
    const email = await findVerifiedEmail(db, userId);
    if (email !== null) await mailer.send(keptMail(email, { link: `${appUrl}/login`, origin }));
    return;
  }
  const now = clock.now();
  const leaving = await findLeaving(db, userId);
  if (!leaving || leaving.deletesAt <= now) return;
  const { token, row } = newMailedToken(leaving, 'cancel_deletion', now);
  await replaceMailedToken(db, row);
  const link = `${appUrl}/keep-account?token=${token}`;
  await mailer.send(deletionMail(leaving.email, { link, deletesAt: leaving.deletesAt, origin }));
}

/** Tries once, so that no failed job keeps the address of a deleted account. */
export async function sendDeletedNotice(
  { mailer, log }: Pick<JobDeps, 'mailer' | 'log'>,
  { email }: Jobs['send_deleted_notice'],
): Promise<void> {
  try {
    await mailer.send(deletedMail(email));
  } catch (err) {
    log.warn({ err }, 'the mail about a deletion was not sent');
  }
}
