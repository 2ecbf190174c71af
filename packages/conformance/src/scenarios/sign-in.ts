import { createHash, randomBytes } from 'node:crypto';
import type { OperationId } from '@atelier/contract';
import { CookieJar } from 'tough-cookie';
import { logIn, newAccount, newCredentials } from '../accounts.ts';
import type { Check } from '../check.ts';
import { Abandoned, NotRun } from '../findings.ts';
import type { Probe } from '../probe.ts';

const providers = {
  google: ['auth.startGoogle', 'auth.googleCallback'],
  github: ['auth.startGithub', 'auth.githubCallback'],
} as const satisfies Record<string, readonly [OperationId, OperationId]>;

const maxSteps = 12;

const redirects: Check = {
  id: 'sign-in.redirects',
  group: 'auth',
  title: 'sign-in redirects to the provider, and a callback without a sign-in is an error',
  run: async ({ probe }) => {
    for (const [start, callback] of Object.values(providers)) {
      const started = await probe.request(start);
      if (started.status === 404) {
        probe.expectRefusal('sign-in.redirects', started, 'provider_not_configured');
        await probe.request(callback, { query: { code: 'x', state: 'y' } });
        continue;
      }
      const location = locationOf(started.headers);
      probe.expect({
        rule: 'sign-in.redirects',
        response: started,
        holds: /[?&]state=/.test(location) && /[?&]code_challenge=/.test(location),
        expected: 'a redirect with state and a code challenge',
        actual: `status ${started.status}`,
      });
      const stray = await probe.request(callback, { query: { code: '<b>', state: 'y' } });
      probe.expect({
        rule: 'sign-in.redirects',
        response: stray,
        holds: /\/loading\?error=[a-z_]+$/.test(locationOf(stray.headers)),
        expected: 'a redirect to /loading?error=…, with nothing reflected',
        actual: `status ${stray.status}`,
      });
    }
  },
};

const exchange: Check = {
  id: 'sign-in.exchange-once',
  group: 'auth',
  title: 'the code of a sign-in opens one session',
  run: async ({ probe, signIn }) => {
    const forged = await probe.request('auth.exchange', { body: { code: 'no-such-code' } });
    probe.expectFixedRefusal('sign-in.exchange-once', forged, 'invalid_or_expired_code');
    if (signIn === null) throw new NotRun('a whole sign-in needs --sign-in');
    const code = await codeFrom(probe, signIn);
    const tampered = await probe.request('auth.exchange', { body: { code: `${code}x` } });
    probe.expectFixedRefusal('sign-in.exchange-once', tampered, 'invalid_or_expired_code');
    const { token } = await probe.succeed('auth.exchange', { body: { code } });
    await probe.succeed('auth.user', { token: token.accessToken });
    const again = await probe.request('auth.exchange', { body: { code } });
    probe.expectFixedRefusal('sign-in.exchange-once', again, 'invalid_or_expired_code');
  },
};

const boundExchange: Check = {
  id: 'sign-in.verifier',
  group: 'auth',
  title: 'the code of a sign-in with a challenge needs its verifier',
  run: async ({ probe, signIn }) => {
    if (signIn === null) throw new NotRun('a whole sign-in needs --sign-in');
    const verifier = newVerifier();
    const challenge = createHash('sha256').update(verifier).digest('base64url');
    const code = await codeFrom(probe, signIn, { challenge });
    for (const body of [{ code }, { code, verifier: newVerifier() }]) {
      const refused = await probe.request('auth.exchange', { body });
      probe.expectFixedRefusal('sign-in.verifier', refused, 'invalid_or_expired_code');
    }
    const { token } = await probe.succeed('auth.exchange', { body: { code, verifier } });
    await probe.succeed('auth.user', { token: token.accessToken });

    const unbound = await codeFrom(probe, signIn);
    const slipped = await probe.request('auth.exchange', { body: { code: unbound, verifier } });
    probe.expectFixedRefusal('sign-in.verifier', slipped, 'invalid_or_expired_code');
    await probe.succeed('auth.exchange', { body: { code: unbound } });
  },
};

