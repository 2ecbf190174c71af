import type { Jobs } from '../../ports/jobs.ts';
import type { JobDeps } from '../job-deps.ts';
import { tellOfSecurity } from '../notifications/security.ts';
import { findVerifiedEmail } from '../queries.ts';
import { replayMail, securityNoticeMail } from './mails.ts';

type NoticeDeps = Pick<JobDeps, 'db' | 'clock' | 'mailer' | 'appUrl'>;

/** Tells a person what happened to the security of their account. */
export async function sendSecurityNotice(
  deps: NoticeDeps,
  { userId, notificationId, ...notice }: Jobs['send_security_notice'],
): Promise<void> {
  const email = await findVerifiedEmail(deps.db, userId);
  if (email === null) return;
  const { about: event, at } = notice;
  await tellOfSecurity(deps, { userId, notificationId, event, at });
  await deps.mailer.send(securityNoticeMail(email, notice, deps.appUrl));
}

/** Tells a person that a replayed token has ended all their sessions. */
export async function sendReplayNotice(
  deps: NoticeDeps,
  { userId, notificationId }: Jobs['send_replay_notice'],
): Promise<void> {
  await tellOfSecurity(deps, { userId, notificationId, event: 'TOKEN_REPLAYED' });
  const email = await findVerifiedEmail(deps.db, userId);
  if (email !== null) await deps.mailer.send(replayMail(email, `${deps.appUrl}/forgot-password`));
}
