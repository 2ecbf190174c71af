import type { Mail } from '../ports/mailer.ts';
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

/** A link in small letters. */
export interface FootLink {
  readonly label: string;
  readonly link: string;
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

/** Formats a mail as text and as HTML; escapes its input. */
export function linkMail(mail: LinkMail): Mail {
  const { to, subject } = mail;
  const greeting = escapeHtml(mail.greeting);
  const foot = footOf(mail.footnote, mail.ending);
  return {
    to,
    subject,
    text: `${mail.greeting}.\n\n${mail.instruction}\n\n${mail.link}\n\n${foot.text}\n`,
    html: pageOf(`<h1 style="font-size:1.25rem">${greeting}</h1>
    <p>${escapeHtml(mail.instruction)}</p>
    ${buttonOf(mail.action, mail.link)}
    ${foot.html}`),
  };
}

/** Formats the link that a mail is about, as HTML. */
export function buttonOf(label: string, link: string): string {
  return `<p><a href="${escapeHtml(link)}" style="display:inline-block;padding:.6rem 1.1rem;border-radius:.4rem;background:#1d4ed8;color:#fff;text-decoration:none">${escapeHtml(label)}</a></p>`;
}

/** Formats the end of a mail, as text and as HTML. */
export function footOf(footnote: string, ending?: FootLink): { text: string; html: string } {
  const link = ending
    ? ` <a href="${escapeHtml(ending.link)}" style="color:#59636e">${escapeHtml(ending.label)}</a>`
    : '';
  return {
    text: ending ? `${footnote}\n\n${ending.label}: ${ending.link}` : footnote,
    html: `<p style="color:#59636e;font-size:.875rem">${escapeHtml(footnote)}${link}</p>`,
  };
}

/** A mail that leads nowhere. */
interface PlainMail {
  readonly to: string;
  readonly subject: string;
  readonly sentence: string;
}

/** Formats a mail without a link. */
export function plainMail({ to, subject, sentence }: PlainMail): Mail {
  return {
    to,
    subject,
    text: `${sentence}\n`,
    html: pageOf(`<p>${escapeHtml(sentence)}</p>`),
  };
}

/** @param body - HTML */
export function pageOf(body: string): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="format-detection" content="telephone=no,date=no,address=no,email=no,url=no">
  </head>
  <body style="font:16px/1.5 system-ui,sans-serif;color:#1f2328;max-width:36rem;margin:2rem auto;padding:0 1rem">
    ${body}
  </body>
</html>
`;
}

export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
}
