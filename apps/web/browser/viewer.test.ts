// @module-tag slow

import { openAsBlob } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { newAccount } from './testing/accounts.ts';
import { expectAccessible, expectAccessibleInBoth } from './testing/axe.ts';
import type { ContextOptions } from './testing/context.ts';
import { launchChromium } from './testing/chromium.ts';
import { expectEventually, expectTiles, picture, uploadFile } from './testing/library.ts';
import { tone } from './testing/sound.ts';
import { visit } from './testing/visitor.ts';

const stack = inject('stack');

/** `MediaError.MEDIA_ERR_NETWORK`, which only browsers have. */
const networkError = 2;

let browser: Browser;
beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(() => browser?.close());

const drawing = `<svg xmlns="http://www.w3.org/2000/svg" width="120" height="80">
  <script>document.title = 'run'</script><rect width="120" height="80" fill="teal"/></svg>`;

interface File {
  readonly name: string;
  readonly type: string;
  readonly content: string | Blob;
}

/** Creates a collection `Desk` with these files, and opens the app. */
async function desk(files: readonly File[], options: ContextOptions = {}) {
  const account = await newAccount(stack);
  const { id } = await account.api.collections.create({ body: { title: 'Desk' } });
  const assets = [];
  for (const file of files) {
    assets.push(await uploadFile(account.api, { ...file, collectionId: id }));
  }
  const visitor = await visit({ browser, stack }, { as: account, ...options });
  return { collectionId: id, assets, visitor, page: visitor.page };
}

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });
const dialog = (page: Page) => page.getByRole('dialog');
const shownName = (page: Page) => dialog(page).getByRole('heading').textContent();
const current = (page: Page) =>
  page.locator('nav a[aria-current="page"][href*="/assets/"]').last().getAttribute('aria-label');
const naturalWidth = (page: Page, name: string) =>
  page
    .getByRole('img', { name: `Preview of ${name}` })
    .first()
    .evaluate((image: HTMLImageElement) => image.naturalWidth);

test('goes through a collection in the order of its list, in the page and in the full window', async () => {
  const photo = { type: 'image/jpeg', content: await openAsBlob(picture) };
  const { collectionId, visitor, page } = await desk([
    { name: 'b.jpg', ...photo },
    { name: 'c.txt', type: 'text/plain', content: 'words' },
    { name: 'a.svg', type: 'image/svg+xml', content: drawing },
  ]);
  await using _ = visitor;
  await visitor.goto(`/collections/${collectionId}?sort=assetName`);
  await expectTiles(page, 'Assets', ['a.svg', 'b.jpg', 'c.txt']);
  await page.getByRole('link', { name: 'a.svg' }).click();
  await heading(page, 'a.svg').waitFor();
  await expectEventually(() => current(page)).toBe('a.svg');
  await expectAccessibleInBoth(page);
  await page.keyboard.press('ArrowRight');
  await heading(page, 'b.jpg').waitFor();
  await expectEventually(() => current(page)).toBe('b.jpg');
  await page.getByRole('link', { name: 'c.txt' }).click();
  await heading(page, 'c.txt').waitFor();
  await page.keyboard.press('ArrowLeft');
  await heading(page, 'b.jpg').waitFor();

  await page.keyboard.press('f');
  await dialog(page).waitFor();
  await dialog(page).getByText('2 of 3').waitFor();
  await expectAccessibleInBoth(page);
  await page.keyboard.press('ArrowRight');
  await expectEventually(() => shownName(page)).toContain('c.txt');
  await dialog(page).getByText('words').waitFor();
  await expectAccessible(page);
  // There is none behind the last one.
  await page.keyboard.press('ArrowRight');
  await dialog(page)
    .getByRole('button', { name: /^Previous asset/ })
    .click();
  await expectEventually(() => shownName(page)).toContain('b.jpg');
  await dialog(page).getByRole('link', { name: 'a.svg' }).click();
  await expectEventually(() => shownName(page)).toContain('a.svg');
  await page.setViewportSize({ width: 390, height: 800 });
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await dialog(page).waitFor({ state: 'detached' });
  await heading(page, 'a.svg').waitFor();
  await expectAccessible(page);
  await page.goBack();
  await expectTiles(page, 'Assets', ['a.svg', 'b.jpg', 'c.txt']);
});

