// @module-tag slow

import { createHash } from 'node:crypto';
import type { SignInError } from '@atelier/contract';
import { sql } from 'drizzle-orm';
import { describe, expect, inject, test } from 'vitest';
import { exchangeCodes, users } from '../../../db/generated/schema.ts';
import { startApiProcess } from '../../../testing/api-process.ts';
import {
  call,
  cloneDatabase,
  send,
  someEmail,
  startTestApi,
  testEnvironment,
} from '../../../testing/api.ts';
import { Browser, startAddress } from '../../../testing/browser.ts';
import { setUpApi } from '../../../testing/set-up.ts';

const api = await setUpApi();

const failed = (error: SignInError) => `https://app.example.com/loading?error=${error}`;

async function accounts(): Promise<number> {
  return api.db.$count(users);
}

describe('starting a sign-in', () => {
  test.each(['google', 'github'] as const)('%s gets state, PKCE and the hint', async (provider) => {
    const registered = inject('services').identity[provider];
    const { status, next } = await new Browser(api).open(startAddress(provider, 'Ann@example.com'));
    expect(status).toBe(302);
    expect(next?.href.split('?')[0]).toBe(registered.authorizationEndpoint);
    expect(Object.fromEntries(next?.searchParams ?? [])).toMatchObject({
      response_type: 'code',
      client_id: registered.clientId,
      redirect_uri: `https://api.example.com/api/auth/${provider}/callback`,
      state: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
      login_hint: 'Ann@example.com',
      ...(provider === 'google' && { nonce: expect.stringMatching(/^[\w-]{43}$/) }),
    });
  });

  test('sends a cookie for the callback only, http-only, lax, secure, and encrypted', async () => {
    const { headers, next } = await new Browser(api).open(
      startAddress('google', 'ann@example.com'),
    );
    const [cookie = '', ...others] = headers.getSetCookie();
    expect(others).toEqual([]);
    const [pair = '', ...attributes] = cookie.split('; ');
    expect(attributes.toSorted()).toEqual([
      'HttpOnly',
      'Max-Age=600',
      'Path=/api/auth/google/callback',
      'SameSite=Lax',
      'Secure',
    ]);
    expect(pair).toMatch(/^__Secure-atelier-sign-in=/);
    const state = next?.searchParams.get('state') ?? '';
    for (const part of pair.split(/[=.]/)) {
      const text = Buffer.from(part, 'base64url').toString('latin1');
      expect(text).not.toContain(state);
      expect(text).not.toContain('codeVerifier');
    }
  });

  test('every sign-in has its own state, nonce and challenge', async () => {
    const steps = await Promise.all(
      Array.from({ length: 20 }, () => new Browser(api).open(startAddress('google', 'a@b.de'))),
    );
    for (const name of ['state', 'nonce', 'code_challenge']) {
      expect(new Set(steps.map(({ next }) => next?.searchParams.get(name))).size).toBe(20);
    }
  });

  test('omits an absent hint, and rejects an overlong one', async () => {
    const bare = await call(api, 'auth.startGoogle');
    expect(bare.headers.get('location')).not.toContain('login_hint');
    const long = await call(api, 'auth.startGoogle', { query: { login_hint: 'x'.repeat(255) } });
    expect([long.status, long.body.code]).toEqual([400, 'validation_failed']);
  });

  test('over plain HTTP below a path, the cookie matches the address of the API', async () => {
    const local = await startTestApi({ BASE_URL: 'http://localhost:3000/behind/proxy' });
    const { headers } = await call(local, 'auth.startGithub');
    await local.close();
    expect(headers.getSetCookie()[0]).toMatch(/^atelier-sign-in=[^;]+; /);
    expect(headers.getSetCookie()[0]).toContain('Path=/behind/proxy/api/auth/github/callback');
    expect(headers.getSetCookie()[0]).not.toContain('Secure');
  });
});

describe('every redirect', () => {
  test('sends no referrer, is not stored, and clears the cookie at the end', async () => {
    const browser = new Browser(api);
    const left = await browser.open(startAddress('google', someEmail()));
    const arrival = await browser.toCallback('google', someEmail());
    const refused = await browser.open(new URL('/api/auth/google/callback?state=x', arrival));
    const again = new Browser(api);
    const back = await again.open(await again.toCallback('google', someEmail()));
    for (const { status, headers } of [left, refused, back]) {
      expect(status).toBe(302);
      expect(headers.get('referrer-policy')).toBe('no-referrer');
      expect(headers.get('cache-control')).toBe('no-store');
    }
    for (const { headers } of [refused, back]) {
      expect(headers.getSetCookie()).toEqual([expect.stringContaining('Max-Age=0')]);
    }
    expect(await again.cookiesFor(arrival)).toBe('');
  });
});

