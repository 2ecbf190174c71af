import type { RequestOrigin } from '../../ports/jobs.ts';
import type { Mail } from '../../ports/mailer.ts';
import { linkMail } from '../mails.ts';
import { cameFrom } from '../origin.ts';

const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });

/** Tells a person that an export of the account is ready. The link opens a page that takes a sign-in. */
export function exportMail(
  to: string,
  { link, until, origin }: { link: string; until: Date; origin: RequestOrigin },
): Mail {
  return linkMail({
    to,
    subject: 'Your export is ready',
    greeting: 'An export of your Atelier account can be downloaded',
    instruction: `It was requested by someone who is signed in to your account. ${cameFrom(origin)}You can download it until ${day.format(until)}, after signing in and confirming that it is you:`,
    action: 'Open the security page',
    link,
    footnote:
      'If you did not request it, choose a new password on that page now, and sign out all devices.',
  });
}
