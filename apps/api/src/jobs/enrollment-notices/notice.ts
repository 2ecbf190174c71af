import type { Jobs } from '../../ports/jobs.ts';
import type { JobDeps } from '../job-deps.ts';
import { linkMail } from '../mails.ts';
import { quoted } from '../quoted.ts';
import { findUnenrolled } from './queries.ts';

/** Mails a member that an organization requires a second factor, unless that has changed since. */
export async function sendEnrollmentNotice(
  { db, mailer, appUrl }: Pick<JobDeps, 'db' | 'mailer' | 'appUrl'>,
  member: Jobs['send_enrollment_notice'],
): Promise<void> {
  const found = await findUnenrolled(db, member);
  if (!found) return;
  const { email, organizationName, from } = found;
  const name = quoted(organizationName);
  await mailer.send(
    linkMail({
      to: email,
      subject: `${name} requires a second factor`,
      greeting: `${name} requires a second factor of all its members`,
      instruction: `From ${from.toISOString().slice(0, 10)} on you can open it only if your account has one. Set it up before:`,
      action: 'Set up a second factor',
      link: `${appUrl}/settings/security`,
      footnote: 'Your other organizations stay open to you.',
    }),
  );
}
