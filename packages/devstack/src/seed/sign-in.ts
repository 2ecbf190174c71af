import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from '@atelier/client';
import { clientUntil } from './client.ts';

const maxSteps = 12;
const maxAttempts = 5;
const betweenAttemptsMs = 1_000;

/** Refusals after which a sign-in can be tried again: on a busy machine, the provider or the API is late. */
const temporary: ReadonlySet<string> = new Set(['provider_unavailable', 'server_error']);

interface Product {
  readonly apiUrl: string;
  /** Public URL of the API, to which the provider redirects. */
  readonly baseUrl: string;
  readonly signal: AbortSignal;
}

/**
 * Signs an account in through the embedded provider, as a browser does: without a password, a mail, or a
 * registration that counts against the limit of this address. A sign-in whose provider didn't respond in time begins
 * anew.
 *
 * @throws Error with the URL at which the sign-in ended, or the reason for which it was refused; also when the signal
 *   is aborted
 */
export async function signInByProvider(product: Product, email: string): Promise<Client> {
  for (let attempt = 1; ; attempt += 1) {
    const returned = await returnedParameters(product, email);
    const code = returned.get('code');
    if (code !== null) {
      const api = clientUntil(product.signal, product.apiUrl);
      await api.auth.exchange({ body: { code } });
      return api;
    }
    const reason = String(returned.get('error'));
    if (!temporary.has(reason) || attempt === maxAttempts) {
      throw new Error(`the sign-in of ${email} was refused: ${reason}`);
    }
    await delay(betweenAttemptsMs, undefined, { signal: product.signal });
  }
}

/** Follows the redirects of one sign-in; returns the parameters of the page at which it ends. */
async function returnedParameters(product: Product, email: string): Promise<URLSearchParams> {
  const cookies = new Map<string, string>();
  const hint = new URLSearchParams({ login_hint: email });
  let address = new URL(`${product.baseUrl}/api/auth/google?${hint.toString()}`);
  for (let step = 0; step < maxSteps; step += 1) {
    if (address.pathname.endsWith('/loading')) return address.searchParams;
    address = await nextAddress(address, { ...product, cookies });
  }
  throw new Error(`the sign-in of ${email} did not complete`);
}

async function nextAddress(
  address: URL,
  { apiUrl, baseUrl, cookies, signal }: Product & { readonly cookies: Map<string, string> },
): Promise<URL> {
  // The public URL may not be reachable from here.
  const reached = address.href.replace(`${baseUrl}/api/`, `${apiUrl}/api/`);
  const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const response = await fetch(reached, { redirect: 'manual', headers: { cookie }, signal });
  await response.body?.cancel();
  for (const line of response.headers.getSetCookie()) {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
    cookies.set(name, value);
  }
  const location = response.headers.get('location');
  if (location !== null) return new URL(location, address);
  throw new Error(`the sign-in ended at ${address.origin}${address.pathname}: ${response.status}`);
}
