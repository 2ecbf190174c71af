import type { RequestOrigin } from '../../ports/jobs.ts';
import type { Mail } from '../../ports/mailer.ts';
import { linkMail, plainMail } from '../mails.ts';
import { cameFrom } from '../origin.ts';

const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });

/** Lets the owner of a mailbox confirm it as the new email of an account. */
export function newEmailMail(to: string, link: string): Mail {
  return linkMail({
    to,
    subject: 'Confirm your new email',
    greeting: 'An Atelier account is to get this email',
    instruction:
      'If you asked for this, open this link within 24 hours. From then on you sign in with this email, and other devices are signed out:',
    action: 'Change my email',
    link,
    footnote:
      'If you did not ask for this, do not open the link: the account is not yours, and nothing happens without it.',
  });
}

/** Tells the owner of a mailbox that it can't become the email of another account. */
export function takenEmailMail(to: string): Mail {
  return plainMail({
    to,
    subject: 'This email is already in use',
    sentence:
      'Someone asked to use this email for an Atelier account, but another account has it, or had it until a few days ago. Nothing was changed. If it was you, sign in with this email, or choose another one.',
  });
}

/** Gives the former mailbox of an account the link that undoes the change. */
export function changedEmailMail(
  to: string,
  { link, until, origin }: { link: string; until: Date; origin: RequestOrigin },
): Mail {
  return linkMail({
    to,
    subject: 'The email of your account was changed',
    greeting: 'Your Atelier account has another email now',
    instruction: `The change was confirmed. ${cameFrom(origin)}If it was not you, open this link before ${day.format(until)}. It gives you the account back, signs out every device, and lets you choose a new password:`,
    action: 'Undo the change',
    link,
    footnote: 'If it was you, there is nothing to do.',
  });
}

/** Tells the mailbox that an account has lost that it did. */
export function undoneEmailMail(to: string, origin: RequestOrigin): Mail {
  return plainMail({
    to,
    subject: 'A change of the email of an account was undone',
    sentence: `An Atelier account no longer has this email: the owner of its former one has undone the change. ${cameFrom(origin)}All devices are signed out. Sign in with the former email.`,
  });
}
