import { createHash, generateKeyPairSync, randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRemoteJWKSet, decodeProtectedHeader, jwtVerify } from 'jose';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { RunningIdentityProvider } from './index.ts';
import { startIdentityProvider } from './index.ts';

const redirectUri = 'http://localhost:3000/api/auth/google/callback';
const githubRedirectUri = 'http://localhost:3000/api/auth/github/callback';
const registrations = {
  google: { clientId: 'google-client', clientSecret: 'g-secret', redirectUris: [redirectUri] },
  github: {
    clientId: 'github-client',
    clientSecret: 'h-secret',
    redirectUris: [githubRedirectUri],
  },
};

const noise = vi.spyOn(console, 'warn');
const notices = vi.spyOn(console, 'info');
let provider: RunningIdentityProvider;

beforeAll(async () => {
  provider = await startIdentityProvider(registrations);
});

afterAll(() => provider.stop());

const verifier = randomBytes(32).toString('base64url');
const challenge = createHash('sha256').update(verifier).digest('base64url');

function authorizationUrl(fields: Record<string, string | undefined> = {}): URL {
  const url = new URL(provider.google.authorizationEndpoint);
  const all = {
    response_type: 'code',
    client_id: 'google-client',
    redirect_uri: redirectUri,
    scope: 'openid email profile',
    state: 'state-1',
    nonce: 'nonce-1',
    code_challenge: challenge,
    code_challenge_method: 'S256',
    login_hint: 'ann@example.com',
    ...fields,
  };
  for (const [name, value] of Object.entries(all)) {
    if (value !== undefined) url.searchParams.set(name, value);
  }
  return url;
}

function githubUrl(fields: Record<string, string | undefined> = {}): URL {
  const url = authorizationUrl({
    client_id: 'github-client',
    redirect_uri: githubRedirectUri,
    scope: 'read:user user:email',
    nonce: undefined,
    ...fields,
  });
  return new URL(`${provider.github.authorizationEndpoint}${url.search}`);
}

/** Follows redirects as a browser does, up to the application's URL. */
async function followToApplication(start: URL): Promise<URL> {
  let url = start;
  for (let hops = 0; hops < 5; hops += 1) {
    const response = await fetch(url, { redirect: 'manual' });
    const location = response.headers.get('location');
    if (location === null) throw new Error(`${response.status} at ${url.pathname}`);
    url = new URL(location, url);
    if (url.host === 'localhost:3000') return url;
  }
  throw new Error('too many redirects');
}

async function codeFor(url: URL): Promise<string> {
  const back = await followToApplication(url);
  const code = back.searchParams.get('code');
  if (code === null) throw new Error(`no code in ${back.href}`);
  return code;
}

interface Exchange {
  code: string;
  codeVerifier?: string;
  secret?: string;
  isSecretInBody?: boolean;
}

async function exchange(
  options: Exchange,
): Promise<{ status: number; body: Record<string, unknown> }> {
  const { code, codeVerifier = verifier, secret = 'g-secret', isSecretInBody = false } = options;
  const form = new URLSearchParams({
    grant_type: 'authorization_code',
    code,
    redirect_uri: redirectUri,
    code_verifier: codeVerifier,
  });
  const headers: Record<string, string> = {};
  if (isSecretInBody) {
    form.set('client_id', 'google-client');
    form.set('client_secret', secret);
  } else headers['authorization'] = `Basic ${btoa(`google-client:${secret}`)}`;
  const response = await fetch(provider.google.tokenEndpoint, {
    method: 'POST',
    headers,
    body: form,
  });
  return { status: response.status, body: await fieldsOf(response) };
}

async function fieldsOf(response: Response): Promise<Record<string, unknown>> {
  const body: unknown = await response.json();
  return typeof body === 'object' && body !== null ? { ...body } : {};
}

async function claimsFor(email: string): Promise<Record<string, unknown>> {
  const { body } = await exchange({ code: await codeFor(authorizationUrl({ login_hint: email })) });
  const keys = createRemoteJWKSet(new URL(provider.google.jwksUri));
  const { payload } = await jwtVerify(String(body['id_token']), keys, {
    algorithms: ['RS256'],
    issuer: provider.google.issuer,
    audience: 'google-client',
  });
  return payload;
}

