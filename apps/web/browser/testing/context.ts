import { randomUUID } from 'node:crypto';
import type { Browser, BrowserContext, BrowserContextOptions } from 'playwright-core';
import { createClient, memoryTokens } from '@atelier/client';
import type { Account } from './accounts.ts';
import type { Stack } from './stack.ts';

export interface Environment {
  readonly browser: Browser;
  readonly stack: Stack;
}

export interface ContextOptions extends BrowserContextOptions {
  /** The signed-in account; default: anonymous. */
  readonly as?: Pick<Account, 'email' | 'password'> | undefined;
  /** The selected organization; `null` = the personal one. Default: none selected yet. */
  readonly organizationId?: string | null | undefined;
}

/** Opens a browser context with its own storage. */
export async function openContext(
  { browser, stack }: Environment,
  { as, organizationId, ...options }: ContextOptions = {},
): Promise<BrowserContext> {
  return browser.newContext({
    baseURL: stack.app,
    viewport: { width: 1280, height: 800 },
    // Otherwise each context would load the whole app first, and answer what tests intercept.
    serviceWorkers: 'block',
    ...options,
    ...(as && { storageState: await signedInState(stack, as, organizationId) }),
  });
}

/** Returns what the app stores after a sign-in. */
async function signedInState(
  stack: Stack,
  { email, password }: Pick<Account, 'email' | 'password'>,
  organizationId?: string | null,
) {
  const api = createClient({ baseUrl: stack.api, tokens: memoryTokens() });
  const { token } = await api.auth.login({ body: { email, password } });
  const localStorage = [
    { name: 'svc_token', value: token.accessToken },
    { name: 'svc_refresh_token', value: token.refreshToken },
    { name: 'svc_session', value: randomUUID() },
    ...(organizationId === undefined
      ? []
      : [{ name: 'svc_organization_id', value: organizationId ?? '' }]),
  ];
  return { cookies: [], origins: [{ origin: new URL(stack.app).origin, localStorage }] };
}