describe('the callback', () => {
  test('without a cookie, in another browser, is refused', async () => {
    const before = await accounts();
    const arrival = await new Browser(api).toCallback('google', someEmail());
    const elsewhere = new Browser(api);
    expect((await elsewhere.toApp(arrival)).href).toBe(failed('invalid_state'));
    await elsewhere.open(startAddress('google', someEmail()));
    expect((await elsewhere.toApp(arrival)).href).toBe(failed('invalid_state'));
    expect(await accounts()).toBe(before);
  });

  test.each([
    ['a forged state', { state: 'x'.repeat(43) }],
    ['an empty state', { state: '' }],
    ['no state', { state: undefined }],
    ['a state beyond measure', { state: 'x'.repeat(5000) }],
    ['a state with NUL', { state: '\0' }],
  ])('with %s is refused', async (_, fields) => {
    const browser = new Browser(api);
    const arrival = await browser.toCallback('google', someEmail());
    for (const [name, value] of Object.entries(fields)) {
      if (value === undefined) arrival.searchParams.delete(name);
      else arrival.searchParams.set(name, value);
    }
    expect((await browser.toApp(arrival)).href).toBe(failed('invalid_state'));
  });

  test('with two states is refused', async () => {
    const browser = new Browser(api);
    const arrival = await browser.toCallback('google', someEmail());
    const cookie = await browser.cookiesFor(arrival);
    const state = arrival.searchParams.get('state') ?? '';
    const response = await send(api, `${arrival.pathname}${arrival.search}&state=${state}`, {
      redirect: 'manual',
      headers: { cookie },
    });
    expect(response.headers.get('location')).toBe(failed('invalid_state'));
  });

  test('is refused a second time with the same state and cookie, also in parallel', async () => {
    const browser = new Browser(api);
    const arrival = await browser.toCallback('google', someEmail());
    const headers = { cookie: await browser.cookiesFor(arrival) };
    const query = Object.fromEntries(arrival.searchParams);
    const responses = await Promise.all(
      Array.from({ length: 10 }, () => call(api, 'auth.googleCallback', { query, headers })),
    );
    const locations = responses.map((response) => response.headers.get('location') ?? '');
    expect(locations.filter((location) => location.includes('?code='))).toHaveLength(1);
    expect(locations.filter((location) => location === failed('invalid_state'))).toHaveLength(9);
  });

  test('with a new code but a used state is refused', async () => {
    const browser = new Browser(api);
    const first = await browser.toCallback('google', someEmail());
    const cookie = await browser.cookiesFor(first);
    await browser.toApp(first);
    const second = await browser.toCallback('google', someEmail());
    const query = {
      code: second.searchParams.get('code') ?? '',
      state: first.searchParams.get('state') ?? '',
    };
    const response = await call(api, 'auth.googleCallback', { query, headers: { cookie } });
    expect(response.headers.get('location')).toBe(failed('invalid_state'));
  });

  test('at the other provider is refused, for any client', async () => {
    for (const [from, to] of [
      ['google', 'auth.githubCallback'],
      ['github', 'auth.googleCallback'],
    ] as const) {
      const browser = new Browser(api);
      const arrival = await browser.toCallback(from, someEmail());
      const headers = { cookie: await browser.cookiesFor(arrival) };
      const query = Object.fromEntries(arrival.searchParams);
      const response = await call(api, to, { query, headers });
      expect(response.headers.get('location')).toBe(failed('invalid_state'));
    }
  });

  test('with an altered cookie, or one of other secrets, is refused', async () => {
    const browser = new Browser(api);
    const arrival = await browser.toCallback('google', someEmail());
    const cookie = await browser.cookiesFor(arrival);
    const query = Object.fromEntries(arrival.searchParams);
    const foreign = await startTestApi({ JWT_SECRET: 'another secret, just as long as ours' });
    const responses = [
      await call(foreign, 'auth.googleCallback', { query, headers: { cookie } }),
      ...(await Promise.all(
        [
          cookie.replace(/.{8}$/, 'AAAAAAAA'),
          cookie.slice(0, -30),
          '__Secure-atelier-sign-in=',
          ';;;=,\u0080',
        ].map((altered) =>
          call(api, 'auth.googleCallback', { query, headers: { cookie: altered } }),
        ),
      )),
    ];
    await foreign.close();
    for (const response of responses)
      expect(response.headers.get('location')).toBe(failed('invalid_state'));
    expect((await browser.toApp(arrival)).searchParams.get('code')).not.toBeNull();
  });

  test('after ten minutes is refused', async () => {
    const slow = await startTestApi();
    slow.clock.stand();
    const browser = new Browser(slow);
    const arrival = await browser.toCallback('github', someEmail());
    slow.clock.advance({ seconds: 601 });
    const page = await browser.toApp(arrival);
    const quick = new Browser(slow);
    const inTime = await quick.toCallback('github', someEmail());
    slow.clock.advance({ seconds: 598 });
    const pageInTime = await quick.toApp(inTime);
    await slow.close();
    expect(page.href).toBe(failed('invalid_state'));
    expect(pageInTime.searchParams.get('code')).not.toBeNull();
  });

  test.each([
    ['access_denied', 'access_denied'],
    ['temporarily_unavailable', 'provider_unavailable'],
    ['server_error', 'provider_unavailable'],
    ['invalid_scope', 'provider_error'],
    ['"><script>alert(1)</script>', 'provider_error'],
    ['x\r\nset-cookie: a=b', 'provider_error'],
    ['constructor', 'provider_error'],
  ] as const)(
    'with error %j returns a code of the fixed list and reflects no input',
    async (error, code) => {
      const browser = new Browser(api);
      const arrival = await browser.toCallback('google', someEmail());
      const back = new URL(arrival.pathname, arrival);
      back.searchParams.set('state', arrival.searchParams.get('state') ?? '');
      back.searchParams.set('error', error);
      back.searchParams.set('error_description', '<img src=x onerror=alert(1)>');
      const step = await browser.open(back);
      expect(step.next?.href).toBe(failed(code));
      expect(step.headers.getSetCookie()).toHaveLength(1);
      // The attempt is over: its code is refused afterwards, too.
      expect((await browser.toApp(arrival)).href).toBe(failed('invalid_state'));
    },
  );

  test('with an error but a forged state reports the state only', async () => {
    const back = new URL(startAddress('google', '').href.replace('/google', '/google/callback'));
    back.search = '?error=access_denied&state=forged';
    expect((await new Browser(api).toApp(back)).href).toBe(failed('invalid_state'));
  });

  test("with neither code nor error, a made-up code, or another issuer's response is refused", async () => {
    const changes: [string, (query: URLSearchParams) => void][] = [
      ['neither', (query) => query.delete('code')],
      ['made up', (query) => query.set('code', 'made-up')],
      ['another issuer', (query) => query.set('iss', 'https://evil.example')],
    ];
    for (const provider of ['google', 'github'] as const) {
      for (const [name, change] of changes) {
        if (provider === 'github' && name === 'another issuer') continue;
        const browser = new Browser(api);
        const arrival = await browser.toCallback(provider, someEmail());
        change(arrival.searchParams);
        expect([provider, name, (await browser.toApp(arrival)).href]).toEqual([
          provider,
          name,
          failed('provider_error'),
        ]);
      }
    }
  });
});

