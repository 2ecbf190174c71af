import type { Mail } from '../ports/mailer.ts';

interface LinkMail {
  readonly to: string;
  readonly subject: string;
  readonly greeting: string;
  readonly instruction: string;
  readonly action: string;
  readonly link: string;
  readonly footnote: string;
}

/** Asks a new account to prove its address. */
export function verificationMail(to: string, link: string): Mail {
  return linkMail({
    to,
    subject: 'Please verify your email',
    greeting: 'Welcome to Atelier',
    instruction: 'Open this link within 24 hours to verify your email address and log in:',
    action: 'Verify email',
    link,
    footnote:
      'If you did not create an account, ignore this mail: nothing happens without the link.',
  });
}

/** Lets the owner of an address choose a new password. */
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

export interface InvitationMail {
  readonly to: string;
  readonly inviterName: string;
  readonly organizationName: string;
  readonly link: string;
  readonly expiresAt: Date;
}

/** Offers a membership to somebody who may not have heard of the service. */
export function invitationMail({ to, link, expiresAt, ...names }: InvitationMail): Mail {
  const inviter = asQuotedName(names.inviterName);
  const organization = asQuotedName(names.organizationName);
  return linkMail({
    to,
    subject: `${inviter} invited you to ${organization}`,
    greeting: `${inviter} invited you to join ${organization} on Atelier`,
    instruction: `Open this link by ${dayAndTime.format(expiresAt)} UTC and log in, or register, with ${to}:`,
    action: 'See the invitation',
    link,
    footnote: 'If you do not know who this is, ignore this mail: nothing happens without the link.',
  });
}

const dayAndTime = new Intl.DateTimeFormat('en-GB', {
  dateStyle: 'long',
  timeStyle: 'short',
  timeZone: 'UTC',
});

/**
 * A name that somebody else chose, for a header or a sentence: on one line, without marks that turn the
 * direction of what follows, and without a link of its own.
 */
function asQuotedName(name: string): string {
  return name
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .replaceAll(/\p{Bidi_Control}/gu, '')
    .replaceAll('://', ': ')
    .trim();
}

function linkMail(mail: LinkMail): Mail {
  const { to, subject, greeting, instruction, action, link, footnote } = mail;
  return {
    to,
    subject,
    text: `${greeting}.\n\n${instruction}\n\n${link}\n\n${footnote}\n`,
    html: `<!doctype html>
<html lang="en">
  <body style="font:16px/1.5 system-ui,sans-serif;color:#1f2328;max-width:36rem;margin:2rem auto;padding:0 1rem">
    <h1 style="font-size:1.25rem">${escapeHtml(greeting)}</h1>
    <p>${escapeHtml(instruction)}</p>
    <p><a href="${escapeHtml(link)}" style="display:inline-block;padding:.6rem 1.1rem;border-radius:.4rem;background:#1d4ed8;color:#fff;text-decoration:none">${escapeHtml(action)}</a></p>
    <p style="color:#59636e;font-size:.875rem">${escapeHtml(footnote)}</p>
  </body>
</html>
`,
  };
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}
