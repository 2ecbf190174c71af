import type { RequestOrigin } from '../../ports/jobs.ts';
import type { Mail } from '../../ports/mailer.ts';
import { linkMail, plainMail } from '../mails.ts';
import { cameFrom } from '../origin.ts';

const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });

/** Tells when an account is deleted, with the link that keeps it. */
export function deletionMail(
  to: string,
  { link, deletesAt, origin }: { link: string; deletesAt: Date; origin: RequestOrigin },
): Mail {
  return linkMail({
    to,
    subject: 'Your account will be deleted',
    greeting: `Your Atelier account will be deleted on ${day.format(deletesAt)}`,
    instruction: `The request was confirmed. ${cameFrom(origin)}You are signed out everywhere, and your API keys have stopped working. If you want to keep the account, open this link before then:`,
    action: 'Keep my account',
    link,
    footnote:
      'If you did not ask for this, keep the account and choose a new password: someone signed in as you.',
  });
}

/** Tells that an account is no longer going to be deleted. */
export function keptMail(
  to: string,
  { link, origin }: { link: string; origin: RequestOrigin },
): Mail {
  return linkMail({
    to,
    subject: 'Your account is kept',
    greeting: 'Your Atelier account will not be deleted',
    instruction: `The mailed link was opened. ${cameFrom(origin)}Your API keys work again. Sign in to go on:`,
    action: 'Sign in',
    link,
    footnote: 'If you did not ask for the deletion, choose a new password.',
  });
}

/** The last mail to an account. */
export function deletedMail(to: string): Mail {
  return plainMail({
    to,
    subject: 'Your account is deleted',
    sentence:
      'Your Atelier account is deleted, with your personal files. What you made in teams stays there, without your name.',
  });
}