const disconnection: Check = {
  id: 'sign-in.disconnected',
  group: 'security',
  title: 'a sign-in provider is disconnected once, and connected again by a sign-in',
  run: async ({ probe, signIn }) => {
    const rule = 'sign-in.disconnected';
    const account = await newAccount(probe, 'connected');
    const { token, email } = account;
    const remove = (provider: string) =>
      probe.request('security.removeIdentity', { token, params: { provider } });
    probe.expectRefusal(rule, await remove('no-provider'), 'validation_failed');
    probe.expectRefusal(rule, await remove('google'), 'not_found');
    if (signIn === null) throw new NotRun('a whole sign-in needs --sign-in');
    const connected = async () => {
      const { identities } = await probe.succeed('security.overview', { token });
      return identities.map(({ provider }) => provider).join(', ');
    };
    for (const round of ['first', 'second']) {
      const code = await codeFrom(probe, signIn, { email });
      await probe.succeed('auth.exchange', { body: { code } });
      const before = await connected();
      const response = await remove(signIn);
      probe.dataIn('security.removeIdentity', response);
      const after = await connected();
      probe.expect({
        rule,
        response,
        holds: before === signIn && after === '',
        expected: `${signIn} connected until the ${round} disconnection`,
        actual: `"${before}" before, "${after}" after`,
      });
      probe.expectRefusal(rule, await remove(signIn), 'not_found');
    }
    await logIn(probe, account);
  },
};

function newVerifier(): string {
  return randomBytes(32).toString('base64url');
}

/** Follows the redirects of a sign-in as a browser does, and returns its code. */
export async function codeFrom(
  probe: Probe,
  provider: keyof typeof providers,
  { email, challenge }: { readonly email?: string; readonly challenge?: string } = {},
): Promise<string> {
  const [start, callback] = providers[provider];
  const jar = new CookieJar();
  const callbackPath = `/api/auth/${provider}/callback`;
  const started = await probe.request(start, {
    query: {
      login_hint: email ?? newCredentials('sign-in').email,
      ...(challenge !== undefined && { challenge }),
    },
  });
  let address = new URL(locationOf(started.headers));
  // The deployment's address as the provider knows it: cookies belong to its origin.
  const home = address.searchParams.get('redirect_uri') ?? probe.deployment.baseUrl;
  await keepCookies(jar, started.headers, home);
  for (let step = 0; step < maxSteps; step += 1) {
    if (address.pathname === '/loading') break;
    if (address.pathname === callbackPath) {
      const cookie = await jar.getCookieString(home);
      const query = Object.fromEntries(address.searchParams);
      const response = await probe.request(callback, { query, headers: { cookie } });
      probe.expect({
        rule: 'sign-in.referrer',
        response,
        holds: response.headers.get('referrer-policy') === 'no-referrer',
        expected: 'referrer-policy: no-referrer',
        actual: response.headers.get('referrer-policy') ?? 'none',
      });
      address = new URL(locationOf(response.headers), address);
      continue;
    }
    address = await follow(jar, address);
  }
  const code = address.searchParams.get('code');
  if (code !== null && address.pathname === '/loading') return code;
  probe.findings.push({
    rule: 'sign-in.exchange-once',
    operation: callback,
    request: `a sign-in through ${provider}`,
    expected: 'a redirect to /loading?code=…',
    actual: `${address.pathname}?${[...address.searchParams.keys()].join('&')}`,
  });
  throw new Abandoned('the sign-in returned no code');
}

async function follow(jar: CookieJar, address: URL): Promise<URL> {
  const cookie = await jar.getCookieString(address.href);
  const { headers } = await fetch(address, { redirect: 'manual', headers: { cookie } });
  await keepCookies(jar, headers, address.href);
  const location = headers.get('location');
  if (location === null) throw new NotRun(`the provider stops at ${address.pathname}`);
  return new URL(location, address);
}

async function keepCookies(jar: CookieJar, headers: Headers, address: string): Promise<void> {
  for (const cookie of headers.getSetCookie()) await jar.setCookie(cookie, address);
}

function locationOf(headers: Headers): string {
  return headers.get('location') ?? '';
}

export const signInScenarios: readonly Check[] = [
  redirects,
  exchange,
  boundExchange,
  disconnection,
];
