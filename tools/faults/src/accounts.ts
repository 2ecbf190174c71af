import { setTimeout as delay } from 'node:timers/promises';
import { createAccount, password, type Product, type Harness } from './account.ts';
import { send } from './requests.ts';
import { noRecords, type Worker } from './load.ts';
import type { Random } from './random.ts';

/** The time limit for all mails to arrive. */
const mailSeconds = 120;
const loginAttempts = 5;
/** How many register at the same time; password hashing is slow. */
const concurrency = 20;

/** Registers accounts and verifies their emails. */
export async function registerAccounts(product: Product, emails: readonly string[]): Promise<void> {
  const [{ url }] = product.apis;
  const post = async (path: string, body: unknown) => {
    const outcome = await send(url, { method: 'POST', path, body }, product.timeout);
    // Without a response it may have succeeded; the mail shows whether it did.
    if (outcome.state === 'refused') throw new Error(`${path}: ${JSON.stringify(outcome)}`);
  };
  await forEachConcurrently(emails, (email) => post('/api/auth/register', { email, password }));
  const tokens = await mailedTokens(product, emails);
  await forEachConcurrently(tokens, async (token) => {
    const request = { method: 'POST', path: '/api/auth/verify-email', body: { token } } as const;
    const outcomes = await Promise.all(
      product.apis.map((api) => send(api.url, request, product.timeout)),
    );
    const times = outcomes.filter(({ state }) => state === 'acknowledged').length;
    if (times > 1) throw new Error(`a mailed link worked ${times} times`);
  });
}

/** Creates a worker: a registered account that is logged in. */
export async function createWorker(
  about: { number: number; email: string; random: Random },
  { largeUploadShare, ...harness }: Harness & Pick<Worker, 'largeUploadShare'>,
): Promise<Worker> {
  const account = createAccount(about, harness);
  // On a busy machine the response may be late.
  for (let attempt = 1; !(await account.logIn()); attempt += 1) {
    if (attempt === loginAttempts) throw new Error(`${about.email} can't log in`);
  }
  const { findings } = harness;
  return { account, records: noRecords(), findings, largeUploadShare };
}

/** Processes every item, a limited number at the same time. */
export async function forEachConcurrently<Item>(
  items: Iterable<Item>,
  work: (item: Item) => Promise<unknown>,
): Promise<void> {
  const left = items[Symbol.iterator]();
  const one = async () => {
    for (let next = left.next(); next.done !== true; next = left.next()) await work(next.value);
  };
  await Promise.all(Array.from({ length: concurrency }, one));
}

async function mailedTokens({ mail }: Product, emails: readonly string[]): Promise<string[]> {
  const deadline = performance.now() + mailSeconds * 1_000;
  while (performance.now() < deadline) {
    const tokens = new Map<string, string>();
    for (const { to, text } of await mail.mails()) {
      const token = /token=([\w-]+)/.exec(text)?.[1];
      for (const { address } of to) if (token !== undefined) tokens.set(address, token);
    }
    const found = emails.flatMap((email) => tokens.get(email) ?? []);
    if (found.length === emails.length) return found;
    await delay(200);
  }
  throw new Error('some registered accounts got no mail');
}