describe('OpenID', () => {
  test('a hinted sign-in returns a verifiable identity token with nonce and claims', async () => {
    const back = await followToApplication(authorizationUrl({ login_hint: 'Ann.Lee@Example.com' }));
    expect(back.searchParams.get('state')).toBe('state-1');
    const { status, body } = await exchange({ code: back.searchParams.get('code') ?? '' });
    expect(status).toBe(200);
    expect(decodeProtectedHeader(String(body['id_token']))).toMatchObject({ alg: 'RS256' });
    expect(await claimsFor('ann.lee@example.com')).toMatchObject({
      email: 'ann.lee@example.com',
      email_verified: true,
      name: 'Ann Lee',
      given_name: 'Ann',
      family_name: 'Lee',
      nonce: 'nonce-1',
      sub: expect.stringMatching(/^[\w-]{10,255}$/),
    });
  });

  test('each address has its own stable subject', async () => {
    const [first, again, other] = [
      await claimsFor('ann@example.com'),
      await claimsFor('ANN@example.com'),
      await claimsFor('bob@example.com'),
    ];
    expect(again['sub']).toBe(first['sub']);
    expect(other['sub']).not.toBe(first['sub']);
  });

  test('the secret is accepted in the header and in the body, a wrong one in neither', async () => {
    for (const isSecretInBody of [true, false]) {
      const code = await codeFor(authorizationUrl());
      expect(await exchange({ code, isSecretInBody, secret: 'wrong' })).toMatchObject({
        status: 401,
        body: { error: 'invalid_client' },
      });
      expect((await exchange({ code, isSecretInBody })).status).toBe(200);
    }
  });

  test('an address that ends in +unverified is asserted as unverified', async () => {
    expect(await claimsFor('ann+unverified@example.com')).toMatchObject({
      email: 'ann+unverified@example.com',
      email_verified: false,
    });
  });

  test('an address that ends in +deny returns access_denied and no code', async () => {
    const back = await followToApplication(
      authorizationUrl({ login_hint: 'ann+deny@example.com' }),
    );
    expect(back.searchParams.get('error')).toBe('access_denied');
    expect(back.searchParams.get('state')).toBe('state-1');
    expect(back.searchParams.get('code')).toBeNull();
  });

  test('a wrong verifier is refused', async () => {
    const code = await codeFor(authorizationUrl());
    const codeVerifier = randomBytes(32).toString('base64url');
    expect(await exchange({ code, codeVerifier })).toMatchObject({
      status: 400,
      body: { error: 'invalid_grant' },
    });
  });

  test('a request without PKCE, or with the plain method, is refused', async () => {
    for (const fields of [
      { code_challenge: undefined, code_challenge_method: undefined },
      { code_challenge_method: 'plain' },
    ]) {
      const back = await followToApplication(authorizationUrl(fields));
      expect(back.searchParams.get('error')).toBe('invalid_request');
      expect(back.searchParams.get('code')).toBeNull();
    }
  });

  test('a code works once, and reusing it also ends its token', async () => {
    const code = await codeFor(authorizationUrl());
    const { body } = await exchange({ code });
    const askForUser = async (): Promise<number> => {
      const headers = { authorization: `Bearer ${String(body['access_token'])}` };
      return (await fetch(`${provider.issuer}/userinfo`, { headers })).status;
    };
    expect(await askForUser()).toBe(200);
    expect(await exchange({ code })).toMatchObject({
      status: 400,
      body: { error: 'invalid_grant' },
    });
    expect(await askForUser()).toBe(401);
  });

  test('of ten parallel exchanges of one code, at most one succeeds', async () => {
    const code = await codeFor(authorizationUrl());
    const responses = await Promise.all(Array.from({ length: 10 }, () => exchange({ code })));
    expect(responses.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1);
    expect(responses.filter(({ status }) => status === 400).length).toBeGreaterThanOrEqual(9);
  });

  test('a foreign redirect URL or application gets an error without a redirect', async () => {
    for (const fields of [
      { redirect_uri: 'http://localhost:3000/elsewhere' },
      { redirect_uri: 'https://evil.test/<script>alert(1)</script>' },
      { client_id: 'unknown"><script>alert(1)</script>' },
    ]) {
      const response = await fetch(authorizationUrl(fields), { redirect: 'manual' });
      expect(response.status).toBe(400);
      expect(response.headers.get('location')).toBeNull();
      expect(await response.text()).not.toContain('<script>');
    }
  });

  test('a silent request without a hint is refused without the picker', async () => {
    const back = await followToApplication(
      authorizationUrl({ login_hint: undefined, prompt: 'none' }),
    );
    expect(back.searchParams.get('error')).toBe('login_required');
  });
});

