import { afterAll, describe, expect, test, vi } from 'vitest';
import {
  codeFor,
  fieldsOf,
  followToApplication,
  githubRedirectUri,
  startTestProvider,
  verifier,
} from './testing/test-provider.ts';

const noise = vi.spyOn(console, 'warn');
const notices = vi.spyOn(console, 'info');
const { provider, authorizationUrl, githubUrl, exchange } = await startTestProvider();

afterAll(() => provider.stop());

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

  async function get(endpoint: string, token: string): Promise<{ status: number; body: unknown }> {
    const response = await fetch(endpoint, { headers: { authorization: `Bearer ${token}` } });
    return { status: response.status, body: await response.json() };
  }

  test('a sign-in returns a token for the user and the email addresses', async () => {
    const token = await accessTokenFor({ login_hint: 'mara.lindqvist@example.com' });
    expect(await get(provider.github.userEndpoint, token)).toEqual({
      status: 200,
      body: {
        id: expect.any(Number),
        login: 'mara-lindqvist',
        name: 'Mara Lindqvist',
        email: 'mara.lindqvist@example.com',
        avatar_url: expect.stringMatching(/^http:\/\/localhost:\d+\/avatars\/\d+\.svg$/),
      },
    });
    expect(await get(provider.github.emailsEndpoint, token)).toMatchObject({
      status: 200,
      body: [{ email: 'mara.lindqvist@example.com', primary: true, verified: true }],
    });
  });

  test('an unverified address is marked, a declined sign-in returns an error', async () => {
    const token = await accessTokenFor({ login_hint: 'ann+unverified@example.com' });
    expect((await get(provider.github.emailsEndpoint, token)).body).toMatchObject([
      { email: 'ann+unverified@example.com', verified: false },
    ]);
    const back = await followToApplication(githubUrl({ login_hint: 'ann+deny@example.com' }));
    expect(back.searchParams.get('error')).toBe('access_denied');
  });

  test('the addresses need their scope', async () => {
    const token = await accessTokenFor({ scope: 'read:user' });
    expect((await get(provider.github.userEndpoint, token)).status).toBe(200);
    expect((await get(provider.github.emailsEndpoint, token)).status).toBe(404);
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
      expect((await get(provider.github.userEndpoint, token)).status).toBe(401);
      expect((await get(provider.github.emailsEndpoint, token)).status).toBe(401);
    }
  });

  test('pictures are served', async () => {
    const response = await fetch(`${provider.issuer}/avatars/7.svg`);
    expect(response.headers.get('content-type')).toContain('image/svg+xml');
    expect((await fetch(`${provider.issuer}/avatars/x.svg`)).status).toBe(404);
  });

  test('nothing is printed to the console', () => {
    expect(noise).not.toHaveBeenCalled();
    expect(notices).not.toHaveBeenCalled();
  });
});
