// @module-tag slow

import { createHash } from 'node:crypto';
import { eq } from 'drizzle-orm';
import {
  exportJWK,
  exportPKCS8,
  exportSPKI,
  generateKeyPair,
  importPKCS8,
  SignJWT,
  UnsecuredJWT,
} from 'jose';
import { afterAll, describe, expect, test } from 'vitest';
import { users } from '../../../db/generated/schema.ts';
import { newUser } from '../../../testing/accounts.ts';
import { call, someEmail, startTestApi, type TestApi } from '../../../testing/api.ts';
import { Browser, callbackAddress, startAddress } from '../../../testing/browser.ts';
import {
  hostileClient,
  startHostileProvider,
  type Behaviour,
} from '../../../testing/hostile-provider.ts';
import { setUpApi } from '../../../testing/set-up.ts';

const rsa = await generateKeyPair('RS256', { extractable: true });
const elliptic = await generateKeyPair('ES256');
const foreign = await generateKeyPair('RS256');
const jwks = {
  keys: [
    { ...(await exportJWK(rsa.publicKey)), kid: 'rsa' },
    { ...(await exportJWK(elliptic.publicKey)), kid: 'elliptic' },
  ],
};

const provider = await startHostileProvider();
provider.behave({ '/jwks': () => ({ body: jwks }) });
afterAll(() => provider.close());
const api = await setUpApi(provider.environment);

type Claims = Record<string, unknown>;
type Signing = (claims: Claims) => Promise<string>;

const now = () => Math.floor(Date.now() / 1000);

function goodClaims(): Claims {
  return {
    iss: provider.url,
    aud: hostileClient.id,
    sub: 'subject-of-ann',
    iat: now(),
    exp: now() + 3600,
    email: 'ann@example.com',
    email_verified: true,
  };
}

const byRsa: Signing = (claims) =>
  new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'rsa' }).sign(rsa.privateKey);

interface Attempt {
  readonly claims?: Claims;
  readonly sign?: Signing;
  /** Replaces the response with the id token. */
  readonly token?: Behaviour;
  readonly at?: TestApi;
}

/** Signs in with an id token of these claims; a claim that is undefined is left out. */
async function signIn({ claims = {}, sign = byRsa, token, at = api }: Attempt = {}): Promise<URL> {
  const browser = new Browser(at);
  const left = await browser.open(startAddress('google', 'ann@example.com'));
  const all = { ...goodClaims(), nonce: left.next?.searchParams.get('nonce'), ...claims };
  const present = Object.fromEntries(
    Object.entries(all).filter(([, value]) => value !== undefined),
  );
  provider.behave({
    '/token':
      token ?? (async () => ({ body: { token_type: 'Bearer', id_token: await sign(present) } })),
  });
  return browser.toApp(callbackAddress(left, 'a-code'));
}

const error = (page: URL) => page.searchParams.get('error');

async function exchangedUser(page: URL) {
  const code = page.searchParams.get('code') ?? '';
  const { status, body } = await call(api, 'auth.exchange', { body: { code } });
  expect(status).toBe(200);
  return body.data.user;
}

