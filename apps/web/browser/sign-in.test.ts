import { randomUUID } from 'node:crypto';
import { createClient } from '@atelier/client';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { newAccount, newTeam, uniqueEmail } from './testing/accounts.ts';
import { expectAccessible } from './testing/axe.ts';
import { launchChromium } from './testing/chromium.ts';
import { tokenFromMail } from './testing/mailbox.ts';
import { heading, signIn } from './testing/pages.ts';
import { visit } from './testing/visitor.ts';
import { waitForScripts } from './testing/wait-for-page.ts';

const stack = inject('stack');
const password = 'a quiet harbour at dawn';

let browser: Browser;
beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(() => browser?.close());

/** Returns a link to the app with a code of the attacker's own sign-in. */
async function attackerLink(email = uniqueEmail('mallory')): Promise<string> {
  const context = await browser.newContext();
  const hint = encodeURIComponent(email);
  // Follows redirects and runs no script, so that the code stays unused.
  const response = await context.request.get(`${stack.api}/api/auth/google?login_hint=${hint}`);
  const { pathname, search } = new URL(response.url());
  await context.close();
  expect(`${pathname}${search}`).toMatch(/^\/loading\?code=[\w-]{43}&is_new=true$/);
  return `${pathname}${search}`;
}

const codeIn = (link: string) => new URL(link, stack.app).searchParams.get('code') ?? '';

/** Returns the email of the signed-in user; `null` = anonymous. */
async function signedInAs(page: Page): Promise<string | null> {
  const accessToken = await page.evaluate("localStorage.getItem('svc_token')");
  if (typeof accessToken !== 'string') return null;
  const headers = { authorization: `Bearer ${accessToken}` };
  const response = await fetch(`${stack.api}/api/auth/user`, { headers });
  const { data }: { data: { email: string } } = await response.json();
  return data.email;
}

async function startAtProvider(page: Page, provider: string): Promise<void> {
  await page.getByRole('button', { name: `Continue with ${provider}` }).click();
  await page.getByLabel('Another account').waitFor();
}

async function chooseAtProvider(page: Page, email: string): Promise<void> {
  await page.getByLabel('Another account').fill(email);
  await page.getByRole('button', { name: 'Continue' }).click();
}

describe('a link with the code of another account', () => {
  test('keeps the current session and does not use the code', async () => {
    const ada = await newAccount(stack, 'Ada');
    await using visitor = await visit({ browser, stack }, { as: ada });
    const { page } = visitor;
    const link = await attackerLink();
    await visitor.goto(link);
    await heading(page, 'You are still signed in');
    await page.getByText(ada.email).waitFor();
    await expect.poll(() => new URL(page.url()).search).toBe('');
    expect(await signedInAs(page)).toBe(ada.email);
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Go to dashboard' }).click();
    await heading(page, /^Good \w+, Ada$/);
    expect(await signedInAs(page)).toBe(ada.email);
    // The code has not been exchanged.
    const attacker = createClient({ baseUrl: stack.api });
    await attacker.auth.exchange({ body: { code: codeIn(link) } });
  });

  test('does not sign in an anonymous visitor, and offers to start again', async () => {
    await using visitor = await visit({ browser, stack });
    const { page } = visitor;
    const link = await attackerLink();
    await visitor.goto(link);
    await heading(page, 'This sign-in was not started here');
    expect(await signedInAs(page)).toBeNull();
    await expectAccessible(page);
    // For a sign-in that a program began.
    await page.getByText('Signing in on the command line?').click();
    await page.getByText(codeIn(link), { exact: true }).waitFor();
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Sign in again' }).click();
    await heading(page, 'Sign in');
  });

  test('does not sign in a visitor who has started a sign-in in that tab', async () => {
    await using visitor = await visit({ browser, stack });
    visitor.allowError(/status of 401/);
    const { page } = visitor;
    await visitor.goto('/login');
    await startAtProvider(page, 'GitHub');
    await visitor.goto(await attackerLink());
    await heading(page, 'Sign-in failed');
    expect(await signedInAs(page)).toBeNull();
    await page.getByRole('link', { name: 'Back to sign in' }).click();
    await startAtProvider(page, 'GitHub');
    const email = uniqueEmail('later');
    await chooseAtProvider(page, email);
    await heading(page, /^Good /);
    expect(await signedInAs(page)).toBe(email);
  });
});

test('a sign-in replaces an active session only after confirmation', async () => {
  const ada = await newAccount(stack, 'Ada');
  await using visitor = await visit({ browser, stack }, { as: ada });
  const { page } = visitor;
  const other = uniqueEmail('other');
  await visitor.goto('/login');
  await startAtProvider(page, 'Google');
  await chooseAtProvider(page, other);
  await heading(page, 'You are already signed in');
  await page.getByText(ada.email).waitFor();
  await expectAccessible(page);
  expect(await signedInAs(page)).toBe(ada.email);
  await page.getByRole('button', { name: 'Keep the current session' }).click();
  await heading(page, /^Good \w+, Ada$/);
  expect(await signedInAs(page)).toBe(ada.email);

  await visitor.goto('/login');
  await page.getByRole('button', { name: 'Continue with GitHub' }).click();
  await chooseAtProvider(page, other);
  await page.getByRole('button', { name: 'Continue with the new sign-in' }).click();
  await heading(page, /^Good /);
  expect(await signedInAs(page)).toBe(other);
});

