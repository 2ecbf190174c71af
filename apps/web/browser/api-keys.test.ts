// @module-tag slow

import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { newAccount, newTeam } from './testing/accounts.ts';
import { expectAccessibleInBoth } from './testing/axe.ts';
import { launchChromium } from './testing/chromium.ts';
import { expectKept } from './testing/keyboard.ts';
import { backAndStay, heading, refuseUnconfirmed, reloadAndStay } from './testing/pages.ts';
import { visit } from './testing/visitor.ts';

const stack = inject('stack');

let browser: Browser;
beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(() => browser?.close());

/** Sends a request with a key and returns the status. */
async function statusWith(key: string, path: string): Promise<number> {
  const response = await fetch(`${stack.api}${path}`, {
    headers: { authorization: `Bearer ${key}` },
  });
  await response.arrayBuffer();
  return response.status;
}

test('a key is created, shown once, used, renamed, replaced and revoked', async () => {
  const ada = await newAccount(stack, 'Ada');
  const teamId = await newTeam(stack, [ada], 'Harbour Studio');
  await using visitor = await visit({ browser, stack }, { as: ada, organizationId: teamId });
  const { page } = visitor;
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await visitor.goto('/settings/profile');
  await page.getByRole('link', { name: 'Manage API keys' }).click();
  await heading(page, 'API keys');
  await page.getByText('No API keys yet').waitFor();
  await page.getByRole('button', { name: 'Create API key' }).first().click();

  const dialog = page.getByRole('dialog', { name: 'Create API key' });
  await dialog.getByRole('button', { name: 'Create key' }).click();
  await dialog.getByText('Enter a name.').waitFor();
  await dialog.getByLabel('Name', { exact: true }).fill('Nightly build');
  expect(await dialog.getByRole('checkbox', { name: 'Harbour Studio' }).isChecked()).toBe(true);
  await dialog.getByRole('radio', { name: /^Custom/ }).check();
  await dialog.getByRole('button', { name: 'Create key' }).click();
  await dialog.locator('fieldset:focus').getByText('Choose at least one scope.').waitFor();
  await expectAccessibleInBoth(page);
  await dialog.getByRole('checkbox', { name: /collection:read$/ }).check();
  await dialog.getByRole('button', { name: 'Create key' }).click();

  const created = page.getByRole('dialog', { name: 'Save your new key' });
  const key = await created.getByLabel('API key', { exact: true }).inputValue();
  expect(key).toMatch(/^atl_pat_[0-9A-Za-z]{46}$/);
  await reloadAndStay(page);
  await backAndStay(page, 'Copy it first, then press “I have saved it”.');
  expect(await created.getByLabel('API key', { exact: true }).inputValue()).toBe(key);
  // The palette leads elsewhere, too.
  await page.keyboard.press('Control+k');
  expect(await page.getByRole('combobox', { name: 'Search and commands' }).count()).toBe(0);
  await created.getByRole('button', { name: 'Copy: API key' }).click();
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(key);
  await expectAccessibleInBoth(page);
  expect(await statusWith(key, '/api/collections')).toBe(200);
  expect(await statusWith(key, '/api/projects')).toBe(403);
  await expectKept(page, created);
  await created.getByRole('button', { name: 'I have saved it' }).click();
  await page.getByRole('log').getByText('Copy it first').waitFor({ state: 'detached' });
  await page.goBack();
  await heading(page, 'Profile');
  await page.goForward();
  await page.reload();
  const row = page.getByRole('listitem').filter({ hasText: 'Nightly build' });
  await row.getByText(`${key.slice(0, 12)}…${key.slice(-4)}`).waitFor();
  expect(await page.content()).not.toContain(key);

  await row.getByRole('button', { name: 'Actions for Nightly build' }).click();
  await page.getByRole('menuitem', { name: 'Rename' }).click();
  const renaming = page.getByRole('dialog', { name: 'Rename API key' });
  await renaming.getByLabel('Name').fill('Release');
  await renaming.getByRole('button', { name: 'Save' }).click();
  const renamed = page.getByRole('listitem').filter({ hasText: 'Release' });
  await renamed.waitFor();

  await renamed.getByRole('button', { name: 'Actions for Release' }).click();
  await page.getByRole('menuitem', { name: 'Replace' }).click();
  const replacing = page.getByRole('dialog', { name: 'Replace “Release”' });
  await replacing.getByLabel('The old key stops working').selectOption('immediately');
  await replacing.getByRole('button', { name: 'Replace key' }).click();
  const next = await created.getByLabel('API key', { exact: true }).inputValue();
  await created.getByRole('button', { name: 'I have saved it' }).click();
  expect(next).not.toBe(key);
  expect(await statusWith(key, '/api/collections')).toBe(401);
  expect(await statusWith(next, '/api/collections')).toBe(200);

  await page.getByRole('button', { name: 'Actions for Release' }).click();
  await page.getByRole('menuitem', { name: 'Revoke' }).click();
  const revoking = page.getByRole('dialog', { name: 'Revoke “Release”?' });
  await revoking.getByRole('button', { name: 'Revoke key' }).click();
  await revoking.waitFor({ state: 'detached' });
  await expect.poll(() => statusWith(next, '/api/collections')).toBe(401);
  await page.getByRole('button', { name: 'Actions for Release' }).waitFor({ state: 'detached' });
  await expectAccessibleInBoth(page);
});

