// @module-tag slow

import { readFileSync } from 'node:fs';
import { createClient, memoryTokens } from '@atelier/client';
import { openShare, shareTokenOf } from '@atelier/client/shares';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { newAccount, newTeam } from './testing/accounts.ts';
import { expectAccessible, expectAccessibleInBoth } from './testing/axe.ts';
import { launchChromium } from './testing/chromium.ts';
import { daytimeZone } from './testing/daytime.ts';
import { expectFocusIn } from './testing/keyboard.ts';
import { choose, expectEventually, picture, uploadFile } from './testing/library.ts';
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
  await viewer.getByRole('region', { name: 'notes.txt' }).getByText('a note').waitFor();
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
  expect(await page.evaluate('JSON.stringify(localStorage)')).not.toContain('atls_');
  expect(await page.evaluate('JSON.stringify(history.state)')).not.toContain('atls_');
  expect(requests.filter((line) => line.includes(token) || line.includes('atls_'))).toEqual([]);
  expect(requests.filter((line) => line.includes(encodeURIComponent(password)))).toEqual([]);

  await api.shares.remove({ params: { id: share.id } });
  visitor.allowError(/status of 404/);
  await page.getByRole('button', { name: 'Download notes.txt' }).click();
  await page.getByRole('heading', { name: 'This link doesn’t work' }).waitFor();
  expect(await page.evaluate('JSON.stringify(sessionStorage)')).not.toContain('atls_');
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
  // Near midnight, the time would have a date.
  const { timezoneId } = daytimeZone();
  await using visitor = await visit({ browser, stack }, { timezoneId });
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