describe('another user of the same browser', () => {
  const menuOf = (page: Page, name: string) =>
    page.getByRole('button', { name: `Account menu for ${name}` });
  const team = (page: Page, name: string) =>
    page.getByRole('button', { name: /^Switch organization/ }).getByText(name);

  async function twoAccounts() {
    const [ada, ben] = [await newAccount(stack, 'Ada'), await newAccount(stack, 'Ben')];
    const organizationId = await newTeam(stack, [ada], 'Adas team');
    await newTeam(stack, [ben], 'Bens team');
    const visitor = await visit({ browser, stack }, { as: ada, organizationId });
    return { ben, visitor };
  }

  test('replaces the session in every tab, and finds nothing of the one before', async () => {
    const { ben, visitor } = await twoAccounts();
    await using _ = visitor;
    // The upload is of the user before.
    visitor.allowError(/status of 40\d/);
    const { page } = visitor;
    await visitor.goto('/');
    await team(page, 'Adas team').waitFor();
    const upload = { id: '1', name: 'secret.bin', sizeBytes: 9, lastModified: 1 };
    const record = { ...upload, organizationId: null, collectionId: randomUUID() };
    await page.evaluate(`
      localStorage.setItem('atelier_upload 1', ${JSON.stringify(JSON.stringify(record))});
      localStorage.setItem('svc_upload/secret.bin', '{}');
    `);
    const other = await visitor.newTab('/projects');
    await other.getByText('secret.bin').waitFor();
    await team(other, 'Adas team').waitFor();

    await visitor.goto('/login');
    await signIn(page, ben.email, ben.password);
    for (const tab of [page, other]) {
      await menuOf(tab, 'Ben Tester').waitFor();
      await team(tab, 'Bens team').waitFor();
      await waitForScripts(tab);
      expect(await tab.getByText('secret.bin').count()).toBe(0);
      expect(await tab.getByText('You no longer have access').count()).toBe(0);
    }
    expect(await page.evaluate('JSON.stringify(localStorage)')).not.toContain('secret.bin');
  });

  test('signs in where another tab has signed out, and begins in their own team', async () => {
    const { ben, visitor } = await twoAccounts();
    await using _ = visitor;
    visitor.allowError(/status of 401/);
    const { page } = visitor;
    await visitor.goto('/');
    await menuOf(page, 'Ada Tester').waitFor();
    const other = await visitor.newTab('/projects');
    await team(other, 'Adas team').waitFor();
    await menuOf(page, 'Ada Tester').click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await heading(other, 'Sign in');
    await signIn(other, ben.email, ben.password);
    for (const tab of [other, page]) {
      await menuOf(tab, 'Ben Tester').waitFor();
      await team(tab, 'Bens team').waitFor();
      expect(await tab.getByText('You no longer have access').count()).toBe(0);
    }
  });
});

test('an address that an attacker registered too: the verification link asks for a new password', async () => {
  await using visitor = await visit({ browser, stack });
  const { page } = visitor;
  const email = uniqueEmail('nora');
  await visitor.goto('/register');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill('what the victim chose first');
  await page.getByRole('button', { name: 'Create account' }).click();
  await heading(page, 'Check your inbox');
  const first = await tokenFromMail(stack, email, 'verify-email');
  const attacker = createClient({ baseUrl: stack.api });
  await attacker.auth.register({ body: { email, password: 'what the attacker knows' } });
  await expect.poll(() => tokenFromMail(stack, email, 'verify-email')).not.toBe(first);

  await visitor.goto(`/verify-email?token=${await tokenFromMail(stack, email, 'verify-email')}`);
  await heading(page, 'Choose your password');
  await page.getByText(/registered more than once/).waitFor();
  await expectAccessible(page);
  await page.getByLabel('New password', { exact: true }).fill(password);
  await page.getByLabel('Repeat new password').fill(password);
  await page.getByRole('button', { name: 'Save password' }).click();
  await heading(page, 'Password changed');
  await page.getByRole('link', { name: 'Sign in' }).click();
  expect(await page.getByLabel('Email').inputValue()).toBe(email);
  await signIn(page, email, password);
  await heading(page, /^Good /);
  for (const known of ['what the victim chose first', 'what the attacker knows']) {
    await expect(attacker.auth.login({ body: { email, password: known } })).rejects.toMatchObject({
      code: 'invalid_credentials',
    });
  }
});