test('a provider without credentials responds 404', async () => {
  const bare = await startTestApi({ OAUTH_GOOGLE_CLIENT_ID: '', OAUTH_GITHUB_CLIENT_SECRET: '' });
  for (const id of [
    'auth.startGoogle',
    'auth.googleCallback',
    'auth.startGithub',
    'auth.githubCallback',
  ] as const) {
    const { status, body } = await call(bare, id);
    expect([status, body.code]).toEqual([404, 'provider_not_configured']);
  }
  await bare.close();
});

test('an unavailable service redirects the browser to the app, too', async () => {
  const broken = await startTestApi();
  await broken.db.execute(sql`alter table exchange_codes rename to elsewhere`);
  const page = await new Browser(broken).signIn('google', someEmail());
  const stored = await broken.db.$count(users);
  await broken.close();
  expect([page.href, stored]).toEqual([failed('server_error'), 0]);
});

test('neither code, state, cookie nor token is written to the log', async () => {
  const databaseUrl = await cloneDatabase();
  const server = await startApiProcess({ ...testEnvironment(databaseUrl), LOG_LEVEL: 'trace' });
  const secrets: string[] = [];
  for (const provider of ['google', 'github'] as const) {
    const browser = new Browser(server);
    const arrival = await browser.toCallback(provider, someEmail());
    secrets.push(...['code', 'state'].map((name) => arrival.searchParams.get(name) ?? ''));
    secrets.push((await browser.cookiesFor(arrival)).split('=')[1] ?? '');
    const page = await browser.toApp(arrival);
    const code = page.searchParams.get('code') ?? '';
    const { body } = await call(server, 'auth.exchange', { body: { code } });
    secrets.push(code, body.data.token.accessToken, body.data.token.refreshToken);
    // A refusal by the provider is logged with its cause.
    const refused = await browser.toCallback(provider, someEmail());
    refused.searchParams.set('code', 'a-made-up-code');
    await browser.toApp(refused);
  }
  server.kill('SIGTERM');
  await server.exited();
  expect(server.output()).toContain('/api/auth/google/callback');
  expect(server.output()).toContain('the token endpoint refused: invalid_grant');
  expect(server.output()).toContain('the token endpoint refused: bad_verification_code');
  expect(secrets.filter((secret) => secret.length < 20)).toEqual([]);
  for (const secret of [...secrets, 'a-made-up-code'])
    expect(server.output()).not.toContain(secret);
});

test('an exchange code is stored as its hash only', async () => {
  const page = await new Browser(api).signIn('google', someEmail());
  const code = page.searchParams.get('code') ?? '';
  const rows = await api.db.select().from(exchangeCodes);
  const hashes = rows.map(({ codeHash }) => codeHash.toString('hex'));
  expect(hashes).toContain(createHash('sha256').update(code).digest('hex'));
  expect(JSON.stringify(rows)).not.toContain(code);
});
