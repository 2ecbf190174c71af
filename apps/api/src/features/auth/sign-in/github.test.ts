// @module-tag slow

import { eq } from 'drizzle-orm';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { users } from '../../../db/generated/schema.ts';
import { newUser } from '../../../testing/accounts.ts';
import { call, someEmail } from '../../../testing/api.ts';
import { Browser, callbackAddress, startAddress } from '../../../testing/browser.ts';
import { startHostileProvider, type Behaviour } from '../../../testing/hostile-provider.ts';
import { setUpApi } from '../../../testing/set-up.ts';

const provider = await startHostileProvider();
afterAll(() => provider.close());
const api = await setUpApi(provider.environment);
beforeEach(() => {
  provider.behave({ '/token': () => ({ body: { access_token: 'gho_secret' } }), ...person({}) });
});

let lastId = 1000;

function person({ id = (lastId += 1), email = someEmail(), name = 'Ann Lee' as unknown }) {
  return {
    '/user': () => ({ body: { id, login: 'ann', name } }),
    '/emails': () => ({
      body: [
        { email: someEmail('other'), primary: false, verified: true },
        { email, primary: true, verified: true },
      ],
    }),
  } satisfies Record<string, Behaviour>;
}

async function signIn(): Promise<URL> {
  const browser = new Browser(api);
  const left = await browser.open(startAddress('github', 'ann@example.com'));
  return browser.toApp(callbackAddress(left, 'a-code'));
}

async function signedInEmail(page: URL): Promise<string> {
  const code = page.searchParams.get('code') ?? '';
  const { body } = await call(api, 'auth.exchange', { body: { code } });
  return body.data.user.email;
}

test('uses the primary address, and copies names', async () => {
  const email = someEmail();
  provider.behave(person({ email: email.toUpperCase(), name: '  Ann  van der Lee ' }));
  expect(await signedInEmail(await signIn())).toBe(email);
  const [user] = await api.db.select().from(users).where(eq(users.email, email));
  expect([user?.firstName, user?.lastName]).toEqual(['Ann', 'van der Lee']);
});

test('signs up a user without a name', async () => {
  const email = someEmail();
  provider.behave(person({ email, name: null }));
  expect(await signedInEmail(await signIn())).toBe(email);
});

test('sends the token to the two endpoints only', async () => {
  await signIn();
  const carrying = provider.requests.filter(({ headers }) => headers.authorization !== undefined);
  expect(new Set(carrying.map(({ path }) => path))).toEqual(new Set(['/user', '/emails']));
  expect(new Set(carrying.map(({ headers }) => headers.authorization))).toEqual(
    new Set(['Bearer gho_secret']),
  );
});

test('a changed address at GitHub moves no identity, and takes over no account', async () => {
  const [email, later] = [someEmail(), someEmail()];
  const owner = await newUser(api);
  for (const current of [email, later, owner.email]) {
    provider.behave(person({ id: 7, email: current }));
    expect(await signedInEmail(await signIn())).toBe(email);
  }
});

test("another GitHub identity gets access to an address's account only when it is verified", async () => {
  const email = someEmail();
  provider.behave(person({ id: 8, email }));
  await signIn();
  provider.behave({
    ...person({ id: 9 }),
    '/emails': () => ({ body: [{ email, primary: true, verified: false }] }),
  });
  expect((await signIn()).search).toBe('?error=email_unverified');
  provider.behave(person({ id: 9, email }));
  expect(await signedInEmail(await signIn())).toBe(email);
});

describe('a response of GitHub', () => {
  const emails = (...entries: object[]): Record<string, Behaviour> => ({
    '/emails': () => ({ body: entries }),
  });
  test.each<[string, Record<string, Behaviour>, string]>([
    [
      'whose primary address is not verified, though another is',
      emails(
        { email: 'ann@example.com', primary: false, verified: true },
        { email: 'boss@example.com', primary: true, verified: false },
      ),
      'email_unverified',
    ],
    ['without addresses', emails(), 'email_unverified'],
    [
      'without a primary address',
      emails({ email: 'ann@example.com', primary: false, verified: true }),
      'email_unverified',
    ],
    [
      'with an address that is none',
      emails({ email: '<b>', primary: true, verified: true }),
      'email_unverified',
    ],
    [
      'that says verified in a text',
      emails({ email: 'ann@example.com', primary: true, verified: 'true' }),
      'provider_error',
    ],
    ['without the scope', { '/emails': () => ({ status: 404, body: {} }) }, 'provider_error'],
    ['with an id that is a text', { '/user': () => ({ body: { id: '7' } }) }, 'provider_error'],
    ['with an id of 0', { '/user': () => ({ body: { id: 0 } }) }, 'provider_error'],
    ['without an id', { '/user': () => ({ body: { login: 'ann' } }) }, 'provider_error'],
    ['that refuses the token', { '/user': () => ({ status: 401, body: {} }) }, 'provider_error'],
    [
      'that refuses the code with a 200',
      { '/token': () => ({ body: { error: 'bad_verification_code' } }) },
      'provider_error',
    ],
    ['without a token', { '/token': () => ({ body: { token_type: 'bearer' } }) }, 'provider_error'],
    [
      'beyond measure',
      { '/user': () => ({ body: { id: 77, bio: 'x'.repeat(300_000) } }) },
      'provider_error',
    ],
    ['of a failing server', { '/user': () => ({ status: 502, body: '' }) }, 'provider_unavailable'],
    ['that never comes', { '/emails': () => 'silence' }, 'provider_unavailable'],
  ])('%s signs no user in', async (_, behaviours, expected) => {
    provider.behave(behaviours);
    const before = await api.db.$count(users);
    const page = await signIn();
    expect([page.search, await api.db.$count(users)]).toEqual([`?error=${expected}`, before]);
  });
});
