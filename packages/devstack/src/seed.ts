import { setTimeout as delay } from 'node:timers/promises';

export interface DemoAccount {
  email: string;
  password: string;
}

export interface SeedOptions {
  apiUrl: string;
  mailUrl: string;
  demo: DemoAccount;
}

const mailPollMs = 100;
const mailTimeoutMs = 20_000;

async function post(address: string, body: object): Promise<Response> {
  return fetch(address, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}

async function postOrThrow(address: string, body: object): Promise<void> {
  const answer = await post(address, body);
  if (answer.ok) return;
  throw new Error(`POST ${address} answered ${answer.status}: ${await answer.text()}`);
}

function verificationTokenFor(email: string, mails: unknown): string | undefined {
  if (!Array.isArray(mails)) return undefined;
  const texts = mails.flatMap((mail: unknown) => {
    const line = JSON.stringify(mail);
    return line.includes(`"address":${JSON.stringify(email)}`) ? [line] : [];
  });
  return /\/verify-email\?token=([\w.-]+)/.exec(texts.at(-1) ?? '')?.[1];
}

async function mailedToken({ mailUrl, demo }: SeedOptions): Promise<string> {
  const deadline = performance.now() + mailTimeoutMs;
  while (performance.now() < deadline) {
    const answer = await fetch(`${mailUrl}/email`);
    const token = verificationTokenFor(demo.email, await answer.json());
    if (token !== undefined) return token;
    await delay(mailPollMs);
  }
  throw new Error(`no verification mail for ${demo.email} arrived`);
}

/**
 * Makes the demo account over the product's own interface: registers it and verifies it with the
 * mailed link. Does nothing when it can sign in already.
 *
 * @throws Error that says which step was refused
 */
export async function seedDemo(options: SeedOptions): Promise<void> {
  const { apiUrl, demo } = options;
  const signIn = await post(`${apiUrl}/api/auth/login`, demo);
  await signIn.body?.cancel();
  if (signIn.ok) return;
  await postOrThrow(`${apiUrl}/api/auth/register`, {
    ...demo,
    firstName: 'Demo',
    lastName: 'Person',
  });
  await postOrThrow(`${apiUrl}/api/auth/verify-email`, { token: await mailedToken(options) });
}
