import { createClient } from '@atelier/client';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { newAccount, someEmail } from './testing/accounts.ts';
import { expectAccessible } from './testing/axe.ts';
import { launchChromium } from './testing/chromium.ts';
import { mailedToken } from './testing/mailbox.ts';
import { heading, signIn } from './testing/pages.ts';
import { visit } from './testing/visitor.ts';

const stack = inject('stack');
const password = 'a quiet harbour at dawn';

let browser: Browser;
beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(() => browser?.close());

/** The page of the app that a sign-in of somebody else ends on: a link with a code of theirs. */
async function linkOfAttacker(email = someEmail('mallory')): Promise<string> {
  const context = await browser.newContext();
  const hint = encodeURIComponent(email);
  // Follows every redirect, and runs no script.
  const answer = await context.request.get(`${stack.api}/api/auth/google?login_hint=${hint}`);
  const { pathname, search } = new URL(answer.url());
  await context.close();
  expect(`${pathname}${search}`).toMatch(/^\/loading\?code=[\w-]{43}&is_new=true$/);
  return `${pathname}${search}`;
}

const codeIn = (link: string) => new URL(link, stack.app).searchParams.get('code') ?? '';

/** Whose tokens the browser holds; null: nobody's. */
async function signedInAs(page: Page): Promise<string | null> {
  const accessToken = await page.evaluate("localStorage.getItem('svc_token')");
  if (typeof accessToken !== 'string') return null;
  const headers = { authorization: `Bearer ${accessToken}` };
  const answer = await fetch(`${stack.api}/api/auth/user`, { headers });
  const { data }: { data: { email: string } } = await answer.json();
  return data.email;
}

async function beginAt(page: Page, provider: string): Promise<void> {
  await page.getByRole('button', { name: `Continue with ${provider}` }).click();
  await page.getByLabel('Another account').waitFor();
}

async function chooseAtProvider(page: Page, email: string): Promise<void> {
  await page.getByLabel('Another account').fill(email);
  await page.getByRole('button', { name: 'Continue' }).click();
}

describe('a link with a code of somebody else', () => {
  test('leaves who is signed in who they are, and the code where it was', async () => {
    const ada = await newAccount(stack, 'Ada');
    await using visitor = await visit({ browser, stack }, { as: ada });
    const { page } = visitor;
    const link = await linkOfAttacker();
    await visitor.goto(link);
    await heading(page, 'You are still signed in');
    await page.getByText(ada.email).waitFor();
    await expect.poll(() => new URL(page.url()).search).toBe('');
    expect(await signedInAs(page)).toBe(ada.email);
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Go to the dashboard' }).click();
    await heading(page, /^Good \w+, Ada$/);
    expect(await signedInAs(page)).toBe(ada.email);
    // It never went to the service.
    const attacker = createClient({ baseUrl: stack.api });
    await attacker.auth.exchange({ body: { code: codeIn(link) } });
  });

  test('signs nobody in, and leads to the first step', async () => {
    await using visitor = await visit({ browser, stack });
    const { page } = visitor;
    await visitor.goto(await linkOfAttacker());
    await heading(page, 'This sign-in did not begin here');
    expect(await signedInAs(page)).toBeNull();
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Start signing in again' }).click();
    await heading(page, 'Sign in');
  });

  test('signs nobody in who is about to sign in in that tab', async () => {
    await using visitor = await visit({ browser, stack });
    visitor.expectComplaint(/status of 401/);
    const { page } = visitor;
    await visitor.goto('/login');
    await beginAt(page, 'GitHub');
    await visitor.goto(await linkOfAttacker());
    await heading(page, 'Signing in did not work');
    expect(await signedInAs(page)).toBeNull();
    await page.getByRole('link', { name: 'Back to sign in' }).click();
    await beginAt(page, 'GitHub');
    const email = someEmail('later');
    await chooseAtProvider(page, email);
    await heading(page, /^Good /);
    expect(await signedInAs(page)).toBe(email);
  });
});

test('a sign-in of one’s own replaces a live session only when asked to', async () => {
  const ada = await newAccount(stack, 'Ada');
  await using visitor = await visit({ browser, stack }, { as: ada });
  const { page } = visitor;
  const other = someEmail('other');
  await visitor.goto('/login');
  await beginAt(page, 'Google');
  await chooseAtProvider(page, other);
  await heading(page, 'You are signed in already');
  await page.getByText(ada.email).waitFor();
  await expectAccessible(page);
  expect(await signedInAs(page)).toBe(ada.email);
  await page.getByRole('button', { name: 'Stay signed in as before' }).click();
  await heading(page, /^Good \w+, Ada$/);
  expect(await signedInAs(page)).toBe(ada.email);

  await visitor.goto('/login');
  await page.getByRole('button', { name: 'Continue with GitHub' }).click();
  await chooseAtProvider(page, other);
  await page.getByRole('button', { name: 'Go on with the new sign-in' }).click();
  await heading(page, /^Good /);
  expect(await signedInAs(page)).toBe(other);
});

test('an address that an attacker registered too: the link leads straight to a password of one’s own', async () => {
  await using visitor = await visit({ browser, stack });
  const { page } = visitor;
  const email = someEmail('nora');
  await visitor.goto('/register');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill('what the victim chose first');
  await page.getByRole('button', { name: 'Create account' }).click();
  await heading(page, 'Check your inbox');
  const first = await mailedToken(stack, email, 'verify-email');
  const attacker = createClient({ baseUrl: stack.api });
  await attacker.auth.register({ body: { email, password: 'what the attacker knows' } });
  await expect.poll(() => mailedToken(stack, email, 'verify-email')).not.toBe(first);

  await visitor.goto(`/verify-email?token=${await mailedToken(stack, email, 'verify-email')}`);
  await heading(page, 'Choose your password');
  await page.getByText(/registered more than once/).waitFor();
  await expectAccessible(page);
  await page.getByLabel('New password', { exact: true }).fill(password);
  await page.getByLabel('New password, once more').fill(password);
  await page.getByRole('button', { name: 'Save the password' }).click();
  await heading(page, 'Your password is changed');
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