describe('the account picker', () => {
  async function pickerFor(url: URL): Promise<{ page: string; address: string }> {
    const response = await fetch(url);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
    return { page: await response.text(), address: response.url };
  }

  function firstLink(page: string, address: string): URL {
    const [, href = ''] = /<a href="([^"]+login_hint=[^"]+)"/.exec(page) ?? [];
    return new URL(href.replaceAll('&amp;', '&'), address);
  }

  test('is shown without a hint, and each choice leads back to the application', async () => {
    const { page, address } = await pickerFor(
      authorizationUrl({ login_hint: undefined, prompt: 'select_account' }),
    );
    expect(page).toContain('mara.lindqvist@example.com');
    const back = await followToApplication(firstLink(page, address));
    expect(back.searchParams.get('code')).not.toBeNull();
    expect(back.searchParams.get('state')).toBe('state-1');
  });

  test("keeps GitHub's requests on GitHub's paths", async () => {
    const { page, address } = await pickerFor(githubUrl({ login_hint: undefined }));
    const link = firstLink(page, address);
    expect(link.pathname).toBe('/github/login/oauth/authorize');
    expect((await followToApplication(link)).pathname).toBe('/api/auth/github/callback');
  });

  test('appears each time: no session is stored', async () => {
    await followToApplication(authorizationUrl());
    const response = await fetch(authorizationUrl(), { redirect: 'manual' });
    expect(response.headers.get('set-cookie')).toBeNull();
    await pickerFor(authorizationUrl({ login_hint: undefined }));
  });

  test('escapes the parameters of the request, and accepts only addresses as hints', async () => {
    const state = '"><script>alert(1)</script>';
    const { page } = await pickerFor(authorizationUrl({ state, login_hint: '<b>@x' }));
    expect(page).not.toContain('<script>');
    expect(page).toContain('&lt;script&gt;');
  });
});

