import { randomUUID } from 'node:crypto';
import { reasonOf, Unreachable } from './deployment.ts';
import { arrivalMs } from './eventually.ts';
import { Abandoned, NotRun } from './findings.ts';
import type { Probe } from './probe.ts';
import { isRecord } from './response-rules.ts';

/** A verified account with an open session. */
export interface Account {
  readonly id: string;
  readonly email: string;
  readonly password: string;
  readonly token: string;
  readonly refreshToken: string;
  /** When its session began, in milliseconds since 1970. */
  readonly signedInAt: number;
  readonly personalOrganizationId: string;
}

export interface Credentials {
  readonly email: string;
  readonly password: string;
}

/** What an account may say about its owner. */
interface Profile {
  readonly firstName?: string;
}

export interface ReceivedMail {
  readonly to: readonly string[];
  readonly subject: string;
  readonly text: string;
}

const firstMailPollMs = 50;
const slowestMailPollMs = 1000;

/** Creates unused credentials. */
export function newCredentials(name: string): Credentials {
  const unique = randomUUID();
  return { email: `conformance-${name}-${unique}@example.com`, password: `pass ${unique}` };
}

/**
 * Creates an account as a user would: registers, follows the mailed link, signs in.
 *
 * @throws Abandoned when a step fails
 */
export async function newAccount(
  probe: Probe,
  name: string,
  profile: Profile = {},
): Promise<Account> {
  const credentials = newCredentials(name);
  await register(probe, { ...credentials, ...profile });
  const token = await mailedToken(probe, credentials.email, 'verify');
  await probe.succeed('auth.verifyEmail', { body: { token } });
  return logIn(probe, credentials);
}

/** Registers an account, which stays PENDING. */
export async function register(probe: Probe, credentials: Credentials & Profile): Promise<void> {
  await probe.succeed('auth.register', { body: credentials });
}

/** Opens another session. @throws Abandoned when it fails */
export async function logIn(probe: Probe, { email, password }: Credentials): Promise<Account> {
  const signedInAt = Date.now();
  const { user, token } = await probe.succeed('auth.login', { body: { email, password } });
  const me = await probe.succeed('auth.user', { token: token.accessToken });
  return {
    email,
    password,
    id: user.id,
    token: token.accessToken,
    refreshToken: token.refreshToken,
    signedInAt,
    personalOrganizationId: me.personalOrganizationId,
  };
}

type MailKind = 'verify' | 'reset' | 'invited' | 'deleted' | 'new email' | 'was changed';

/**
 * Waits for the newest mail of a kind, and returns the token of its link.
 *
 * @param wanted - the kind; `after` skips mails with that token
 */
export async function mailedToken(
  probe: Probe,
  address: string,
  wanted: MailKind | { readonly kind: MailKind; readonly after: string },
): Promise<string> {
  const mail = await newestMail(
    probe,
    address,
    typeof wanted === 'string' ? { kind: wanted, after: null } : wanted,
  );
  const link = /https?:\/\/\S+/.exec(mail.text)?.[0] ?? '';
  const url = URL.canParse(link) ? new URL(link) : null;
  const token = url?.searchParams.get('token') ?? url?.pathname.split('/').at(-1) ?? '';
  if (token !== '') return token;
  probe.findings.push({
    rule: 'mail.link',
    operation: null,
    request: `the mail "${mail.subject}"`,
    expected: 'a link with a token',
    actual: 'none',
  });
  throw new Abandoned('the mail has no link');
}

/** Returns the origin of the web app, where the links of mails lead. */
export async function appOrigin(probe: Probe, address: string): Promise<string> {
  const { text } = await newestMail(probe, address, { kind: 'verify', after: null });
  const link = /https?:\/\/\S+/.exec(text)?.[0] ?? '';
  return URL.canParse(link) ? new URL(link).origin : '';
}

async function newestMail(
  probe: Probe,
  address: string,
  { kind, after }: { readonly kind: MailKind; readonly after: string | null },
): Promise<ReceivedMail> {
  const deadline = Date.now() + arrivalMs;
  let pauseMs = firstMailPollMs;
  while (Date.now() < deadline) {
    const mail = (await mailsIn(probe.deployment.mailApiUrl)).findLast(
      ({ to, subject, text }) =>
        to.includes(address.toLowerCase()) &&
        subject.toLowerCase().includes(kind) &&
        (after === null || !text.includes(after)),
    );
    if (mail) return mail;
    await pause(pauseMs);
    // Each poll reads the whole inbox, which may be large.
    pauseMs = Math.min(slowestMailPollMs, pauseMs * 1.2);
  }
  probe.findings.push({
    rule: 'mail.delivered',
    operation: null,
    request: `the mails to ${address}`,
    expected: `a mail with ${kind} in its subject within ${arrivalMs / 1_000} s`,
    actual: 'none',
  });
  throw new Abandoned('no mail was delivered');
}

/**
 * Lists every mail of the inbox.
 *
 * @throws NotRun when there is no inbox
 * @throws Unreachable when it does not list mails
 */
export async function mailsIn(mailApiUrl: string | null): Promise<ReceivedMail[]> {
  if (mailApiUrl === null) throw new NotRun('needs the mail inbox');
  const mails = await readMails(`${mailApiUrl}/email`);
  if (!Array.isArray(mails)) throw new Unreachable(`${mailApiUrl}/email is not a list of mails`);
  return mails.filter(isRecord).map((mail) => ({
    to: addressesIn(mail['to']),
    subject: String(mail['subject']),
    text: String(mail['text']),
  }));
}

async function readMails(address: string): Promise<unknown> {
  try {
    return await (await fetch(address)).json();
  } catch (cause) {
    throw new Unreachable(`${address} does not list mails: ${reasonOf(cause)}`, { cause });
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

function addressesIn(to: unknown): string[] {
  if (!Array.isArray(to)) return [];
  return to.filter(isRecord).map(({ address }) => String(address).toLowerCase());
}
