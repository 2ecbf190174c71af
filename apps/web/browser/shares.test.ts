import { readFileSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { newAccount } from './testing/accounts.ts';
import { expectAccessible, expectAccessibleInBoth } from './testing/axe.ts';
import { launchChromium } from './testing/chromium.ts';
import { expectEventually, picture, uploadFile } from './testing/library.ts';
import { visit } from './testing/visitor.ts';
import { filesInZip } from './testing/zip.ts';

const stack = inject('stack');
let browser: Browser;
beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(() => browser?.close());

const password = 'a password for the printer';
const withoutPicker = `Object.defineProperty(window, 'showSaveFilePicker', { value: undefined });`;

/** Shares a collection with a text and a picture, the newest first. */
async function shared(conditions: object = {}) {
  const account = await newAccount(stack);
  const { api } = account;
  const { id } = await api.collections.create({ body: { title: 'Autumn campaign' } });
  await uploadFile(api, {
    name: 'notes.txt',
    type: 'text/plain',
    content: 'a note',
    collectionId: id,
  });
  const content = new Blob([readFileSync(picture)]);
  await uploadFile(api, { name: 'ridge.jpg', type: 'image/jpeg', content, collectionId: id });
  const share = await api.shares.create({
    body: { targetType: 'COLLECTION', targetId: id, label: 'For the printer', ...conditions },
  });
  const { pathname, hash } = new URL(share.url ?? '');
  return { account, api, share, path: pathname + hash, token: hash.slice(1) };
}

const files = (page: Page) => page.getByRole('list', { name: 'Shared files' });

test('a visitor opens a link with its password, looks at the files and downloads them', async () => {
  const { path, token, share, api } = await shared({ password, allowDownload: true });
  await using visitor = await visit({ browser, stack });
  visitor.allowError(/status of 401/);
  const { page } = visitor;
  const requests: string[] = [];
  page.on('request', (request) =>
    requests.push(`${request.url()} ${request.headers()['referer'] ?? ''}`),
  );
  await page.addInitScript(withoutPicker);
  await visitor.goto(path);

  await page.getByRole('heading', { name: 'This link needs a password' }).waitFor();
  expect(new URL(page.url()).href).toBe(`${stack.app}/share`);
  await expectAccessibleInBoth(page);
  await page.getByLabel('Password').fill('not this one');
  await page.keyboard.press('Enter');
  await page.getByText('This isn’t the password.').waitFor();
  await expectAccessibleInBoth(page);
  await page.getByLabel('Password').fill(password);
  await page.keyboard.press('Enter');

  await page.getByRole('heading', { level: 1, name: 'For the printer' }).waitFor();
  await page.getByText('Autumn campaign').waitFor();
  await page.getByText('Shared by Ada Tester').waitFor();
  await page.getByText(/Until/).waitFor();
  await files(page).getByRole('button', { name: 'Open notes.txt' }).waitFor();
  expect(await page.title()).toBe('Shared files · Atelier');
  expect(await page.locator('meta[name=robots]').getAttribute('content')).toContain('noindex');
  await expectEventually(() =>
    files(page)
      .getByRole('img')
      .or(files(page).locator('img'))
      .evaluateAll((images) =>
        (images as unknown as { naturalWidth: number }[]).map(
          ({ naturalWidth }) => naturalWidth > 0,
        ),
      ),
  ).toEqual([true]);
  await expectAccessibleInBoth(page);

  const one = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download notes.txt' }).click();
  expect(readFileSync(await (await one).path(), 'utf8')).toBe('a note');

  await page.getByRole('button', { name: 'Open ridge.jpg' }).click();
  const viewer = page.getByRole('dialog');
  await viewer.getByRole('img', { name: 'ridge.jpg' }).waitFor();
  await expectAccessible(page);
  await page.keyboard.press('ArrowRight');
  await viewer.getByText('There is no picture of this file.').waitFor();
  await viewer.getByRole('button', { name: 'Previous file' }).click();
  await viewer.getByRole('img', { name: 'ridge.jpg' }).waitFor();
  await page.keyboard.press('Escape');
  await viewer.waitFor({ state: 'detached' });

  const all = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download all as ZIP' }).click();
  const zip = await all;
  expect(zip.suggestedFilename()).toBe('Autumn campaign.zip');
  const names = filesInZip(readFileSync(await zip.path())).map(([name]) => name);
  expect(names).toEqual(['ridge.jpg', 'notes.txt']);
  await page.getByRole('region', { name: 'Downloads' }).getByText('1 downloaded').waitFor();

  await page.setViewportSize({ width: 360, height: 700 });
  await expectAccessibleInBoth(page);
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);

  expect(requests.length).toBeGreaterThan(5);
  expect(requests.filter((line) => line.includes(token) || line.includes('atls_'))).toEqual([]);
  expect(requests.filter((line) => line.includes(encodeURIComponent(password)))).toEqual([]);

  await api.shares.remove({ params: { id: share.id } });
  visitor.allowError(/status of 404/);
  await page.getByRole('button', { name: 'Download notes.txt' }).click();
  await page.getByRole('heading', { name: 'This link doesn’t work' }).waitFor();
  await page.reload();
  await page.getByRole('heading', { name: 'This link is incomplete' }).waitFor();
});