describe("GitHub's dialect", () => {
  async function tokenFrom(code: string, fields: Record<string, string> = {}): Promise<Response> {
    return fetch(provider.github.tokenEndpoint, {
      method: 'POST',
      headers: { accept: 'application/json' },
      body: new URLSearchParams({
        grant_type: 'authorization_code',
        client_id: 'github-client',
        client_secret: 'h-secret',
        code,
        redirect_uri: githubRedirectUri,
        code_verifier: verifier,
        ...fields,
      }),
    });
  }

  async function accessTokenFor(fields: Record<string, string | undefined>): Promise<string> {
    const response = await tokenFrom(await codeFor(githubUrl(fields)));
    const body = await fieldsOf(response);
    expect(body).toMatchObject({ token_type: 'bearer', access_token: expect.any(String) });
    expect(body).not.toHaveProperty('id_token');
    return String(body['access_token']);
  }

  async function ask(endpoint: string, token: string): Promise<{ status: number; body: unknown }> {
    const response = await fetch(endpoint, { headers: { authorization: `Bearer ${token}` } });
    return { status: response.status, body: await response.json() };
  }

  test('a sign-in returns a token for the user and the email addresses', async () => {
    const token = await accessTokenFor({ login_hint: 'mara.lindqvist@example.com' });
    expect(await ask(provider.github.userEndpoint, token)).toEqual({
      status: 200,
      body: {
        id: expect.any(Number),
        login: 'mara-lindqvist',
        name: 'Mara Lindqvist',
        email: 'mara.lindqvist@example.com',
        avatar_url: expect.stringMatching(/^http:\/\/localhost:\d+\/avatars\/\d+\.svg$/),
      },
    });
    expect(await ask(provider.github.emailsEndpoint, token)).toMatchObject({
      status: 200,
      body: [{ email: 'mara.lindqvist@example.com', primary: true, verified: true }],
    });
  });

  test('an unverified address is marked, a declined sign-in returns an error', async () => {
    const token = await accessTokenFor({ login_hint: 'ann+unverified@example.com' });
    expect((await ask(provider.github.emailsEndpoint, token)).body).toMatchObject([
      { email: 'ann+unverified@example.com', verified: false },
    ]);
    const back = await followToApplication(githubUrl({ login_hint: 'ann+deny@example.com' }));
    expect(back.searchParams.get('error')).toBe('access_denied');
  });

  test('the addresses need their scope', async () => {
    const token = await accessTokenFor({ scope: 'read:user' });
    expect((await ask(provider.github.userEndpoint, token)).status).toBe(200);
    expect((await ask(provider.github.emailsEndpoint, token)).status).toBe(404);
  });

  test("errors have status 200 and GitHub's names", async () => {
    const code = await codeFor(githubUrl());
    const wrongVerifier = await tokenFrom(code, { code_verifier: 'x'.repeat(43) });
    expect(wrongVerifier.status).toBe(200);
    expect(await wrongVerifier.json()).toMatchObject({ error: 'bad_verification_code' });
    const wrongSecret = await tokenFrom(code, { client_secret: 'wrong' });
    expect(wrongSecret.status).toBe(200);
    expect(await wrongSecret.json()).toMatchObject({ error: 'incorrect_client_credentials' });
    const reused = await codeFor(githubUrl());
    expect(await fieldsOf(await tokenFrom(reused))).toHaveProperty('access_token');
    expect(await fieldsOf(await tokenFrom(reused))).not.toHaveProperty('access_token');
  });

  test('a missing, forged or foreign token is rejected', async () => {
    const { body } = await exchange({ code: await codeFor(authorizationUrl()) });
    for (const token of ['', 'made-up', String(body['access_token'])]) {
      expect((await ask(provider.github.userEndpoint, token)).status).toBe(401);
      expect((await ask(provider.github.emailsEndpoint, token)).status).toBe(401);
    }
  });

  test('pictures are served', async () => {
    const response = await fetch(`${provider.issuer}/avatars/7.svg`);
    expect(response.headers.get('content-type')).toContain('image/svg+xml');
    expect((await fetch(`${provider.issuer}/avatars/x.svg`)).status).toBe(404);
  });
});

describe('the server', () => {
  test('prints nothing to the console', () => {
    expect(noise).not.toHaveBeenCalled();
    expect(notices).not.toHaveBeenCalled();
  });

  test('accepts loopback host names only', async () => {
    const asked = request({ port: provider.port, path: '/jwks', headers: { host: 'evil.test' } });
    asked.end();
    const [response] = await once(asked, 'response');
    response.resume();
    expect(response.statusCode).toBe(421);
  });

  test('stores its key in the data directory, for its owner only, and names a malformed file', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'devstack-identity-'));
    const keyIds: unknown[] = [];
    for (let round = 0; round < 2; round += 1) {
      const running = await startIdentityProvider({ ...registrations, dataDir });
      keyIds.push(await (await fetch(running.google.jwksUri)).json());
      await running.stop();
    }
    expect(keyIds[1]).toEqual(keyIds[0]);
    const path = join(dataDir, 'signing-key.pem');
    expect(statSync(path).mode & 0o777).toBe(0o600);
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const elliptic = privateKey.export({ type: 'pkcs8', format: 'pem' });
    for (const text of [
      '',
      '{}',
      '-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n',
      elliptic,
    ]) {
      writeFileSync(path, text);
      await expect(startIdentityProvider({ ...registrations, dataDir })).rejects.toThrow(path);
    }
    rmSync(dataDir, { recursive: true });
  });

  test('rejects a taken port', async () => {
    const { port } = provider;
    await expect(startIdentityProvider({ ...registrations, port })).rejects.toMatchObject({
      code: 'EADDRINUSE',
    });
  });
});
