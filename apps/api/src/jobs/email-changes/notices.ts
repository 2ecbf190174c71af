import { lifetimes } from '@atelier/contract';
import { fixedUntil, isFreeFor, undoableSince } from '../../domain/email-changes/queries.ts';
import { newSecretToken } from '../../kernel/ids.ts';
import { hashSecretToken } from '../../kernel/secret-tokens.ts';
import type { Jobs } from '../../ports/jobs.ts';
import type { JobDeps } from '../job-deps.ts';
import { changedEmailMail, newEmailMail, takenEmailMail } from './mails.ts';
import { findRequested, replaceRequestToken, replaceUndoToken } from './queries.ts';

type NoticeDeps = Pick<JobDeps, 'db' | 'clock' | 'mailer' | 'appUrl'>;

/** Mails a new link to the requested email, or that it is taken. No-op for a request that is void. */
export async function sendEmailChange(
  { db, clock, mailer, appUrl }: NoticeDeps,
  { userId }: Jobs['send_email_change'],
): Promise<void> {
  const now = clock.now();
  const since = new Date(now.getTime() - lifetimes.emailVerificationTokenSeconds * 1000);
  const newEmail = await findRequested(db, { userId, since });
  if (newEmail === null) return;
  if (!(await isFreeFor(db, { email: newEmail, userId, now }))) {
    await mailer.send(takenEmailMail(newEmail));
    return;
  }
  const token = newSecretToken();
  const request = { userId, newEmail, tokenHash: hashSecretToken(token) };
  if (!(await replaceRequestToken(db, request))) return;
  await mailer.send(newEmailMail(newEmail, `${appUrl}/change-email?token=${token}`));
}

/** Mails the former email a new link that undoes a change, while it can be undone. */
export async function sendEmailUndo(
  { db, clock, mailer, appUrl }: NoticeDeps,
  { userId, step, origin }: Jobs['send_email_undo'],
): Promise<void> {
  const token = newSecretToken();
  const undoHash = hashSecretToken(token);
  const since = undoableSince(clock.now());
  const change = await replaceUndoToken(db, { userId, step, undoHash, since });
  if (!change) return;
  const link = `${appUrl}/undo-email-change?token=${token}`;
  const until = fixedUntil(change.changedAt);
  await mailer.send(changedEmailMail(change.oldEmail, { link, until, origin }));
}
