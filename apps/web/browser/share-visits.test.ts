// @module-tag slow

import { openAsBlob, readFileSync } from 'node:fs';
import type { Browser, Page, Request } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { newAccount } from './testing/accounts.ts';
import { launchChromium } from './testing/chromium.ts';
import { expectEventually, newCollection, picture, uploadFile } from './testing/library.ts';
import { visit } from './testing/visitor.ts';
import { filesInZip } from './testing/zip.ts';

/** Whole visits of a link: what they tell others about it, and what is left when it ends in the middle. */
const stack = inject('stack');
let browser: Browser;
beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(() => browser?.close());

const password = 'a password for the jury';
/** A browser that writes to a file which the user picks; here, to one of the origin's own. */
const withPicker = `window.showSaveFilePicker = async ({ suggestedName }) => {
  const directory = await navigator.storage.getDirectory();
  return directory.getFileHandle(suggestedName, { create: true });
};`;
const withoutPicker = `Object.defineProperty(window, 'showSaveFilePicker', { value: undefined });`;

async function shared(names: readonly string[], conditions: object) {
  const { api } = await newAccount(stack, 'Ada');
  const { id: collectionId } = await newCollection(api, 'Campaign', names);
  const share = await api.shares.create({
    body: { targetType: 'COLLECTION', targetId: collectionId, allowDownload: true, ...conditions },
  });
  const { pathname, hash } = new URL(share.url ?? '');
  const end = () => api.shares.remove({ params: { id: share.id } });
  return { api, collectionId, end, path: pathname + hash, token: hash.slice(1) };
}

const zipAll = (page: Page) => page.getByRole('button', { name: 'Download all as ZIP' }).click();
const isAddress = (request: Request) =>
  request.method() === 'GET' && /\/assets\/[^/]+\/download$/.test(new URL(request.url()).pathname);

/** What a page keeps and shows, as text. */
const keptBy = (page: Page) =>
  page.evaluate<Record<string, string>>(`(async () => {
    const databases = await indexedDB.databases();
    return {
      sessionStorage: JSON.stringify({ ...sessionStorage, atelier_share: undefined }),
      localStorage: JSON.stringify({ ...localStorage }),
      history: JSON.stringify(history.state),
      cookies: document.cookie,
      address: location.href,
      referrer: document.referrer,
      title: document.title,
      content: document.documentElement.outerHTML,
      databases: JSON.stringify(databases),
      caches: JSON.stringify(await caches.keys()),
    };
  })()`);

test('a whole visit tells the token of the link to the API alone, in one kind of body', async () => {
  const { api, collectionId, path, token } = await shared(['notes.txt'], {
    password,
    allowComments: true,
  });
  const content = await openAsBlob(picture);
  await uploadFile(api, { name: 'ridge.jpg', type: 'image/jpeg', content, collectionId });
  await using visitor = await visit({ browser, stack });
  visitor.allowError(/status of 401/);
  const { page, context } = visitor;
  const requests: Request[] = [];
  context.on('request', (request) => requests.push(request));
  await page.addInitScript(withoutPicker);
  const kept: Record<string, string>[] = [];

  await visitor.goto(path);
  await page.getByLabel('Password').fill('a wrong password');
  await page.keyboard.press('Enter');
  await page.getByText('This isn’t the password.').waitFor();
  kept.push(await keptBy(page));
  await page.getByLabel('Password').fill(password);
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Open ridge.jpg' }).click();
  const viewer = page.getByRole('dialog');
  await viewer.getByRole('img', { name: 'ridge.jpg' }).waitFor();
  await viewer.getByRole('textbox', { name: 'Your name' }).fill('Grace');
  await viewer.getByRole('textbox', { name: 'Comment' }).fill('Too bright');
  await viewer.getByRole('button', { name: 'Post' }).click();
  await viewer.getByText('You comment as Grace.').waitFor();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Escape');
  await viewer.waitFor({ state: 'detached' });
  kept.push(await keptBy(page));
  const one = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download notes.txt' }).click();
  await (await one).path();
  const all = page.waitForEvent('download');
  await zipAll(page);
  await (await all).path();
  expect(await page.evaluate(`sessionStorage.getItem('atelier_share')`)).toBe(token);
  kept.push(await keptBy(page));
  await page.reload();
  await page.getByLabel('Password').waitFor();
  kept.push(await keptBy(page));

  const lines = await Promise.all(
    requests.map(async (request) => {
      const { referer = '', authorization, ...headers } = await request.allHeaders();
      return { line: request.url(), referer, headers: JSON.stringify(headers), authorization };
    }),
  );
  const secrets = [token, 'atls_', 'atlv_', password, encodeURIComponent(password)];
  for (const secret of secrets) {
    const told = lines.filter(({ line, referer, headers }) =>
      [line, referer, headers].some((text) => text.includes(secret)),
    );
    expect(told).toEqual([]);
    const places = kept.flatMap((place) =>
      Object.entries(place).filter(([, text]) => text.includes(secret)),
    );
    expect(places).toEqual([]);
  }
  const withTicket = lines.filter(({ authorization }) => authorization !== undefined);
  expect(withTicket.length).toBeGreaterThan(3);
  for (const { line } of withTicket) expect(line).toContain(`${stack.api}/api/public/share`);
  const withToken = requests.filter((request) => request.postData()?.includes(token));
  expect(new Set(withToken.map((request) => `${request.method()} ${request.url()}`))).toEqual(
    new Set([`POST ${stack.api}/api/public/shares/open`]),
  );
  expect(lines.some(({ line }) => line.startsWith(stack.storage))).toBe(true);
  const referrers = lines.map(({ referer }) => referer).filter(Boolean);
  expect(referrers.filter((referer) => new URL(referer).origin !== stack.app)).toEqual([]);
});

