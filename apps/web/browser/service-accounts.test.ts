// @module-tag slow

import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { newAccount, newTeam } from './testing/accounts.ts';
import { expectAccessibleInBoth } from './testing/axe.ts';
import { launchChromium } from './testing/chromium.ts';
import { choose } from './testing/library.ts';
import { heading } from './testing/pages.ts';
import { visit } from './testing/visitor.ts';

const stack = inject('stack');

let browser: Browser;
beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(() => browser?.close());

interface KeyRequest {
  readonly key: string;
  readonly organizationId: string;
}

/** Lists collections of an organization with a key, and returns the status. */
async function statusWith({ key, organizationId }: KeyRequest): Promise<number> {
  const response = await fetch(`${stack.api}/api/collections`, {
    headers: { authorization: `Bearer ${key}`, 'x-organization-id': organizationId },
  });
  await response.arrayBuffer();
  return response.status;
}

test('an account is created, works with its keys, is changed and deleted', async () => {
  const ada = await newAccount(stack, 'Ada');
  const organizationId = await newTeam(stack, [ada], 'Harbour Studio');
  await using visitor = await visit({ browser, stack }, { as: ada, organizationId });
  const { page } = visitor;
  await visitor.goto('/settings/organization');
  await page.getByRole('link', { name: 'Service accounts' }).click();
  await heading(page, 'Service accounts');
  await page.getByText('No service accounts yet').waitFor();
  await page.getByRole('button', { name: 'Create service account' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Create service account' });
  await dialog.getByRole('button', { name: 'Create account' }).click();
  await dialog.getByText('Enter a name.').waitFor();
  await dialog.getByLabel('Name', { exact: true }).fill('Build server');
  await dialog.getByLabel('Role').selectOption('Viewer');
  await expectAccessibleInBoth(page);
  await dialog.getByRole('button', { name: 'Create account' }).click();

  await heading(page, 'Build server');
  await visitor.goto('/settings/members');
  await expectAccessibleInBoth(page);
  await page.getByRole('link', { name: 'Service account: Build server' }).click();
  await heading(page, 'Build server');
  await page.getByText('No API keys yet').waitFor();
  await page.getByRole('button', { name: 'Create API key' }).click();
  const keyDialog = page.getByRole('dialog', { name: 'Create API key' });
  await keyDialog.getByLabel('Name', { exact: true }).fill('Nightly build');
  await keyDialog.getByRole('button', { name: 'Create key' }).click();
  const created = page.getByRole('dialog', { name: 'Save your new key' });
  const key = await created.getByLabel('API key', { exact: true }).inputValue();
  expect(key).toMatch(/^atl_svc_[0-9A-Za-z]{46}$/);
  await created.getByRole('button', { name: 'I have saved it' }).click();
  expect(await statusWith({ key, organizationId })).toBe(200);
  await page.getByText(`${key.slice(0, 12)}…${key.slice(-4)}`).waitFor();
  await expectAccessibleInBoth(page);

  await page.getByRole('button', { name: 'Actions for Nightly build' }).click();
  await page.getByRole('menuitem', { name: 'Replace' }).click();
  const replacing = page.getByRole('dialog', { name: 'Replace “Nightly build”' });
  await replacing.getByLabel('The old key stops working').selectOption('immediately');
  await replacing.getByRole('button', { name: 'Replace key' }).click();
  const next = await created.getByLabel('API key', { exact: true }).inputValue();
  await created.getByRole('button', { name: 'I have saved it' }).click();
  expect(await statusWith({ key, organizationId })).toBe(401);
  expect(await statusWith({ key: next, organizationId })).toBe(200);

  await page.getByRole('button', { name: 'Actions for Build server' }).click();
  await page.getByRole('menuitem', { name: 'Edit' }).click();
  const editing = page.getByRole('dialog', { name: 'Edit service account' });
  await editing.getByLabel('Name', { exact: true }).fill('Release server');
  await editing.getByLabel('Role').selectOption('Member');
  await editing.getByRole('button', { name: 'Save' }).click();
  await heading(page, 'Release server');

  await page.getByRole('button', { name: 'Actions for Release server' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  const deleting = page.getByRole('dialog', { name: 'Delete “Release server”?' });
  await deleting.getByRole('button', { name: 'Delete service account' }).click();
  await heading(page, 'Service accounts');
  await page.getByText('No service accounts yet').waitFor();
  expect(await statusWith({ key: next, organizationId })).toBe(401);
});

test('keys of members are excluded, and refused by the rules of the team', async () => {
  const [ada, bob] = [await newAccount(stack, 'Ada'), await newAccount(stack, 'Bob')];
  const organizationId = await newTeam(stack, [ada, bob], 'Harbour Studio');
  const newKey = (name: string) =>
    bob.api.apiKeys.create({
      body: { name, preset: 'read-only', organizationIds: [organizationId], expiresInDays: 90 },
    });
  const [first, second] = [await newKey('Nightly build'), await newKey('Backup')];
  await using visitor = await visit({ browser, stack }, { as: ada, organizationId });
  const { page } = visitor;
  await visitor.goto('/settings/organization');
  await page.getByRole('link', { name: 'API keys of members' }).click();
  await heading(page, 'API keys of members');
  await page.getByText('Backup', { exact: true }).waitFor();
  await expectAccessibleInBoth(page);

  expect(await statusWith({ key: first.key, organizationId })).toBe(200);
  await page.getByRole('button', { name: 'Exclude Nightly build' }).click();
  const excluding = page.getByRole('dialog', { name: 'Exclude “Nightly build”?' });
  await excluding.getByRole('button', { name: 'Exclude key' }).click();
  await page.getByRole('button', { name: 'Exclude Nightly build' }).waitFor({ state: 'detached' });
  expect(await statusWith({ key: first.key, organizationId })).toBe(403);

  await page.getByLabel('Personal API keys').selectOption('Not allowed');
  await page.getByLabel('Maximum age of keys').selectOption('30 days');
  await page.getByRole('button', { name: 'Save rules' }).click();
  await page.getByText('Refused by the rules').waitFor();
  expect(await statusWith({ key: second.key, organizationId })).toBe(403);
  await expectAccessibleInBoth(page);
  await page.reload();
  expect(await page.getByLabel('Maximum age of keys').inputValue()).toBe('30');
});

test('members are told that they may not manage service accounts', async () => {
  const [ada, bob] = [await newAccount(stack, 'Ada'), await newAccount(stack, 'Bob')];
  const organizationId = await newTeam(stack, [ada, bob], 'Harbour Studio');
  await using visitor = await visit({ browser, stack }, { as: bob, organizationId });
  await visitor.goto('/settings/service-accounts');
  await visitor.page.getByText('Only owners and admins manage service accounts').waitFor();
  await visitor.goto('/settings/member-keys');
  const refusal = visitor.page.getByText('Only owners and admins see the API keys of members');
  await refusal.waitFor();
  expect(await visitor.page.getByRole('button', { name: 'Save rules' }).count()).toBe(0);
});

test('a new name leaves the role that another admin has chosen meanwhile', async () => {
  const ada = await newAccount(stack, 'Ada');
  const organizationId = await newTeam(stack, [ada], 'Harbour Studio');
  const params = { id: organizationId };
  const { id: accountId } = await ada.api.serviceAccounts.create({
    params,
    body: { name: 'Build server', role: 'MEMBER' },
  });
  await using visitor = await visit({ browser, stack }, { as: ada, organizationId });
  const { page } = visitor;
  await visitor.goto(`/settings/service-accounts/${accountId}`);
  await choose(page, 'Actions for Build server', 'Edit');
  const editing = page.getByRole('dialog', { name: 'Edit service account' });
  await editing.getByLabel('Name', { exact: true }).fill('Release server');
  await ada.api.serviceAccounts.update({
    params: { ...params, accountId },
    body: { role: 'VIEWER' },
  });
  await editing.getByRole('button', { name: 'Save' }).click();
  await heading(page, 'Release server');
  const { items } = await ada.api.serviceAccounts.list({ params });
  expect(items).toMatchObject([{ name: 'Release server', role: 'VIEWER' }]);
});
