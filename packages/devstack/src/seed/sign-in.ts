import { createClient, type Client } from '@atelier/client';

const mostSteps = 12;

/**
 * Signs somebody in through the embedded provider, as their browser would: no password, no mail, and
 * no registration that counts for the limit of this address.
 *
 * @param baseUrl - the API's public address, which the provider sends the browser back to
 * @throws Error that says where the way ended
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
  throw new Error(`signing in as ${email} came to no end`);
}

async function nextAddress(
  address: URL,
  { apiUrl, baseUrl, cookies }: { apiUrl: string; baseUrl: string; cookies: Map<string, string> },
): Promise<URL> {
  // The public address may be one that only others reach.
  const reached = address.href.replace(`${baseUrl}/api/`, `${apiUrl}/api/`);
  const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const answer = await fetch(reached, { redirect: 'manual', headers: { cookie } });
  await answer.body?.cancel();
  for (const line of answer.headers.getSetCookie()) {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
    cookies.set(name, value);
  }
  const location = answer.headers.get('location');
  if (location !== null) return new URL(location, address);
  throw new Error(`signing in ended at ${address.origin}${address.pathname}: ${answer.status}`);
}
