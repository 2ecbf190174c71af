// @module-tag slow

import { openAsBlob } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newAccount, newTeam, uniqueEmail } from './testing/accounts.ts';
import { launchChromium } from './testing/chromium.ts';
import { tokenFromMail } from './testing/mailbox.ts';
import { waitForPage, waitForScripts } from './testing/wait-for-page.ts';
import { expectEventually, expectTiles, namesIn, picture, uploadFile } from './testing/library.ts';
import { startStack, type Stack } from './testing/stack.ts';
import { keptPaths, waitForWorker } from './testing/offline.ts';
import { startStaticHost, type StaticHost } from './testing/static-host.ts';
import { visit } from './testing/visitor.ts';

/** The app on a static host, the API on another origin that is configured with the app's URL. */
let browser: Browser;
let stack: Stack;
let host: StaticHost;
const resources = new AsyncDisposableStack();
beforeAll(async () => {
  browser = resources.use(await launchChromium());
  host = resources.use(await startStaticHost());
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
  // A request on its way would be refused after the sign-out.
  await waitForPage(page);

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

test('on a static host a share link opens its own page', async () => {
  const { api } = await newAccount(stack, 'Ada');
  const { id } = await api.collections.create({ body: { title: 'Posters' } });
  const content = await openAsBlob(picture);
  await uploadFile(api, { name: 'ridge.jpg', type: 'image/jpeg', content, collectionId: id });
  const share = await api.shares.create({ body: { targetType: 'COLLECTION', targetId: id } });
  const { origin, pathname, hash } = new URL(share.url ?? '');
  expect(origin).toBe(host.origin);
  await using visitor = await visit({ browser, stack });
  const { page } = visitor;
  await visitor.goto(pathname + hash);
  await page.getByRole('heading', { level: 1, name: 'Posters' }).waitFor();
  await page.getByRole('button', { name: 'Open ridge.jpg' }).click();
  await page.getByRole('dialog').getByRole('img', { name: 'ridge.jpg' }).waitFor();
  const scripts = await page.evaluate<string[]>(
    `[...document.querySelectorAll('script[type="module"]')].map(({ src }) => src)`,
  );
  expect(scripts.map((src) => new URL(src).pathname)).toEqual([
    expect.stringMatching(/^\/_app\/share-/),
  ]);
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

test('the example for a new key names the address of the API', async () => {
  const ada = await newAccount(stack, 'Ada');
  await using visitor = await visit({ browser, stack }, { as: ada });
  const { page } = visitor;
  await visitor.goto('/settings/api-keys');
  await page.getByRole('button', { name: 'Create API key' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Create API key' });
  await dialog.getByLabel('Name', { exact: true }).fill('Nightly build');
  await dialog.getByRole('button', { name: 'Create key' }).click();
  const created = page.getByRole('dialog', { name: 'Save your new key' });
  const example = await created.locator('pre').first().textContent();
  expect(example).toContain(`curl ${stack.api}/api/auth/api-keys/current `);
});

/** Returns the first script of the page, which differs for each build. */
const buildOf = (page: Page) =>
  page.evaluate<string>(`document.querySelector('script[type="module"]').src`);

/** Makes the browser look for a deployment, as it does when the tab is shown again. */
const comeBack = (page: Page) =>
  page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`);

test('after a deployment, open pages keep working, and the reload that they offer opens the new build', async () => {
  const ada = await newAccount(stack, 'Ada');
  await using visitor = await visit({ browser, stack }, { as: ada, serviceWorkers: 'allow' });
  visitor.allowError(/ERR_INTERNET_DISCONNECTED/);
  const { page, context } = visitor;
  await visitor.goto('/projects');
  await waitForPage(page);
  await waitForScripts(page);
  await waitForWorker(page);
  const before = await buildOf(page);
  await page.evaluate('globalThis.isMarked = true');

  // Another build, of the same app.
  await host.deploy({ ...stack, api: `${stack.api}/` });
  expect((await fetch(before)).headers.get('content-type')).not.toContain('javascript');
  await comeBack(page);
  const notice = page.getByRole('log').getByText('There is a new version of Atelier.');
  await notice.waitFor({ timeout: 40_000 });
  // A page that nobody has opened yet.
  await page.getByRole('link', { name: 'Bin' }).click();
  await page.getByRole('heading', { level: 1, name: 'Bin' }).waitFor();
  expect(await page.evaluate('globalThis.isMarked')).toBe(true);

  await page.getByRole('log').getByRole('button', { name: 'Reload' }).click();
  await expect.poll(() => buildOf(page).catch(() => before), { timeout: 40_000 }).not.toBe(before);
  const after = await buildOf(page);
  await waitForPage(page);
  await waitForWorker(page);
  expect(await notice.count()).toBe(0);
  // Nothing of the build before is left.
  const entries = async () =>
    (await keptPaths(page)).filter(
      (path) => path.startsWith('/_app/index-') && path.endsWith('.js'),
    );
  await expect.poll(entries, { timeout: 40_000 }).toEqual([new URL(after).pathname]);
  await context.setOffline(true);
  await page.reload();
  await page.getByRole('heading', { level: 1, name: 'Bin' }).waitFor({ timeout: 40_000 });
  expect(await buildOf(page)).toBe(after);
});

test('a withdrawn worker removes itself and what it kept, and the page stays', async () => {
  const ada = await newAccount(stack, 'Ada');
  await using visitor = await visit({ browser, stack }, { as: ada, serviceWorkers: 'allow' });
  const { page } = visitor;
  await visitor.goto('/projects');
  await waitForPage(page);
  await waitForWorker(page);
  await page.evaluate('globalThis.isMarked = true');
  await host.deploy(stack, { VITE_SHELL_WORKER: 'off' });
  await comeBack(page);
  const isGone = () =>
    page.evaluate<boolean>(`(async () => {
      const registrations = await navigator.serviceWorker.getRegistrations();
      return registrations.length === 0 && (await caches.keys()).length === 0;
    })()`);
  await expect.poll(isGone, { timeout: 40_000 }).toBe(true);
  expect(await page.evaluate('globalThis.isMarked')).toBe(true);
  await page.reload();
  await waitForPage(page);
  await waitForScripts(page);
  expect(await isGone()).toBe(true);
});
