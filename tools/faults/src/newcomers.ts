import { setTimeout as delay } from 'node:timers/promises';
import { createAccount, password, type Product, type Surroundings } from './account.ts';
import { send } from './calls.ts';
import { noBelongings, type Worker } from './load.ts';
import type { Random } from './random.ts';

/** Longest until all mails have come, in seconds. */
const mailSeconds = 120;
const loginAttempts = 5;
/** Who registers at the same time; passwords take their time. */
const atATime = 20;

/** Registers accounts and proves their mailboxes. */
export async function openAccounts(product: Product, emails: readonly string[]): Promise<void> {
  const [{ url }] = product.apis;
  const post = async (path: string, body: unknown) => {
    const outcome = await send(url, { method: 'POST', path, body }, product.patience);
    // Without an answer it may have come about; the mail tells.
    if (outcome.state === 'refused') throw new Error(`${path}: ${JSON.stringify(outcome)}`);
  };
  await eachOf(emails, (email) => post('/api/auth/register', { email, password }));
  const tokens = await mailedTokens(product, emails);
  await eachOf(tokens, async (token) => {
    const request = { method: 'POST', path: '/api/auth/verify-email', body: { token } } as const;
    const outcomes = await Promise.all(
      product.apis.map((api) => send(api.url, request, product.patience)),
    );
    const times = outcomes.filter(({ state }) => state === 'acknowledged').length;
    if (times > 1) throw new Error(`a mailed link worked ${times} times`);
  });
}

/** Somebody who is logged in to an open account, and works. */
export async function newWorker(
  about: { number: number; email: string; random: Random },
  { largeUploadShare, ...surroundings }: Surroundings & Pick<Worker, 'largeUploadShare'>,
): Promise<Worker> {
  const account = createAccount(about, surroundings);
  // A machine with much else to do may be late with an answer.
  for (let attempt = 1; !(await account.logIn()); attempt += 1) {
    if (attempt === loginAttempts) throw new Error(`${about.email} can't log in`);
  }
  const { findings } = surroundings;
  return { account, belongings: noBelongings(), findings, largeUploadShare };
}

/** Does something with every item, some of them at a time. */
export async function eachOf<Item>(
  items: Iterable<Item>,
  work: (item: Item) => Promise<unknown>,
): Promise<void> {
  const left = items[Symbol.iterator]();
  const one = async () => {
    for (let next = left.next(); next.done !== true; next = left.next()) await work(next.value);
  };
  await Promise.all(Array.from({ length: atATime }, one));
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
  throw new Error('not everybody who registered got a mail');
}
