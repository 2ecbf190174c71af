import { setTimeout as delay } from 'node:timers/promises';

const pollMs = 50;
/** Ends a wait for a mail that never arrives; on a busy machine, one takes many times as long as on an idle one. */
const timeoutMs = 120_000;

/** Waits for an email and returns the token from the newest link to this page. */
export async function tokenFromMail(
  { mail }: { readonly mail: string },
  email: string,
  page:
    | 'verify-email'
    | 'reset-password'
    | 'invitations'
    | 'keep-account'
    | 'change-email'
    | 'undo-email-change',
): Promise<string> {
  const link = new RegExp(`/${page}(?:\\?token=|/)([\\w.-]+)`);
  const deadline = performance.now() + timeoutMs;
  while (performance.now() < deadline) {
    const mails: unknown = await (await fetch(`${mail}/email`)).json();
    const texts = Array.isArray(mails) ? mails.map((item: unknown) => JSON.stringify(item)) : [];
    const token = texts
      .filter((text) => text.includes(`"address":${JSON.stringify(email)}`))
      .map((text) => link.exec(text)?.[1])
      .findLast((found) => found !== undefined);
    if (token !== undefined) return token;
    await delay(pollMs);
  }
  throw new Error(`no email to ${email} with a link to ${page} arrived`);
}