test.each([
  ['a file', withPicker],
  ['the memory', withoutPicker],
])(
  'a link that ends while its ZIP goes to %s leaves none, and the page says so',
  async (_, script) => {
    const names = ['a.txt', 'b.txt', 'c.txt', 'd.txt', 'e.txt', 'f.txt'];
    const { path, end } = await shared(names, {});
    await using visitor = await visit({ browser, stack });
    visitor.allowError(/status of 404/);
    const { page } = visitor;
    await page.addInitScript(script);
    const saved: string[] = [];
    page.on('download', (download) => saved.push(download.suggestedFilename()));
    const addresses: { status: number; url: string | undefined; leftMs: number }[] = [];
    let asked = 0;
    await page.route(/\/assets\/[^/]+\/download$/, async (route) => {
      if (!isAddress(route.request())) return route.continue();
      asked += 1;
      if (asked === 3) await end();
      const response = await route.fetch();
      const { data } = await response.json();
      const leftMs = data ? Date.parse(data.expiresAt) - Date.now() : 0;
      addresses.push({ status: response.status(), url: data?.url, leftMs });
      return route.fulfill({ response });
    });
    await visitor.goto(path);
    await zipAll(page);
    await page.getByRole('heading', { name: 'This link doesn’t work' }).waitFor();
    expect(addresses.map(({ status }) => status)).toEqual([200, 200, 404]);
    for (const { leftMs } of addresses) expect(leftMs).toBeLessThanOrEqual(5 * 60 * 1000);
    const [first] = addresses;
    expect((await fetch(first?.url ?? '')).status).toBe(200);

    await expectEventually(() =>
      page.evaluate<string[]>(
        `navigator.storage.getDirectory().then((directory) => Array.fromAsync(directory.keys()))`,
      ),
    ).toEqual([]);
    expect(saved).toEqual([]);
    expect(await page.getByRole('region', { name: 'Downloads' }).count()).toBe(0);
    expect(asked).toBe(3);
    await page.reload();
    await page.getByRole('heading', { name: 'This link is incomplete' }).waitFor();
  },
);

test('a file that leaves the share meanwhile is only missing in the ZIP', async () => {
  const { api, collectionId, path } = await shared(['a.txt', 'b.txt', 'c.txt'], {});
  const { items } = await api.assets.listInCollection({ params: { collectionId } });
  const gone = items.find(({ assetName }) => assetName === 'b.txt')?.id ?? '';
  await using visitor = await visit({ browser, stack });
  visitor.allowError(/status of 404/);
  const { page } = visitor;
  await page.addInitScript(withoutPicker);
  await page.route(new RegExp(`/assets/${gone}/download$`), async (route) => {
    await api.assets.remove({ params: { id: gone } }).catch(() => {});
    return route.continue();
  });
  await visitor.goto(path);
  const download = page.waitForEvent('download');
  await zipAll(page);
  const zip = filesInZip(readFileSync(await (await download).path()));
  expect(zip.map(([name]) => name).toSorted()).toEqual(['a.txt', 'c.txt']);
  await page.getByRole('region', { name: 'Downloads' }).getByText('1 file is missing').waitFor();
  expect(await page.getByRole('heading', { level: 1, name: 'Campaign' }).count()).toBe(1);
});