test('a link without downloads shows pictures, also to members, and survives a reload', async () => {
  const { path, account } = await shared();
  await using visitor = await visit({ browser, stack }, { as: account });
  const { page } = visitor;
  await visitor.goto(path);
  await files(page).getByRole('button', { name: 'Open ridge.jpg' }).waitFor();
  expect(await page.getByRole('button', { name: /^Download/ }).count()).toBe(0);
  await page.getByRole('button', { name: 'Open ridge.jpg' }).click();
  // Its picture is made when it is asked for.
  await page.getByRole('dialog').getByRole('img', { name: 'ridge.jpg' }).waitFor();
  await page.reload();
  await files(page).getByRole('button', { name: 'Open notes.txt' }).waitFor();
  await expectAccessibleInBoth(page);
});

test('every link that doesn’t work looks alike, and another one in the same tab is opened', async () => {
  const { path, api, share } = await shared();
  const ended = await shared();
  await ended.api.shares.remove({ params: { id: ended.share.id } });
  await using visitor = await visit({ browser, stack });
  visitor.allowError(/status of 404/);
  const { page } = visitor;
  const texts = [];
  for (const next of [`/share#atls_${'x'.repeat(43)}`, ended.path]) {
    await visitor.goto(next);
    await page.getByRole('heading', { name: 'This link doesn’t work' }).waitFor();
    texts.push(await page.getByRole('main').innerText());
  }
  expect(texts[0]).toBe(texts[1]);
  await expectAccessibleInBoth(page);
  await visitor.goto(path);
  await files(page).getByRole('button', { name: 'Open notes.txt' }).waitFor();
  await expectEventually(async () => {
    const { items } = await api.shares.views({ params: { id: share.id } });
    return items.map(({ action }) => action);
  }).toEqual(['OPENED']);
});

test('too many wrong passwords are told with the time of the next attempt', async () => {
  const { path } = await shared({ password });
  await using visitor = await visit({ browser, stack });
  visitor.allowError(/status of 4(01|29)/);
  const { page } = visitor;
  await visitor.goto(path);
  await page.getByLabel('Password').fill(password);
  // The limits are off in this stack.
  await page.route(/shares\/open/, (route) =>
    route.fulfill({
      status: 429,
      headers: { 'retry-after': '600' },
      json: {
        success: false,
        code: 'rate_limited',
        message: 'Too many requests',
        requestId: 'req-1',
        errors: [],
      },
    }),
  );
  await page.keyboard.press('Enter');
  const told = page.getByText(/^Too many attempts/);
  await told.waitFor();
  expect(await told.innerText()).toMatch(/Try again at \d+:\d\d/);
});