describe('an id token', () => {
  test('signed with RS256 or ES256 is accepted', async () => {
    const byElliptic: Signing = (claims) =>
      new SignJWT(claims)
        .setProtectedHeader({ alg: 'ES256', kid: 'elliptic' })
        .sign(elliptic.privateKey);
    for (const sign of [byRsa, byElliptic]) {
      expect((await signIn({ sign })).searchParams.get('code')).not.toBeNull();
    }
  });

  test.each<[string, () => Claims]>([
    ['another issuer', () => ({ iss: 'https://evil.example' })],
    ['the issuer with a slash', () => ({ iss: `${provider.url}/` })],
    ['no issuer', () => ({ iss: undefined })],
    ['another audience', () => ({ aud: 'another-client' })],
    ['no audience', () => ({ aud: undefined })],
    ['our audience, but made for another application', () => ({ azp: 'another-client' })],
    ['another nonce', () => ({ nonce: 'x'.repeat(43) })],
    ['no nonce', () => ({ nonce: undefined })],
    ['an expiry in the past', () => ({ exp: now() - 60 })],
    ['no expiry', () => ({ exp: undefined })],
    ['an expiry that is no number', () => ({ exp: 'tomorrow' })],
    ['a start in the future', () => ({ nbf: now() + 600 })],
    ['an issue in the future', () => ({ iat: now() + 600 })],
    ['an issue long ago', () => ({ iat: now() - 3000 })],
    ['no issue', () => ({ iat: undefined })],
    ['no subject', () => ({ sub: undefined })],
    ['an empty subject', () => ({ sub: '' })],
    ['a subject beyond measure', () => ({ sub: 'x'.repeat(256) })],
    ['NUL in its subject', () => ({ sub: 'a\0b' })],
  ])('with %s is refused', async (_, claims) => {
    const before = await api.db.$count(users);
    const page = await signIn({ claims: { sub: someEmail(), email: someEmail(), ...claims() } });
    expect([error(page), await api.db.$count(users)]).toEqual(['provider_error', before]);
  });

  test.each<[string, Signing]>([
    ['without a signature', async (claims) => new UnsecuredJWT(claims).encode()],
    [
      'with the public key as a shared secret',
      async (claims) =>
        new SignJWT(claims)
          .setProtectedHeader({ alg: 'HS256', kid: 'rsa' })
          .sign(new TextEncoder().encode(await exportSPKI(rsa.publicKey))),
    ],
    [
      'with our own client secret',
      (claims) =>
        new SignJWT(claims)
          .setProtectedHeader({ alg: 'HS256' })
          .sign(new TextEncoder().encode(hostileClient.secret.repeat(3))),
    ],
    [
      'by another key under a known name',
      (claims) =>
        new SignJWT(claims)
          .setProtectedHeader({ alg: 'RS256', kid: 'rsa' })
          .sign(foreign.privateKey),
    ],
    [
      'by an unknown key',
      (claims) =>
        new SignJWT(claims)
          .setProtectedHeader({ alg: 'RS256', kid: 'foreign' })
          .sign(foreign.privateKey),
    ],
    [
      'by a key that it brings along',
      async (claims) =>
        new SignJWT(claims)
          .setProtectedHeader({ alg: 'RS256', jwk: await exportJWK(foreign.publicKey) })
          .sign(foreign.privateKey),
    ],
    ['and then altered', async (claims) => (await byRsa(claims)).replace(/.{6}$/, 'AAAAAA')],
    ['without being a token', async () => 'no.token.at.all'],
  ])('signed %s is refused', async (_, sign) => {
    expect(error(await signIn({ sign }))).toBe('provider_error');
  });

  test('signed with an algorithm that is not pinned is refused', async () => {
    for (const alg of ['RS384', 'RS512', 'PS256']) {
      const key = await importPKCS8(await exportPKCS8(rsa.privateKey), alg);
      const sign: Signing = (claims) =>
        new SignJWT(claims).setProtectedHeader({ alg, kid: 'rsa' }).sign(key);
      expect([alg, error(await signIn({ sign }))]).toEqual([alg, 'provider_error']);
    }
  });

  test.each<[string, Claims]>([
    ['says that the email is not verified', { email_verified: false }],
    ['says nothing about it', { email_verified: undefined }],
    ['says so in a text', { email_verified: 'true' }],
    ['has no email', { email: undefined }],
    ['has an email that is none', { email: 'ann@example.com\r\nbcc: eve@example.com' }],
    ['has a list of emails', { email: ['ann@example.com'] }],
  ])('that %s signs no user up', async (_, claims) => {
    const page = await signIn({ claims: { sub: someEmail(), ...claims } });
    expect(error(page)).toBe('email_unverified');
  });

  test('with overlong names signs up without them', async () => {
    const email = someEmail();
    const names = { given_name: 'x'.repeat(5000), family_name: 'a\0b' };
    await signIn({ claims: { sub: email, email, ...names } });
    const [user] = await api.db.select().from(users).where(eq(users.email, email));
    expect([user?.firstName, user?.lastName]).toEqual([null, null]);
  });
});

test('the exchange proves the client by the verifier, and sends the secret in the body', async () => {
  const browser = new Browser(api);
  const left = await browser.open(startAddress('google', 'ann@example.com'));
  provider.behave({ '/token': () => ({ body: {} }) });
  await browser.toApp(callbackAddress(left, 'the code+&='));
  const { form, headers } = provider.requests.findLast(({ path }) => path === '/token') ?? {};
  const { code_verifier: verifier = '', ...fields } = Object.fromEntries(form ?? []);
  expect(fields).toEqual({
    grant_type: 'authorization_code',
    code: 'the code+&=',
    client_id: hostileClient.id,
    client_secret: hostileClient.secret,
    redirect_uri: 'https://api.example.com/api/auth/google/callback',
  });
  expect(headers?.authorization).toBeUndefined();
  expect(createHash('sha256').update(verifier).digest('base64url')).toBe(
    left.next?.searchParams.get('code_challenge'),
  );
});