test('a picture is zoomed and moved by keys, buttons, wheel and drag', async () => {
  const content = await openAsBlob(picture);
  const { assets, visitor, page } = await desk([{ name: 'sky.jpg', type: 'image/jpeg', content }]);
  await using _ = visitor;
  await visitor.goto(`/assets/${assets[0]?.id}`);
  await page.getByRole('button', { name: /^Full window/ }).click();
  const image = dialog(page).getByRole('img', { name: 'Preview of sky.jpg' });
  await image.waitFor();
  const scale = async () =>
    Number.parseInt(
      (await dialog(page)
        .getByText(/^\d+ %$/)
        .textContent()) ?? '',
      10,
    );
  const box = async () => {
    const found = await image.boundingBox();
    if (!found) throw new Error('the picture has no box');
    return { left: Math.round(found.x), width: Math.round(found.width) };
  };
  await expectEventually(scale).toBeLessThan(100);
  const fit = { scale: await scale(), box: await box() };
  await page.keyboard.press('+');
  const enlarged = (150 * fit.box.width) / 1280;
  // Both are rounded.
  await expectEventually(async () => Math.abs((await scale()) - enlarged)).toBeLessThan(1);
  await page.keyboard.press('1');
  await expectEventually(scale).toBe(100);
  await expectEventually(async () => (await box()).width).toBe(1280);
  await page.keyboard.press('0');
  await expectEventually(box).toEqual(fit.box);
  await dialog(page)
    .getByRole('button', { name: /^Zoom in/ })
    .click();
  await dialog(page)
    .getByRole('button', { name: /^Actual size/ })
    .click();
  await expectEventually(scale).toBe(100);

  // The wheel zooms at the pointer: what is there stays there.
  await page.keyboard.press('0');
  await page.mouse.move(640, 300);
  await page.mouse.wheel(0, -700);
  await expectEventually(scale).toBeGreaterThan(fit.scale * 3);
  const before = await box();
  await page.mouse.down();
  await page.mouse.move(740, 300, { steps: 4 });
  await page.mouse.up();
  await expectEventually(async () => (await box()).left - before.left).toBe(100);
  await page.keyboard.press('Shift+ArrowRight');
  await expectEventually(async () => (await box()).left - before.left).toBe(20);
  await page.mouse.dblclick(640, 300);
  await expectEventually(box).toEqual(fit.box);
  await expectAccessible(page);
  await page.keyboard.press('f');
  await dialog(page).waitFor({ state: 'detached' });
});

test('on a phone, a swipe goes on, and two fingers zoom', async () => {
  const photo = { type: 'image/jpeg', content: await openAsBlob(picture) };
  const { assets, visitor, page } = await desk(
    ['one.jpg', 'two.jpg'].map((name) => ({ name, ...photo })),
    { viewport: { width: 390, height: 800 }, hasTouch: true },
  );
  await using _ = visitor;
  const session = await page.context().newCDPSession(page);
  /** Moves fingers from one place to another. */
  const touch = async (...fingers: readonly (readonly [from: number, to: number])[]) => {
    const at = (share: number) =>
      fingers.map(([from, to], id) => ({ id, x: from + (to - from) * share, y: 400 }));
    const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', share?: number) =>
      session.send('Input.dispatchTouchEvent', {
        type,
        touchPoints: share === undefined ? [] : at(share),
      });
    await send('touchStart', 0);
    for (const share of [0.25, 0.5, 0.75, 1]) await send('touchMove', share);
    await send('touchEnd');
  };
  await visitor.goto(`/assets/${assets[1]?.id}`);
  await page.getByRole('button', { name: /^Full window/ }).click();
  const scale = () =>
    dialog(page)
      .getByText(/^\d+ %$/)
      .textContent();
  await expectEventually(scale).toBe('30 %');
  await dialog(page).getByText('1 of 2').waitFor();
  await touch([300, 100]);
  await expectEventually(() => shownName(page)).toContain('one.jpg');
  await touch([100, 300]);
  await expectEventually(() => shownName(page)).toContain('two.jpg');
  await expectEventually(scale).toBe('30 %');
  await touch([180, 80], [210, 310]);
  await expectEventually(async () => Number.parseInt((await scale()) ?? '', 10)).toBeGreaterThan(
    90,
  );
  // Now one finger moves it.
  await touch([300, 100]);
  expect(await shownName(page)).toContain('two.jpg');
  await expectAccessible(page);
});

test('an SVG is shown without running its scripts, and only a broken one is called damaged', async () => {
  const { assets, visitor, page } = await desk([
    { name: 'drawing.svg', type: 'image/svg+xml', content: drawing },
    {
      name: 'broken.svg',
      type: 'image/svg+xml',
      content: '<svg xmlns="http://www.w3.org/2000/svg"',
    },
  ]);
  await using _ = visitor;
  const [good, broken] = assets;
  await visitor.goto(`/assets/${good?.id}`);
  await expectEventually(() => naturalWidth(page, 'drawing.svg')).toBe(120);
  expect(await page.getByText('The preview can’t be shown').count()).toBe(0);
  expect(await page.title()).toBe('drawing.svg · Atelier');
  await visitor.goto(`/assets/${broken?.id}`);
  await page.getByText('The preview can’t be shown').waitFor();
});

