import { CookieJar } from 'tough-cookie';
import type { OperationId } from '@atelier/contract';
import type { ProviderId } from '../ports/identity-provider.ts';
import { call, type Reachable, type TestAnswer } from './api.ts';
import { testBaseUrl } from './test-base-url.ts';

const operationByPath: ReadonlyMap<string, OperationId> = new Map([
  ['/api/auth/google', 'auth.startGoogle'],
  ['/api/auth/google/callback', 'auth.googleCallback'],
  ['/api/auth/github', 'auth.startGithub'],
  ['/api/auth/github/callback', 'auth.githubCallback'],
]);

/** Where one step of a browser led. */
export interface Step {
  readonly status: number;
  readonly headers: Headers;
  /** Null when it was no redirect. */
  readonly next: URL | null;
}

/** Navigates as a browser does: with cookies by their rules, to the API by its public address. */
export class Browser {
  readonly jar = new CookieJar();
  readonly #api: Reachable;

  constructor(api: Reachable) {
    this.#api = api;
  }

  /** One request; redirects are left to the caller. */
  async open(address: URL): Promise<Step> {
    const { status, headers } = await this.#request(address);
    for (const cookie of headers.getSetCookie()) await this.jar.setCookie(cookie, address.href);
    const location = headers.get('location');
    return { status, headers, next: location === null ? null : new URL(location, address) };
  }

  /** Follows redirects until `isThere`; gives that address, which is not opened itself. */
  async follow(start: URL, isThere: (address: URL) => boolean): Promise<URL> {
    let address = start;
    for (let steps = 0; steps < 8; steps += 1) {
      if (isThere(address)) return address;
      const { next, status } = await this.open(address);
      if (!next) throw new Error(`${address.origin}${address.pathname} answered ${status}`);
      address = next;
    }
    throw new Error('too many redirects');
  }

  /** Leaves for the provider and comes back with a code, just short of the callback. */
  async toCallback(provider: ProviderId, email: string, challenge?: string): Promise<URL> {
    const path = `/api/auth/${provider}/callback`;
    const start = startAddress(provider, email);
    if (challenge !== undefined) start.searchParams.set('challenge', challenge);
    return this.follow(start, ({ pathname }) => pathname === path);
  }

  /**
   * Signs in; gives the page of the app that the browser ends on.
   *
   * @param challenge - what the code is to be bound to
   */
  async signIn(provider: ProviderId, email: string, challenge?: string): Promise<URL> {
    return this.toApp(await this.toCallback(provider, email, challenge));
  }

  /** Goes on until the app's own pages. */
  async toApp(from: URL): Promise<URL> {
    return this.follow(from, ({ host }) => host === 'app.example.com');
  }

  /** The value of the cookie that would go to an address. */
  async cookiesFor(address: URL): Promise<string> {
    return this.jar.getCookieString(address.href);
  }

  async #request(address: URL): Promise<Pick<TestAnswer, 'status' | 'headers'>> {
    const cookie = await this.cookiesFor(address);
    const headers = cookie === '' ? {} : { cookie };
    if (address.origin !== testBaseUrl) return fetch(address, { redirect: 'manual', headers });
    const operation = operationByPath.get(address.pathname);
    if (!operation) throw new Error(`no operation at ${address.pathname}`);
    return call(this.#api, operation, { query: Object.fromEntries(address.searchParams), headers });
  }
}

/** Where the button of a provider leads. */
export function startAddress(provider: ProviderId, email: string): URL {
  const address = new URL(`${testBaseUrl}/api/auth/${provider}`);
  address.searchParams.set('login_hint', email);
  return address;
}

/** Where a provider that agreed would send the browser back to, with a code of the test's. */
export function callbackAddress({ next }: Step, code: string): URL {
  const asked = next?.searchParams ?? new URLSearchParams();
  const address = new URL(asked.get('redirect_uri') ?? '');
  address.searchParams.set('state', asked.get('state') ?? '');
  address.searchParams.set('code', code);
  return address;
}