test('a changed email at the provider moves no identity, and takes over no account', async () => {
  const [first, later] = [someEmail(), someEmail()];
  const sub = `subject of ${first}`;
  const user = await exchangedUser(await signIn({ claims: { sub, email: first } }));
  const owner = await newUser(api);
  for (const email of [later, owner.email]) {
    const page = await signIn({ claims: { sub, email } });
    expect(page.searchParams.get('is_new')).toBe('false');
    expect(await exchangedUser(page)).toEqual({ id: user.id, email: first });
  }
  // The identity itself counts, so the email need not even be verified any more.
  const unverified = await signIn({ claims: { sub, email: later, email_verified: false } });
  expect(await exchangedUser(unverified)).toEqual(user);
  expect(await api.db.$count(users, eq(users.email, later))).toBe(0);
});

test('the keys are fetched once for many sign-ins', async () => {
  const fresh = await startTestApi(provider.environment);
  const count = () => provider.requests.filter(({ path }) => path === '/jwks').length;
  const before = count();
  for (let times = 0; times < 3; times += 1) {
    expect((await signIn({ at: fresh })).searchParams.get('code')).not.toBeNull();
  }
  await fresh.close();
  expect(count()).toBe(before + 1);
});

describe('a token endpoint that', () => {
  test.each<[string, Behaviour, string]>([
    [
      'refuses the code',
      () => ({ status: 400, body: { error: 'invalid_grant' } }),
      'provider_error',
    ],
    ['refuses with markup', () => ({ status: 400, body: { error: '<b>' } }), 'provider_error'],
    ['gives no id token', () => ({ body: { access_token: 'x' } }), 'provider_error'],
    ['gives a number', () => ({ body: { id_token: 5 } }), 'provider_error'],
    ['gives null', () => ({ body: 'null' }), 'provider_error'],
    ['gives a page', () => ({ body: '<html>' }), 'provider_error'],
    ['gives nothing', () => ({ status: 204, body: '' }), 'provider_error'],
    ['fails', () => ({ status: 500, body: 'oops' }), 'provider_unavailable'],
    ['is overloaded', () => ({ status: 429, body: {} }), 'provider_unavailable'],
    ['hangs up', () => 'hang up', 'provider_unavailable'],
    ['keeps silent', () => 'silence', 'provider_unavailable'],
  ])('%s ends the sign-in with a redirect to the app', async (_, token, expected) => {
    expect((await signIn({ token })).href).toBe(
      `https://app.example.com/loading?error=${expected}`,
    );
  });

  test('redirects does not get the secret sent elsewhere', async () => {
    const page = await signIn({
      token: () => ({ status: 307, headers: { location: `${provider.url}/elsewhere` }, body: {} }),
    });
    expect(error(page)).toBe('provider_error');
    expect(provider.requests.filter(({ path }) => path === '/elsewhere')).toEqual([]);
  });
});

test('unavailable keys end the sign-in with a redirect to the app, until they are available', async () => {
  const fresh = await startTestApi(provider.environment);
  const outcomes: [Behaviour, string | null][] = [
    [() => 'hang up', 'provider_unavailable'],
    [() => 'silence', 'provider_unavailable'],
    [() => ({ status: 503, body: {} }), 'provider_unavailable'],
    [() => ({ status: 404, body: {} }), 'provider_error'],
    [() => ({ body: '<html>' }), 'provider_error'],
    [() => ({ body: { keys: 'none' } }), 'provider_error'],
    [() => ({ body: { ...jwks, padding: 'x'.repeat(300_000) } }), 'provider_error'],
    [() => ({ body: jwks }), null],
  ];
  const seen: (string | null)[] = [];
  for (const [behaviour] of outcomes) {
    provider.behave({ '/jwks': behaviour });
    seen.push(error(await signIn({ at: fresh })));
  }
  await fresh.close();
  expect(seen).toEqual(outcomes.map(([, expected]) => expected));
});

test('an unavailable provider ends the sign-in with a redirect to the app', async () => {
  const gone = await startHostileProvider();
  const alone = await startTestApi(gone.environment);
  await gone.close();
  for (const name of ['google', 'github'] as const) {
    const browser = new Browser(alone);
    const left = await browser.open(startAddress(name, 'ann@example.com'));
    const page = await browser.toApp(callbackAddress(left, 'a-code'));
    expect(error(page)).toBe('provider_unavailable');
  }
  await alone.close();
});
