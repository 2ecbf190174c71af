import { setTimeout as delay } from 'node:timers/promises';
import { createClient } from '@atelier/client';

export interface Account {
  readonly id: string;
  readonly email: string;
}

export const password = 'correct horse battery';
const mailPollMs = 50;
const mailTimeoutMs = 20_000;

/** Registers accounts, and verifies them by the mailed links. */
export async function signUp(
  { apiUrl, mailUrl }: { apiUrl: string; mailUrl: string },
  emails: readonly string[],
): Promise<Account[]> {
  const accounts: Account[] = [];
  for (const email of emails) {
    const api = createClient({ baseUrl: apiUrl });
    await api.auth.register({ body: { email, password, firstName: 'Ada', lastName: 'Lovelace' } });
    await api.auth.verifyEmail({ body: { token: await mailedToken(mailUrl, email) } });
    const { user } = await api.auth.login({ body: { email, password } });
    accounts.push({ id: user.id, email });
  }
  return accounts;
}

/** Signs accounts in. @returns an access token of each */
export async function signIn(apiUrl: string, emails: readonly string[]): Promise<string[]> {
  const tokens: string[] = [];
  for (const email of emails) {
    const api = createClient({ baseUrl: apiUrl });
    const { token } = await api.auth.login({ body: { email, password } });
    tokens.push(token.accessToken);
  }
  return tokens;
}

async function mailedToken(mailUrl: string, email: string): Promise<string> {
  const deadline = performance.now() + mailTimeoutMs;
  while (performance.now() < deadline) {
    const mails: unknown = await (await fetch(`${mailUrl}/email`)).json();
    const mail = Array.isArray(mails)
      ? mails.map((each: unknown) => JSON.stringify(each)).find((text) => text.includes(email))
      : undefined;
    const token = /\/verify-email\?token=([\w.-]+)/.exec(mail ?? '')?.[1];
    if (token !== undefined) return token;
    await delay(mailPollMs);
  }
  throw new Error(`No mail for ${email} arrived.`);
}