test('a member creates, changes, replaces and ends a link, and sees its visits', async () => {
  const { account, api, share } = await shared();
  await api.shares.remove({ params: { id: share.id } });
  await using visitor = await visit({ browser, stack }, { as: account });
  const { page } = visitor;
  await visitor.goto(`/collections/${share.target.id}`);
  await choose(page, 'More actions for this collection', 'Share…');
  const dialog = page.getByRole('dialog', { name: 'Share “Autumn campaign”' });
  await dialog.getByText('For the printer').waitFor();
  await expectAccessibleInBoth(page);
  await dialog.getByRole('button', { name: 'New link' }).click();
  await expectFocusIn(dialog);
  await dialog.getByLabel('Label').fill('For the jury');
  await dialog.getByLabel('Password', { exact: true }).fill('short');
  await dialog.getByLabel('Files may be downloaded').check();
  await dialog.getByLabel('Ends').selectOption('In 7 days');
  await dialog.getByLabel('Number of openings').fill('5');
  await expectAccessibleInBoth(page);
  await dialog.getByRole('button', { name: 'Create link' }).click();
  await dialog.getByText('Use 8 to 128 characters.').waitFor();
  await dialog.getByLabel('Password', { exact: true }).fill(password);
  await dialog.getByRole('button', { name: 'Create link' }).click();
  const link = dialog.getByRole('textbox', { name: 'Link of For the jury' });
  const url = await link.inputValue();
  expect(url).toMatch(/\/share#atls_/);
  const stored = async () => {
    const { items } = await api.shares.list({ query: { targetId: share.target.id } });
    return items.find(({ label }) => label?.startsWith('For the jury'));
  };
  expect(await stored()).toMatchObject({
    hasPassword: true,
    allowDownload: true,
    maxOpenings: 5,
    versions: 'CURRENT',
  });

  const opened = await openShare(createClient({ baseUrl: stack.api, tokens: memoryTokens() }), {
    token: shareTokenOf(url) ?? '',
    password,
    visitorName: 'Grace',
  });
  expect((await opened.assets()).items).toHaveLength(2);
  await expectEventually(async () => {
    const { items } = await api.shares.views({ params: { id: (await stored())?.id ?? '' } });
    return items.length;
  }).toBe(1);
  await choose(page, 'Actions for For the jury', 'Visits…');
  const log = page.getByRole('dialog', { name: 'Visits of For the jury' });
  await log.getByText('Grace opened the link').waitFor();
  await expectAccessibleInBoth(page);
  await log.getByRole('button', { name: 'Close' }).click();

  await choose(page, 'Actions for For the jury', 'Change…');
  const edit = page.getByRole('dialog', { name: 'Change the link' });
  await edit.getByLabel('Label').fill('For the jury of 2027');
  await edit.getByLabel('Remove the password').check();
  await edit.getByRole('button', { name: 'Save' }).click();
  await dialog.getByText('For the jury of 2027').waitFor();
  expect(await stored()).toMatchObject({ hasPassword: false, allowDownload: true, maxOpenings: 5 });

  await choose(page, 'Actions for For the jury of 2027', 'Replace link…');
  await page.getByRole('button', { name: 'Replace link' }).click();
  await expectEventually(() =>
    dialog.getByRole('textbox', { name: 'Link of For the jury of 2027' }).inputValue(),
  ).not.toBe(url);

  await choose(page, 'Actions for For the jury of 2027', 'End…');
  await page.getByRole('button', { name: 'End link' }).click();
  await expectEventually(async () => (await stored())?.status).toBe('REVOKED');
  await expectEventually(() => dialog.getByText('Ended', { exact: true }).count()).toBe(2);
});

test('what is public is listed and ended in the settings, and rules are set', async () => {
  const [ada, ben] = [await newAccount(stack, 'Ada'), await newAccount(stack, 'Ben')];
  const organizationId = await newTeam(stack, [ada, ben]);
  const options = { organizationId };
  const { id } = await ada.api.collections.create({ body: { title: 'Posters' } }, options);
  const asset = await uploadFile(ada.api, {
    name: 'poster.txt',
    type: 'text/plain',
    content: 'x',
    collectionId: id,
    organizationId,
  });
  const body = { publicLinkEnabled: true };
  await ada.api.assets.update({ params: { id: asset.id }, body }, options);
  await ada.api.shares.create({ body: { targetType: 'ASSET', targetId: asset.id } }, options);
  await using visitor = await visit({ browser, stack }, { as: ada, organizationId });
  const { page } = visitor;
  await visitor.goto('/settings/organization');
  await page.getByRole('link', { name: 'Show what is public' }).click();
  await page.getByText('Asset “poster.txt”').waitFor();
  await expectAccessibleInBoth(page);
  await page.getByRole('button', { name: 'End the public link of poster.txt' }).click();
  await page.getByText('No asset has a public link.').waitFor();

  await page.getByLabel('Each needs a password').check();
  await page.getByLabel('They may allow downloads').uncheck();
  await page.getByLabel('They end at the latest').selectOption('After 7 days');
  await page.getByRole('button', { name: 'Save rules' }).click();
  await page.getByText('Rules saved.').waitFor();
  expect(await ada.api.shares.policy({ params: { id: organizationId } })).toEqual({
    allowed: true,
    requirePassword: true,
    maxDays: 7,
    allowDownload: false,
  });

  await visitor.goto(`/assets/${asset.id}`);
  await choose(page, 'More actions for poster.txt', 'Share…');
  const dialog = page.getByRole('dialog', { name: 'Share “poster.txt”' });
  await dialog.getByRole('button', { name: 'New link' }).click();
  await dialog.getByText('This organization demands a password.').waitFor();
  expect(await dialog.getByLabel('Files may be downloaded').isDisabled()).toBe(true);
  expect(await dialog.getByLabel('Ends').innerText()).not.toContain('Never');
  await page.setViewportSize({ width: 360, height: 700 });
  await expectAccessibleInBoth(page);

  const members = await ada.api.organizations.listMembers({ params: { id: organizationId } });
  const memberId = members.items.find(({ user }) => user.email === ben.email)?.id ?? '';
  await ada.api.organizations.updateMember({
    params: { id: organizationId, memberId },
    body: { role: 'VIEWER' },
  });
  await using viewer = await visit({ browser, stack }, { as: ben, organizationId });
  await viewer.goto(`/assets/${asset.id}`);
  await viewer.page.getByRole('button', { name: 'More actions for poster.txt' }).click();
  await viewer.page.getByRole('menuitem', { name: 'Download' }).waitFor();
  expect(await viewer.page.getByRole('menuitem', { name: 'Share…' }).count()).toBe(0);
});

test('a link whose response got lost is created once, and one with the same label is another one', async () => {
  const { account, api, share } = await shared();
  await using visitor = await visit({ browser, stack }, { as: account });
  visitor.allowError(/ERR_FAILED/);
  const { page, context } = visitor;
  await visitor.goto(`/collections/${share.target.id}`);
  await choose(page, 'More actions for this collection', 'Share…');
  const dialog = page.getByRole('dialog', { name: 'Share “Autumn campaign”' });
  await dialog.getByRole('button', { name: 'New link' }).click();
  await dialog.getByLabel('Label').fill('For the jury');
  const creation = /\/api\/shares$/;
  await context.route(creation, async (route) => {
    await route.fetch();
    await route.abort();
  });
  await dialog.getByRole('button', { name: 'Create link' }).click();
  await dialog.getByRole('alert').waitFor({ timeout: 40_000 });
  await context.unroute(creation);
  await dialog.getByRole('button', { name: 'Create link' }).click();
  await page.getByText('Link created.').waitFor();
  const query = { targetType: share.target.type, targetId: share.target.id };
  const labels = async () => (await api.shares.list({ query })).items.map(({ label }) => label);
  expect(await labels()).toEqual(['For the jury', 'For the printer']);

  await dialog.getByRole('button', { name: 'New link' }).click();
  await dialog.getByLabel('Label').fill('For the jury');
  await dialog.getByRole('button', { name: 'Create link' }).click();
  await expectEventually(labels).toEqual(['For the jury', 'For the jury', 'For the printer']);
});

test('a changed label leaves what another member changes meanwhile, and the same field is never overwritten', async () => {
  const { account, api, share } = await shared({ allowDownload: true });
  const params = { id: share.id };
  await using visitor = await visit({ browser, stack }, { as: account });
  const { page } = visitor;
  await visitor.goto(`/collections/${share.target.id}`);
  await choose(page, 'More actions for this collection', 'Share…');
  const list = page.getByRole('dialog', { name: 'Share “Autumn campaign”' });
  const edit = page.getByRole('dialog', { name: 'Change the link' });
  await choose(page, 'Actions for For the printer', 'Change…');
  await edit.getByLabel('Label').fill('For the jury');
  await api.shares.update({ params, body: { allowDownload: false, watermark: 'Draft' } });
  // The row, of which the dialog is a part, is up to date.
  await list.getByText('“Draft”').waitFor();
  await edit.getByRole('button', { name: 'Save' }).click();
  await edit.waitFor({ state: 'detached' });
  expect(await api.shares.get({ params })).toMatchObject({
    label: 'For the jury',
    allowDownload: false,
    watermark: 'Draft',
  });

  await choose(page, 'Actions for For the jury', 'Change…');
  await edit.getByLabel('Label').fill('For the bindery');
  await api.shares.update({ params, body: { label: 'For the archive' } });
  await edit.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Someone else just changed the link.').waitFor();
  await edit.waitFor({ state: 'detached' });
  await list.getByText('For the archive').waitFor();
  expect((await api.shares.get({ params })).label).toBe('For the archive');
});
