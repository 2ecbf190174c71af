import { expect, inject, vi } from 'vitest';
import { call, someEmail, type Reachable } from './api.ts';

export interface ReceivedMail {
  readonly id: string;
  readonly to: readonly { readonly address: string }[];
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly headers: Readonly<Record<string, string>>;
}

export const somePassword = 'correct horse battery';

/** Returns the mails to an address, oldest first. */
export async function mailsTo(address: string): Promise<ReceivedMail[]> {
  // Only these: the inbox has the mails of all test files.
  const query = new URLSearchParams({ to: address });
  const response = await fetch(`${inject('services').mail.url}/email?${query.toString()}`);
  return (await response.json()) as ReceivedMail[];
}

/** Waits until `count` mails to an address have arrived; returns the newest. */
export async function nextMail(address: string, count = 1): Promise<ReceivedMail> {
  const mails = await vi.waitFor(
    async () => {
      const arrived = await mailsTo(address);
      expect(arrived.length).toBeGreaterThanOrEqual(count);
      return arrived;
    },
    { timeout: 20_000, interval: 20 },
  );
  const newest = mails.at(-1);
  if (!newest) throw new Error('unreachable: at least one mail has arrived');
  return newest;
}

/** Returns the token of the only link in a mail. */
export function tokenIn(mail: ReceivedMail): string {
  const links = mail.text.match(/https?:\/\/\S+/g) ?? [];
  expect(links).toHaveLength(1);
  return new URL(String(links[0])).searchParams.get('token') ?? '';
}

/** Waits for a mail with a subject; returns the newest. */
export async function mailOf(email: string, subject: string): Promise<ReceivedMail> {
  const found = async () => (await mailsTo(email)).findLast((mail) => mail.subject === subject);
  await expect.poll(found, { timeout: 20_000, interval: 20 }).toBeDefined();
  const mail = await found();
  if (!mail) throw new Error('unreachable: the mail has arrived');
  return mail;
}

/** Waits for a mail with a subject; returns the token of its link. */
export async function mailedTokenOf(email: string, subject: string): Promise<string> {
  return tokenIn(await mailOf(email, subject));
}

export interface TestUser {
  readonly id: string;
  readonly email: string;
  readonly password: string;
  readonly token: string;
  readonly refreshToken: string;
  readonly organizationId: string;
}

/** Registers, verifies with the mailed link, and signs in. */
export async function newUser(api: Reachable, name = 'someone'): Promise<TestUser> {
  const email = someEmail(name);
  const registered = await call(api, 'auth.register', { body: { email, password: somePassword } });
  expect([registered.status, registered.body]).toEqual([201, expect.anything()]);
  const token = tokenIn(await nextMail(email));
  expect((await call(api, 'auth.verifyEmail', { body: { token } })).status).toBe(200);
  return logIn(api, { email, password: somePassword });
}

export async function logIn(
  api: Reachable,
  credentials: { email: string; password: string },
): Promise<TestUser> {
  const { status, body } = await call(api, 'auth.login', { body: credentials });
  expect(status).toBe(200);
  const { user, token } = body.data;
  const me = await call(api, 'auth.user', { token: token.accessToken });
  return {
    ...credentials,
    id: user.id,
    token: token.accessToken,
    refreshToken: token.refreshToken,
    organizationId: me.body.data.personalOrganizationId,
  };
}
