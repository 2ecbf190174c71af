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
