import { createHash, randomBytes } from 'node:crypto';
import { startIdentityProvider } from '../index.ts';

const redirectUri = 'http://localhost:3000/api/auth/google/callback';
export const githubRedirectUri = 'http://localhost:3000/api/auth/github/callback';
export const registrations = {
  google: { clientId: 'google-client', clientSecret: 'g-secret', redirectUris: [redirectUri] },
  github: {
    clientId: 'github-client',
    clientSecret: 'h-secret',
    redirectUris: [githubRedirectUri],
  },
};

export const verifier = randomBytes(32).toString('base64url');
const challenge = createHash('sha256').update(verifier).digest('base64url');

/** Follows redirects as a browser does, up to the application's URL. */
export async function followToApplication(start: URL): Promise<URL> {
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

export async function codeFor(url: URL): Promise<string> {
  const back = await followToApplication(url);
  const code = back.searchParams.get('code');
  if (code === null) throw new Error(`no code in ${back.href}`);
  return code;
}

export async function fieldsOf(response: Response): Promise<Record<string, unknown>> {
  const body: unknown = await response.json();
  return typeof body === 'object' && body !== null ? { ...body } : {};
}

interface Exchange {
  code: string;
  codeVerifier?: string;
  secret?: string;
  isSecretInBody?: boolean;
}

/** Starts a provider with two applications, and returns it with functions that act as those applications. */
export async function startTestProvider() {
  const provider = await startIdentityProvider(registrations);

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

  return { provider, authorizationUrl, githubUrl, exchange };
}
