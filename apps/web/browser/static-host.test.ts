import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newAccount, newTeam, uniqueEmail } from './testing/accounts.ts';
import { launchChromium } from './testing/chromium.ts';
import { tokenFromMail } from './testing/mailbox.ts';
import { waitForPage } from './testing/wait-for-page.ts';
import { expectEventually, expectTiles, namesIn, picture } from './testing/library.ts';
import { startStack, type Stack } from './testing/stack.ts';
import { startStaticHost } from './testing/static-host.ts';
import { visit } from './testing/visitor.ts';

/** The app on a static host, the API on another origin that is configured with the app's URL. */
let browser: Browser;
let stack: Stack;
const resources = new AsyncDisposableStack();
beforeAll(async () => {
  browser = resources.use(await launchChromium());
  const host = resources.use(await startStaticHost());
  const started = await startStack({ APP_URL: host.origin });
  resources.defer(() => started.stop());
  stack = started.stack;
  expect(new URL(stack.app).origin).toBe(host.origin);
  expect(new URL(stack.api).origin).not.toBe(host.origin);
  await host.deploy(stack);
});
afterAll(() => resources.disposeAsync());

test('on a static host the app signs in, uploads, shows images and live updates', async () => {
  const [ada, ben] = [await newAccount(stack, 'Ada'), await newAccount(stack, 'Ben')];
  const organizationId = await newTeam(stack, [ada, ben], 'Far Host');
  const options = { organizationId };
  const { id } = await ada.api.collections.create({ body: { title: 'Posters' } }, options);
  await using visitor = await visit({ browser, stack });
  const { page } = visitor;
  // The path of a page is no file, and the sign-in returns to it.
  await visitor.goto(`/collections/${id}`);
  await page.getByLabel('Email').fill(ben.email);
  await page.getByLabel('Password').fill('not this one');
  visitor.allowError(/status of 400/);
  await page.keyboard.press('Enter');
  await page.getByRole('alert').getByText('Incorrect email or password.').waitFor();
  await page.getByLabel('Password').fill(ben.password);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Posters' }).waitFor();

  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByRole('button', { name: 'Choose files' }).click(),
  ]);
  await chooser.setFiles(picture);
  await expectTiles(page, 'Assets', ['evening-ridge.jpg']);
  const image = page.getByRole('list', { name: 'Assets' }).locator('img');
  await image.waitFor();
  await expectEventually(() =>
    image.evaluate(({ naturalWidth }: HTMLImageElement) => naturalWidth),
  ).toBeGreaterThan(0);
  await ada.api.collections.rename({ params: { id }, body: { title: 'Big posters' } }, options);
  await page.getByRole('heading', { level: 1, name: 'Big posters' }).waitFor();
  await page.reload();
  await page.getByRole('link', { name: 'evening-ridge.jpg' }).click();
  await page.getByRole('img', { name: 'Preview of evening-ridge.jpg' }).waitFor();

  await page.getByRole('button', { name: /^Account menu for/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
});

test('mailed links and provider sign-ins lead to the static host', async () => {
  await using visitor = await visit({ browser, stack });
  const { page } = visitor;
  const email = uniqueEmail('nora');
  await visitor.goto('/register');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill('a quiet harbour at dawn');
  await page.getByRole('button', { name: 'Create account' }).click();
  await page.getByRole('heading', { name: 'Check your inbox' }).waitFor();
  const token = await tokenFromMail(stack, email, 'verify-email');
  await visitor.goto(`/verify-email?token=${token}`);
  await page.getByRole('heading', { name: 'Your email is verified' }).waitFor();

  await visitor.goto('/settings/profile');
  await page.getByRole('button', { name: 'Continue with Google' }).click();
  await page.getByLabel('Another account').fill(uniqueEmail('google'));
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('heading', { level: 1, name: 'Profile' }).waitFor();
  expect(new URL(page.url()).origin).toBe(new URL(stack.app).origin);
  await waitForPage(page);
});

test('on a static host the session needs no cookies', async () => {
  const ada = await newAccount(stack, 'Ada');
  const { id } = await ada.api.collections.create({ body: { title: 'Mine' } });
  await using visitor = await visit({ browser, stack }, { as: ada });
  await visitor.goto(`/collections/${id}`);
  await waitForPage(visitor.page);
  expect(await visitor.context.cookies()).toEqual([]);
  expect(await namesIn(ada.api, id)).toEqual([]);
});