test('a session that was not confirmed lately asks for the password, and nothing typed is lost', async () => {
  const ada = await newAccount(stack, 'Ada');
  await using visitor = await visit({ browser, stack }, { as: ada });
  const { page } = visitor;
  visitor.allowError(/status of 40[03]/);
  await page.route('**/api/auth/api-keys', refuseUnconfirmed, { times: 1 });
  await visitor.goto('/settings/api-keys');
  await page.getByRole('button', { name: 'Create API key' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Create API key' });
  await dialog.getByLabel('Name', { exact: true }).fill('Nightly build');
  await dialog.getByRole('button', { name: 'Create key' }).click();

  const asking = page.getByRole('dialog', { name: 'Confirm it’s you' });
  await asking.getByLabel('Password').fill('a wrong password');
  await asking.getByRole('button', { name: 'Confirm' }).click();
  await asking.getByText('Incorrect password.').waitFor();
  await asking.locator('[name="password"]:focus').waitFor();
  await expectAccessibleInBoth(page);
  await asking.getByLabel('Password').fill(ada.password);
  await asking.getByRole('button', { name: 'Confirm' }).click();
  const created = page.getByRole('dialog', { name: 'Save your new key' });
  expect(await created.getByLabel('API key', { exact: true }).inputValue()).toMatch(/^atl_pat_/);
  const { items } = await ada.api.apiKeys.list();
  expect(items.map(({ name }) => name)).toEqual(['Nightly build']);
});

test('a key says what assistants may do with it, and an assistant is connected with it', async () => {
  const ada = await newAccount(stack, 'Ada');
  await using visitor = await visit({ browser, stack }, { as: ada });
  const { page } = visitor;
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await visitor.goto('/settings/api-keys');
  await page.getByRole('button', { name: 'Create API key' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Create API key' });
  expect(await dialog.getByRole('radio', { name: /^Ask a person/ }).isChecked()).toBe(true);
  await dialog.getByLabel('Name', { exact: true }).fill('Desk assistant');
  await dialog.getByRole('radio', { name: /^Delete without asking/ }).check();
  await dialog.getByRole('button', { name: 'Create key' }).click();

  const created = page.getByRole('dialog', { name: 'Save your new key' });
  const key = await created.getByLabel('API key', { exact: true }).inputValue();
  await created.getByText('Connect an assistant').click();
  await expectAccessibleInBoth(page);
  await created.getByRole('button', { name: /^Copy: .* over HTTP$/ }).click();
  const withKey = JSON.parse(String(await page.evaluate('navigator.clipboard.readText()')));
  expect(withKey.mcpServers.atelier.headers).toEqual({ Authorization: `Bearer ${key}` });
  await created.getByRole('button', { name: 'I have saved it' }).click();

  const row = page.getByRole('listitem').filter({ hasText: 'Desk assistant' });
  await row.getByText('Assistants delete without asking').waitFor();
  const [stored] = (await ada.api.apiKeys.list()).items;
  expect(stored?.toolMode).toBe('FREE');
  const card = page.getByRole('region', { name: 'Connect an assistant' });
  await card.getByText(`${stack.api}/mcp`, { exact: true }).waitFor();
  expect(await card.textContent()).not.toContain(key);
  await card.getByRole('link', { name: 'Approvals' }).click();
  await heading(page, 'Approvals');
});
