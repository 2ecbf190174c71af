import { CookieJar } from 'tough-cookie';
import type { OperationId } from '@atelier/contract';
import type { ProviderId } from '../ports/identity-provider.ts';
import { call, type Reachable, type TestResponse } from './api.ts';
import { testBaseUrl } from './test-base-url.ts';

const operationByPath: ReadonlyMap<string, OperationId> = new Map([
  ['/api/auth/google', 'auth.startGoogle'],
  ['/api/auth/google/callback', 'auth.googleCallback'],
  ['/api/auth/github', 'auth.startGithub'],
  ['/api/auth/github/callback', 'auth.githubCallback'],
]);

/** The result of one step of a browser. */
export interface Step {
  readonly status: number;
  readonly headers: Headers;
  /** Null without a redirect. */
  readonly next: URL | null;
}

/** Navigates like a browser: with cookies by their rules, to the API's public URL. */
export class Browser {
  readonly jar = new CookieJar();
  readonly #api: Reachable;

  constructor(api: Reachable) {
    this.#api = api;
  }

  /** Sends one request; doesn't follow redirects. */
  async open(address: URL): Promise<Step> {
    const { status, headers } = await this.#request(address);
    for (const cookie of headers.getSetCookie()) await this.jar.setCookie(cookie, address.href);
    const location = headers.get('location');
    return { status, headers, next: location === null ? null : new URL(location, address) };
  }

  /** Follows redirects until `isThere`; returns that URL without opening it. */
  async follow(start: URL, isThere: (address: URL) => boolean): Promise<URL> {
    let address = start;
    for (let steps = 0; steps < 8; steps += 1) {
      if (isThere(address)) return address;
      const { next, status } = await this.open(address);
      if (!next) throw new Error(`${address.origin}${address.pathname} responded with ${status}`);
      address = next;
    }
    throw new Error('too many redirects');
  }

  /** Goes to the provider and returns with a code, up to the callback's URL. */
  async toCallback(provider: ProviderId, email: string, challenge?: string): Promise<URL> {
    const path = `/api/auth/${provider}/callback`;
    const start = startAddress(provider, email);
    if (challenge !== undefined) start.searchParams.set('challenge', challenge);
    return this.follow(start, ({ pathname }) => pathname === path);
  }

  /**
   * Signs in; returns the final page in the app.
   *
   * @param challenge - the challenge to bind the code to
   */
  async signIn(provider: ProviderId, email: string, challenge?: string): Promise<URL> {
    return this.toApp(await this.toCallback(provider, email, challenge));
  }

  /** Follows redirects to the app's own pages. */
  async toApp(from: URL): Promise<URL> {
    return this.follow(from, ({ host }) => host === 'app.example.com');
  }

  /** Returns the value of the cookie that a URL would get. */
  async cookiesFor(address: URL): Promise<string> {
    return this.jar.getCookieString(address.href);
  }

  async #request(address: URL): Promise<Pick<TestResponse, 'status' | 'headers'>> {
    const cookie = await this.cookiesFor(address);
    const headers = cookie === '' ? {} : { cookie };
    if (address.origin !== testBaseUrl) return fetch(address, { redirect: 'manual', headers });
    const operation = operationByPath.get(address.pathname);
    if (!operation) throw new Error(`no operation at ${address.pathname}`);
    return call(this.#api, operation, { query: Object.fromEntries(address.searchParams), headers });
  }
}

/** Returns the URL of a provider's button. */
export function startAddress(provider: ProviderId, email: string): URL {
  const address = new URL(`${testBaseUrl}/api/auth/${provider}`);
  address.searchParams.set('login_hint', email);
  return address;
}

/** Returns the callback URL of a provider that agreed, with the test's own code. */
export function callbackAddress({ next }: Step, code: string): URL {
  const requested = next?.searchParams ?? new URLSearchParams();
  const address = new URL(requested.get('redirect_uri') ?? '');
  address.searchParams.set('state', requested.get('state') ?? '');
  address.searchParams.set('code', code);
  return address;
}
