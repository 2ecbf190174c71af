import type { Mail } from '../ports/mailer.ts';
import { mailOf, type FootLink } from './mail-layout.ts';
import { quoted } from './quoted.ts';

/** A mail around one link; every text is plain text. */
interface LinkMail {
  readonly to: string;
  readonly subject: string;
  readonly greeting: string;
  readonly instruction: string;
  readonly action: string;
  readonly link: string;
  readonly footnote: string;
  /** Follows the footnote. */
  readonly ending?: FootLink;
}

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

/** Tells the account owner that every session has ended because a token was replayed. */
export function replayMail(to: string, link: string): Mail {
  return linkMail({
    to,
    subject: 'You were signed out on every device',
    greeting: 'Someone used an old sign-in of yours, so every session was ended',
    instruction:
      'This happens when a sign-in is copied, and sometimes when a device that you signed out tries to go on. Sign in again; if you do not know why this happened, choose a new password:',
    action: 'Choose a new password',
    link,
    footnote: 'Your account and your files are unchanged.',
  });
}

export interface InvitationMail {
  readonly to: string;
  readonly inviterName: string;
  readonly organizationName: string;
  readonly link: string;
  readonly expiresAt: Date;
}

/** Offers a membership to a recipient who may not know the service. */
export function invitationMail({ to, link, expiresAt, ...names }: InvitationMail): Mail {
  const inviter = quoted(names.inviterName);
  const organization = quoted(names.organizationName);
  return linkMail({
    to,
    subject: `${inviter} invited you to ${organization}`,
    greeting: `${inviter} invited you to join ${organization} on Atelier`,
    instruction: `Open this link by ${dayAndTime.format(expiresAt)} UTC and sign in, or sign up, with the address that this mail was sent to:`,
    action: 'See the invitation',
    link,
    footnote: 'If you do not know who this is, ignore this mail: nothing happens without the link.',
  });
}

export const dayAndTime = new Intl.DateTimeFormat('en-GB', {
  dateStyle: 'long',
  timeStyle: 'short',
  timeZone: 'UTC',
});

/** Formats a mail around its link. */
export function linkMail({ greeting, instruction, action, link, ...mail }: LinkMail): Mail {
  return mailOf({
    ...mail,
    headline: greeting,
    paragraph: instruction,
    action: { label: action, link },
  });
}

/** A mail that leads nowhere. */
interface PlainMail {
  readonly to: string;
  readonly subject: string;
  readonly sentence: string;
}

/** Formats a mail without a link. */
export function plainMail({ sentence, ...mail }: PlainMail): Mail {
  return mailOf({ ...mail, headline: mail.subject, paragraph: sentence });
}
