// @module-tag slow

import { and, eq, sql } from 'drizzle-orm';
import { describe, expect, test, vi } from 'vitest';
import {
  accountActivities,
  identities,
  mailedTokens,
  memberships,
  organizations,
  users,
} from '../../../db/generated/schema.ts';
import {
  logIn,
  mailOf,
  newUser,
  nextMail,
  somePassword,
  tokenIn,
} from '../../../testing/accounts.ts';
import { call, someEmail } from '../../../testing/api.ts';
import { Browser } from '../../../testing/browser.ts';
import { setUpApi } from '../../../testing/set-up.ts';

const api = await setUpApi({ ADMIN_EMAILS: 'root@example.com' });

const providers = ['google', 'github'] as const;
const codeIn = (page: URL) => page.searchParams.get('code') ?? '';
const exchange = (code: string) => call(api, 'auth.exchange', { body: { code } });

async function accountOf(email: string) {
  const [user] = await api.db.select().from(users).where(eq(users.email, email));
  if (!user) throw new Error(`no account of ${email}`);
  return user;
}

async function actionsAbout(userId: string): Promise<string[]> {
  const rows = await api.db
    .select()
    .from(accountActivities)
    .where(eq(accountActivities.resourceId, userId));
  return rows.map(({ action }) => action).toSorted();
}

const identitiesOf = (userId: string) =>
  api.db.select().from(identities).where(eq(identities.userId, userId));

async function registerPending(email: string): Promise<string> {
  await call(api, 'auth.register', { body: { email, password: somePassword, firstName: 'Eve' } });
  return tokenIn(await nextMail(email));
}

const suspend = (email: string) =>
  api.db.update(users).set({ accountStatus: 'SUSPENDED' }).where(eq(users.email, email));

describe.each(providers)('the button of %s', (provider) => {
  test('signs up a new user: verified, without a password, with a personal organization', async () => {
    const email = someEmail('grace.hopper');
    const page = await new Browser(api).signIn(provider, email);
    expect(page.href).toMatch(/^https:\/\/app\.example\.com\/loading\?code=[\w-]{43}&is_new=true$/);
    const response = await exchange(codeIn(page));
    const user = await accountOf(email);
    expect([response.status, response.body]).toEqual([
      200,
      {
        message: 'You are logged-in successfully',
        data: {
          user: { id: user.id, email },
          token: { accessToken: expect.any(String), refreshToken: expect.any(String) },
        },
      },
    ]);
    expect(user).toMatchObject({
      accountStatus: 'VERIFIED',
      passwordHash: null,
      platformRole: 'USER',
      firstName: 'Grace',
    });
    const owned = await api.db
      .select({ type: organizations.type, role: memberships.role })
      .from(organizations)
      .innerJoin(memberships, eq(memberships.organizationId, organizations.id))
      .where(eq(organizations.ownerId, user.id));
    expect(owned).toEqual([{ type: 'PERSONAL', role: 'OWNER' }]);
    expect(await identitiesOf(user.id)).toEqual([expect.objectContaining({ provider })]);
    expect(await actionsAbout(user.id)).toEqual(['user.login', 'user.register']);

    const me = await call(api, 'auth.user', { token: response.body.data.token.accessToken });
    expect([me.status, me.body.data.email]).toEqual([200, email]);
  });

  test('recognizes a returning user', async () => {
    const email = someEmail();
    await new Browser(api).signIn(provider, email);
    const again = await new Browser(api).signIn(provider, email);
    expect(again.searchParams.get('is_new')).toBe('false');
    const { status, body } = await exchange(codeIn(again));
    const user = await accountOf(email);
    expect([status, body.data.user.id]).toEqual([200, user.id]);
    expect(await identitiesOf(user.id)).toHaveLength(1);
    expect(await actionsAbout(user.id)).toEqual(['user.login', 'user.register']);
  });

  test('links a verified account and keeps its password', async () => {
    const user = await newUser(api);
    const page = await new Browser(api).signIn(provider, user.email.toUpperCase());
    expect(page.searchParams.get('is_new')).toBe('false');
    expect((await exchange(codeIn(page))).body.data.user).toEqual({
      id: user.id,
      email: user.email,
    });
    await logIn(api, user);
    expect(await actionsAbout(user.id)).toContain('user.link_identity');
    const notice = await mailOf(user.email, 'A sign-in provider was connected');
    expect(notice.text).toContain('/forgot-password');
    const owned = await api.db
      .select()
      .from(organizations)
      .where(eq(organizations.ownerId, user.id));
    expect(owned).toHaveLength(1);
  });

  test('verifies a pending account and voids the password and mails of its registration', async () => {
    const email = someEmail();
    const mailedToken = await registerPending(email);
    await call(api, 'auth.requestPasswordReset', { body: { email } });
    const resetToken = tokenIn(await nextMail(email, 2));
    const { id } = await accountOf(email);

    const page = await new Browser(api).signIn(provider, email);
    expect(page.searchParams.get('is_new')).toBe('false');
    expect((await exchange(codeIn(page))).body.data.user.id).toBe(id);
    expect(await accountOf(email)).toMatchObject({ accountStatus: 'VERIFIED', passwordHash: null });
    const tokens = await api.db.select().from(mailedTokens).where(eq(mailedTokens.userId, id));
    expect(tokens).toEqual([]);

    const login = await call(api, 'auth.login', { body: { email, password: somePassword } });
    expect(login.body.code).toBe('invalid_credentials');
    const verified = await call(api, 'auth.verifyEmail', { body: { token: mailedToken } });
    expect(verified.status).toBe(400);
    const reset = { token: resetToken, password: 'a password of an attacker' };
    expect((await call(api, 'auth.resetPassword', { body: reset })).status).toBe(400);
    const links = await api.db
      .select()
      .from(accountActivities)
      .where(
        and(
          eq(accountActivities.resourceId, id),
          eq(accountActivities.action, 'user.link_identity'),
        ),
      );
    expect(links).toEqual([
      expect.objectContaining({
        actorId: id,
        metadata: { provider },
        changes: [{ field: 'accountStatus', from: 'PENDING', to: 'VERIFIED' }],
      }),
    ]);
  });

  test('neither links nor signs in a suspended account', async () => {
    const user = await newUser(api);
    await suspend(user.email);
    const page = await new Browser(api).signIn(provider, user.email);
    expect(page.href).toBe('https://app.example.com/loading?error=account_suspended');
    expect(await identitiesOf(user.id)).toEqual([]);
    expect((await accountOf(user.email)).accountStatus).toBe('SUSPENDED');

    const email = someEmail();
    await new Browser(api).signIn(provider, email);
    await suspend(email);
    const linked = await new Browser(api).signIn(provider, email);
    expect(linked.search).toBe('?error=account_suspended');
  });

  test('does nothing for an address that the provider has not verified', async () => {
    const local = someEmail().replace('@', '+unverified@');
    await registerPending(local);
    const before = await accountOf(local);
    for (const email of [local, someEmail().replace('@', '+unverified@')]) {
      const page = await new Browser(api).signIn(provider, email);
      expect(page.href).toBe('https://app.example.com/loading?error=email_unverified');
    }
    expect(await accountOf(local)).toEqual(before);
    expect(await identitiesOf(before.id)).toEqual([]);
  });

  test('reports a declined consent', async () => {
    const page = await new Browser(api).signIn(provider, someEmail().replace('@', '+deny@'));
    expect(page.href).toBe('https://app.example.com/loading?error=access_denied');
  });

  test('8 concurrent first sign-ins create one account and one organization', async () => {
    const email = someEmail();
    const browsers = Array.from({ length: 8 }, () => new Browser(api));
    const arrivals = await Promise.all(
      browsers.map((browser) => browser.toCallback(provider, email)),
    );
    const pages = await Promise.all(
      browsers.map((browser, index) => browser.toApp(arrivals[index] ?? new URL('about:blank'))),
    );
    const news = pages.map((page) => page.searchParams.get('is_new'));
    expect(news.toSorted()).toEqual([...Array(7).fill('false'), 'true']);
    const user = await accountOf(email);
    const owned = await api.db
      .select()
      .from(organizations)
      .where(eq(organizations.ownerId, user.id));
    expect(owned).toHaveLength(1);
    expect(await identitiesOf(user.id)).toHaveLength(1);
    expect(await actionsAbout(user.id)).toEqual(['user.register']);
  });
});

