import { createClient, type Client } from '@atelier/client';

const mostSteps = 12;

/**
 * Signs an account in through the embedded provider, as a browser does: without a password, a mail, or a
 * registration that counts against the limit of this address.
 *
 * @param baseUrl - public URL of the API, to which the provider redirects
 * @throws Error with the URL at which the sign-in ended
 */
export async function signInByProvider(
  { apiUrl, baseUrl }: { apiUrl: string; baseUrl: string },
  email: string,
): Promise<Client> {
  const api = createClient({ baseUrl: apiUrl });
  const cookies = new Map<string, string>();
  const hint = new URLSearchParams({ login_hint: email });
  let address = new URL(`${baseUrl}/api/auth/google?${hint.toString()}`);
  for (let step = 0; step < mostSteps; step += 1) {
    const code = address.pathname.endsWith('/loading') ? address.searchParams.get('code') : null;
    if (code !== null) {
      await api.auth.exchange({ body: { code } });
      return api;
    }
    address = await nextAddress(address, { apiUrl, baseUrl, cookies });
  }
  throw new Error(`the sign-in of ${email} did not complete`);
}

async function nextAddress(
  address: URL,
  { apiUrl, baseUrl, cookies }: { apiUrl: string; baseUrl: string; cookies: Map<string, string> },
): Promise<URL> {
  // The public URL may not be reachable from here.
  const reached = address.href.replace(`${baseUrl}/api/`, `${apiUrl}/api/`);
  const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const response = await fetch(reached, { redirect: 'manual', headers: { cookie } });
  await response.body?.cancel();
  for (const line of response.headers.getSetCookie()) {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
    cookies.set(name, value);
  }
  const location = response.headers.get('location');
  if (location !== null) return new URL(location, address);
  throw new Error(`the sign-in ended at ${address.origin}${address.pathname}: ${response.status}`);
}
