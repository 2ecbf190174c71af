import type { Mail } from '../../ports/mailer.ts';
import { linkMail } from '../mails.ts';

/** Asks the owner of a new account to verify the email. */
export function verificationMail(to: string, link: string): Mail {
  return linkMail({
    to,
    subject: 'Please verify your email',
    greeting: 'Welcome to Atelier',
    instruction: 'Open this link within 24 hours to verify your email address and sign in:',
    action: 'Verify email',
    link,
    footnote:
      'If you did not create an account, ignore this mail: nothing happens without the link.',
  });
}

/** Lets the owner of an email choose a new password. */
export function passwordResetMail(to: string, link: string): Mail {
  return linkMail({
    to,
    subject: 'How to reset your password',
    greeting: 'A new password was requested for your Atelier account',
    instruction:
      'Open this link within 30 minutes to choose it; all your devices will be logged out:',
    action: 'Choose a new password',
    link,
    footnote: 'If it was not you, ignore this mail: your password stays as it is.',
  });
}