test('concurrent sign-ins with both buttons create one account with two identities', async () => {
  const email = someEmail();
  await Promise.all(providers.map((provider) => new Browser(api).signIn(provider, email)));
  const user = await accountOf(email);
  const found = await identitiesOf(user.id);
  expect(found.map(({ provider }) => provider).toSorted()).toEqual(['github', 'google']);
  expect(await actionsAbout(user.id)).toEqual(['user.link_identity', 'user.register']);
});

test('a sign-in concurrent with a verification and a registration leaves one verified account', async () => {
  for (let round = 0; round < 5; round += 1) {
    const email = someEmail();
    const token = await registerPending(email);
    const browser = new Browser(api);
    const arrival = await browser.toCallback('google', email);
    const [page, registered, verified] = await Promise.all([
      browser.toApp(arrival),
      call(api, 'auth.register', { body: { email, password: 'another password' } }),
      call(api, 'auth.verifyEmail', { body: { token } }),
    ]);
    expect(registered.status).toBe(201);
    expect([200, 400]).toContain(verified.status);
    expect((await exchange(codeIn(page))).status).toBe(200);
    const { id, accountStatus } = await accountOf(email);
    expect(accountStatus).toBe('VERIFIED');
    expect(await identitiesOf(id)).toHaveLength(1);
  }
});

test('a sign-in waits for a concurrent verification instead of deadlocking with it', async () => {
  const email = someEmail();
  await registerPending(email);
  const { id } = await accountOf(email);
  const browser = new Browser(api);
  const arrival = await browser.toCallback('google', email);
  const { coming } = await api.db.transaction(async (tx) => {
    await tx.delete(mailedTokens).where(eq(mailedTokens.userId, id));
    const page = browser.toApp(arrival);
    await vi.waitFor(async () => {
      const waiting = await api.db.execute(
        sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      );
      expect(waiting).toHaveLength(1);
    }, 10_000);
    await tx.update(users).set({ accountStatus: 'VERIFIED' }).where(eq(users.id, id));
    return { coming: page };
  });
  expect((await exchange(codeIn(await coming))).body.data.user.id).toBe(id);
  // Already verified by its owner: the password is the owner's, and stays.
  await logIn(api, { email, password: somePassword });
});

test('a configured platform administrator becomes one with either button', async () => {
  const page = await new Browser(api).signIn('google', 'root@example.com');
  expect((await accountOf('root@example.com')).platformRole).toBe('USER');
  await exchange(codeIn(page));
  expect((await accountOf('root@example.com')).platformRole).toBe('ADMIN');
});
