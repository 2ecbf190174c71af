import type { Mail } from '../ports/mailer.ts';

/** A mail around one link; every text is plain. */
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

/** Writes a mail as text and as HTML; escapes what it is given. */
export function linkMail(mail: LinkMail): Mail {
  const { to, subject } = mail;
  const greeting = escapeHtml(mail.greeting);
  return {
    to,
    subject,
    text: `${mail.greeting}.\n\n${mail.instruction}\n\n${mail.link}\n\n${mail.footnote}\n`,
    html: `<!doctype html>
<html lang="en">
  <body style="font:16px/1.5 system-ui,sans-serif;color:#1f2328;max-width:36rem;margin:2rem auto;padding:0 1rem">
    <h1 style="font-size:1.25rem">${greeting}</h1>
    <p>${escapeHtml(mail.instruction)}</p>
    <p><a href="${escapeHtml(mail.link)}" style="display:inline-block;padding:.6rem 1.1rem;border-radius:.4rem;background:#1d4ed8;color:#fff;text-decoration:none">${escapeHtml(mail.action)}</a></p>
    <p style="color:#59636e;font-size:.875rem">${escapeHtml(mail.footnote)}</p>
  </body>
</html>
`,
  };
}

function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
}
