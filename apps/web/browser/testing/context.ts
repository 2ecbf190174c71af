import type { Browser, BrowserContext, BrowserContextOptions } from 'playwright-core';
import { createClient, memoryTokens } from '@atelier/client';
import type { Account } from './accounts.ts';
import type { Stack } from './stack.ts';

export interface Where {
  readonly browser: Browser;
  readonly stack: Stack;
}

export interface ContextOptions extends BrowserContextOptions {
  /** Who is logged in; nobody otherwise. */
  readonly as?: Pick<Account, 'email' | 'password'> | undefined;
  /** The organization they have chosen; null: the personal one. Else they have chosen nothing yet. */
  readonly organizationId?: string | null | undefined;
}

/** A browser of its own, with its own storage. */
export async function openContext(
  { browser, stack }: Where,
  { as, organizationId, ...options }: ContextOptions = {},
): Promise<BrowserContext> {
  return browser.newContext({
    baseURL: stack.app,
    viewport: { width: 1280, height: 800 },
    ...options,
    ...(as && { storageState: await loggedIn(stack, as, organizationId) }),
  });
}

/** What the app would have stored after a login. */
async function loggedIn(
  stack: Stack,
  { email, password }: Pick<Account, 'email' | 'password'>,
  organizationId?: string | null,
) {
  const api = createClient({ baseUrl: stack.api, tokens: memoryTokens() });
  const { token } = await api.auth.login({ body: { email, password } });
  const localStorage = [
    { name: 'svc_token', value: token.accessToken },
    { name: 'svc_refresh_token', value: token.refreshToken },
    ...(organizationId === undefined
      ? []
      : [{ name: 'svc_organization_id', value: organizationId ?? '' }]),
  ];
  return { cookies: [], origins: [{ origin: new URL(stack.app).origin, localStorage }] };
}