test('code is coloured by its language, and stays text', async () => {
  const content = `// <b>bold</b>\nexport const answer: number = 42;\n`;
  const { assets, visitor, page } = await desk([
    { name: 'answer.ts', type: 'text/plain', content },
    { name: 'answer.txt', type: 'text/plain', content },
  ]);
  await using _ = visitor;
  const [code, plain] = assets;
  await visitor.goto(`/assets/${code?.id}`);
  const preview = page.getByRole('region', { name: /^Preview of / });
  await preview.locator('span', { hasText: /^export$/ }).waitFor();
  expect(await preview.textContent()).toBe(content);
  await expectAccessibleInBoth(page);
  await page.keyboard.press('f');
  await dialog(page).locator('span', { hasText: /^42$/ }).waitFor();
  await expectAccessibleInBoth(page);
  await visitor.goto(`/assets/${plain?.id}`);
  await expectEventually(() => preview.textContent()).toBe(content);
  expect(await preview.locator('span').count()).toBe(0);
});

test('files of an older list, whose addresses have ended, are shown with new ones', async () => {
  const { collectionId, visitor, page } = await desk([
    { name: 'a.txt', type: 'text/plain', content: 'first' },
    { name: 'b.jpg', type: 'image/jpeg', content: await openAsBlob(picture) },
    { name: 'c.svg', type: 'image/svg+xml', content: drawing },
    { name: 'd.txt', type: 'text/plain', content: 'words' },
  ]);
  await using _ = visitor;
  visitor.allowError(/status of 403/);
  await page.route(/\/api\/assets\/collection\//, async (route) => {
    const response = await route.fetch();
    const body = (await response.text()).replaceAll(/("assetLongUrl":"[^"]+)"/g, '$1&ended"');
    return route.fulfill({ response, body });
  });
  await visitor.goto(`/collections/${collectionId}?sort=assetName`);
  await page.getByRole('link', { name: 'a.txt' }).click();
  await expectEventually(() => current(page)).toBe('a.txt');
  let refused = Promise.withResolvers<void>();
  await page.route(/&ended$/, async (route) => {
    await route.fulfill({ status: 403, headers: { 'access-control-allow-origin': '*' } });
    refused.resolve();
  });
  await page.route(/\/api\/assets\/[^/?]+$/, async (route) => {
    await refused.promise;
    return route.continue();
  });
  for (const name of ['b.jpg', 'c.svg', 'd.txt']) {
    refused = Promise.withResolvers();
    await page.keyboard.press('ArrowRight');
    await heading(page, name).waitFor();
    await refused.promise;
    if (name === 'd.txt') await page.getByRole('region', { name: /^Preview of d/ }).waitFor();
    else await expectEventually(() => naturalWidth(page, name)).toBeGreaterThan(0);
  }
});

/**
 * Shows a recording. Each address of it is another one, but the page gets a new one only when `renewNext` was called
 * before: a change that the service tells of brings a new one at any time.
 */
async function recording() {
  const { assets, visitor, page } = await desk([
    { name: 'tone.wav', type: 'audio/wav', content: tone() },
  ]);
  let count = 0;
  let isNewWanted = true;
  let body = '';
  await page.route(/\/api\/assets\/[^/?]+$/, async (route) => {
    const response = await route.fetch();
    if (isNewWanted) {
      isNewWanted = false;
      count += 1;
      body = (await response.text()).replace(/"assetLongUrl":"[^"]+/, `$&#${count}`);
    }
    return route.fulfill({ response, body });
  });
  await visitor.goto(`/assets/${assets[0]?.id}`);
  const sound = page.locator('audio');
  return {
    visitor,
    page,
    renewNext() {
      isNewWanted = true;
    },
    /** @param code - of the error that ends it there */
    endAt: (time: number, code?: number) =>
      sound.evaluate(
        (element: HTMLAudioElement, end) => {
          element.currentTime = end.time;
          const error = { value: { code: end.code }, configurable: true };
          if (end.code !== undefined) Object.defineProperty(element, 'error', error);
          element.dispatchEvent(new Event('error'));
        },
        { time, code },
      ),
    expectPlayable: (from: number, address: number) =>
      expectEventually(() =>
        sound.evaluate(({ src, currentTime, readyState }: HTMLAudioElement) => ({
          address: Number(new URL(src).hash.slice(1)),
          currentTime,
          isLoaded: readyState > 0,
        })),
      ).toEqual({ address, currentTime: from, isLoaded: true }),
  };
}

test('a recording whose address has ended continues where it was', async () => {
  const { visitor, renewNext, endAt, expectPlayable } = await recording();
  await using _ = visitor;
  await expectPlayable(0, 1);
  renewNext();
  await endAt(0.5);
  await expectPlayable(0.5, 2);
});

test('a recording whose connection breaks again and again continues where it was', async () => {
  const { visitor, page, renewNext, endAt, expectPlayable } = await recording();
  await using _ = visitor;
  const lose = (time: number) => endAt(time, networkError);
  await expectPlayable(0, 1);
  renewNext();
  await lose(0.25);
  await expectPlayable(0.25, 2);
  for (const [time, address] of [
    [0.5, 3],
    [0.75, 4],
  ] as const) {
    await lose(time);
    await page.getByText('Can’t reach the server.').waitFor();
    await expectAccessible(page);
    renewNext();
    await page.getByRole('button', { name: 'Try again' }).click();
    await expectPlayable(time, address);
  }
});
