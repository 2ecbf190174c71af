import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRemoteJWKSet, decodeProtectedHeader, jwtVerify } from 'jose';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { startIdentityProvider } from './index.ts';
import {
  codeFor,
  followToApplication,
  registrations,
  startTestProvider,
} from './testing/test-provider.ts';

const noise = vi.spyOn(console, 'warn');
const notices = vi.spyOn(console, 'info');
const { provider, authorizationUrl, githubUrl, exchange } = await startTestProvider();

afterAll(() => provider.stop());

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

  test('an address with an apostrophe signs in', async () => {
    expect(await claimsFor("Pat.O'Brien@example.com")).toMatchObject({
      email: "pat.o'brien@example.com",
      email_verified: true,
    });
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

  test('says which address it refused, and nothing before one is entered', async () => {
    const refused = `ann@${'x'.repeat(120)}.example`;
    const { page } = await pickerFor(authorizationUrl({ login_hint: refused }));
    expect(page).toContain(`“${refused}” can’t sign in here.`);
    for (const login_hint of [undefined, '', 'ann@example.com']) {
      const { page } = await pickerFor(authorizationUrl({ login_hint, prompt: 'select_account' }));
      expect(page).not.toContain('can’t sign in here');
    }
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
