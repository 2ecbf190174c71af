// @module-tag slow

import { readFile } from 'node:fs/promises';
import type { Browser, Route } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { newAccount } from './testing/accounts.ts';
import { expectAccessible } from './testing/axe.ts';
import { launchChromium } from './testing/chromium.ts';
import { refuseUnconfirmed } from './testing/pages.ts';
import { visit } from './testing/visitor.ts';

const stack = inject('stack');

let browser: Browser;
beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(() => browser?.close());

test('an export is confirmed, found again after a reload, and downloaded', async () => {
  const ada = await newAccount(stack, 'Ada');
  await using visitor = await visit({ browser, stack }, { as: ada });
  visitor.allowError(/status of 403/);
  const { page } = visitor;
  await visitor.goto('/settings/security');
  const card = page.getByRole('region', { name: 'Export your data' });
  await card.waitFor();
  expect(await ada.api.account.latestExport()).toEqual({ export: null });

  let isRefused = false;
  await page.route('**/api/auth/user/export', (route) => {
    if (isRefused || route.request().method() !== 'POST') return route.fallback();
    isRefused = true;
    return refuseUnconfirmed(route);
  });
  await card.getByRole('button', { name: 'Start export' }).click();
  const confirming = page.getByRole('dialog', { name: 'Confirm it’s you' });
  await confirming.getByLabel('Password').fill(ada.password);
  await confirming.getByRole('button', { name: 'Confirm' }).click();
  await card.getByText(/^(Being prepared|Ready)$/).waitFor();
  await page.reload();
  await card.getByText('Ready', { exact: true }).waitFor();
  await expectAccessible(page);

  const withoutUrl = async (route: Route) => {
    const response = await route.fetch();
    const { data, ...body } = await response.json();
    await route.fulfill({ response, json: { ...body, data: { ...data, url: null } } });
  };
  await page.route('**/api/auth/user/export/*', withoutUrl, { times: 1 });
  await card.getByRole('button', { name: 'Download' }).click();
  await confirming.getByLabel('Password').fill(ada.password);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    confirming.getByRole('button', { name: 'Confirm' }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/^atelier-export-\d{4}-\d\d-\d\d\.zip$/);
  const file = await readFile(await download.path());
  const { export: latest } = await ada.api.account.latestExport();
  expect([file.subarray(0, 2).toString(), file.length]).toEqual(['PK', latest?.sizeBytes]);
});
