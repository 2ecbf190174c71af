// @module-tag slow

import type { Browser, Page } from 'playwright-core';
import { createClient } from '@atelier/client';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { newAccount, newTeam, uniqueEmail } from './testing/accounts.ts';
import { expectAccessibleInBoth } from './testing/axe.ts';
import { launchChromium } from './testing/chromium.ts';
import { newCollection } from './testing/library.ts';
import { tokenFromMail } from './testing/mailbox.ts';
import { visit, type Visitor } from './testing/visitor.ts';

/** Pages that people without a session come to by a link, and that need the API. */
const stack = inject('stack');
const timeout = 40_000;
let browser: Browser;
beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(() => browser?.close());

const apiRequests = /\/api\//;

/** Opens a browser that can load the app, but doesn't reach the API. */
async function visitWithoutApi(): Promise<Visitor> {
  const visitor = await visit({ browser, stack });
  visitor.allowError(/ERR_FAILED/);
  await visitor.context.route(apiRequests, (route) => route.abort());
  return visitor;
}

const heading = (page: Page, name: string | RegExp) =>
  page.getByRole('heading', { level: 1, name }).waitFor({ timeout });

/** Lets the API be reached again, and asks for what is missing. */
async function comeBack({ page, context }: Visitor): Promise<void> {
  await context.unroute(apiRequests);
  await page.getByRole('button', { name: 'Try again' }).click();
}

test('the plans say so without the API, and are filled when it is back', async () => {
  await using visitor = await visitWithoutApi();
  const { page } = visitor;
  await visitor.goto('/plans');
  await page.getByText('This couldn’t be loaded').waitFor({ timeout });
  await expectAccessibleInBoth(page);
  await comeBack(visitor);
  await page.getByRole('listitem').first().waitFor({ timeout });
});

test('an invitation says so without the API, and is shown when it is back', async () => {
  const owner = await newAccount(stack, 'Ada');
  const id = await newTeam(stack, [owner], 'Pilots');
  const email = uniqueEmail('grace');
  await owner.api.organizations.invite({ params: { id }, body: { email, role: 'MEMBER' } });
  const token = await tokenFromMail(stack, email, 'invitations');
  await using visitor = await visitWithoutApi();
  const { page } = visitor;
  await visitor.goto(`/invitations/${token}`);
  await heading(page, 'The invitation couldn’t be loaded');
  await expectAccessibleInBoth(page);
  await comeBack(visitor);
  await heading(page, /Pilots/);
  await page.getByText('@example.com').waitFor();
});

test('a mailed verification says so without the API, and verifies when it is back', async () => {
  const email = uniqueEmail('ada');
  const password = 'correct horse battery staple';
  await createClient({ baseUrl: stack.api }).auth.register({ body: { email, password } });
  const token = await tokenFromMail(stack, email, 'verify-email');
  await using visitor = await visitWithoutApi();
  const { page } = visitor;
  await visitor.goto(`/verify-email?token=${token}`);
  await heading(page, 'Your email couldn’t be verified yet');
  await expectAccessibleInBoth(page);
  await comeBack(visitor);
  await heading(page, 'Your email is verified');
});

test('a share link says so without the API, and shows its files when it is back', async () => {
  const { api } = await newAccount(stack, 'Ada');
  const { id: targetId } = await newCollection(api, 'Campaign', ['notes.txt']);
  const { url } = await api.shares.create({ body: { targetType: 'COLLECTION', targetId } });
  const { pathname, hash } = new URL(url ?? '');
  await using visitor = await visitWithoutApi();
  const { page } = visitor;
  await visitor.goto(pathname + hash);
  await heading(page, 'This couldn’t be loaded');
  await expectAccessibleInBoth(page);
  await comeBack(visitor);
  await page.getByText('notes.txt').first().waitFor({ timeout });
});

test('a sign-in at a provider says so without the API, and succeeds the next time', async () => {
  await using visitor = await visit({ browser, stack });
  visitor.allowError(/ERR_FAILED/);
  const { page, context } = visitor;
  const email = uniqueEmail('ada');
  await visitor.goto('/settings/profile');
  await page.getByRole('button', { name: 'Continue with GitHub' }).click();
  await page.getByLabel('Another account').fill(email);
  const exchange = /\/api\/auth\/oauth\/exchange$/;
  await context.route(exchange, (route) => route.abort());
  await page.getByRole('button', { name: 'Continue' }).click();
  await heading(page, 'Sign-in failed');
  await page.getByText('Can’t reach the server').waitFor();
  await expectAccessibleInBoth(page);
  expect(new URL(page.url()).search).toBe('');
  await context.unroute(exchange);
  await page.getByRole('link', { name: 'Back to sign in' }).click();
  await page.getByRole('button', { name: 'Continue with GitHub' }).click();
  await page.getByLabel('Another account').fill(email);
  await page.getByRole('button', { name: 'Continue' }).click();
  await heading(page, 'Profile');
  await page.getByRole('region', { name: 'Email' }).getByText(email).waitFor();
});

test('a new password that was typed stays when the tab is shown again without the API', async () => {
  const { api, email } = await newAccount(stack, 'Ada');
  await api.auth.requestPasswordReset({ body: { email } });
  const token = await tokenFromMail(stack, email, 'reset-password');
  await using visitor = await visit({ browser, stack });
  visitor.allowError(/status of 503/);
  const { page, context } = visitor;
  let checks = 0;
  page.on('request', (request) => {
    if (request.url().includes('/verify-token')) checks += 1;
  });
  await visitor.goto(`/reset-password?token=${token}`);
  const field = page.getByLabel('New password', { exact: true });
  await field.fill('a typed password of mine');
  await context.route(apiRequests, (route) => route.fulfill({ status: 503, body: '' }));
  const later = await page.evaluate<number>('Date.now() + 3_600_000');
  await page.clock.setFixedTime(later);
  await page.evaluate(`document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))`);
  await page.evaluate(`dispatchEvent(new Event('online'))`);
  await page.evaluate('new Promise((resolve) => setTimeout(resolve, 500))');
  expect(checks).toBe(1);
  await context.unroute(apiRequests);
  expect(await field.inputValue()).toBe('a typed password of mine');
});
