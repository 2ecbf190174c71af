// @module-tag slow

import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { startReceiver } from '../../api/src/testing/receiver.ts';
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

test('a webhook is added, tested, sends what happens, shows its deliveries and is deleted', async () => {
  const ada = await newAccount(stack, 'Ada');
  const teamId = await newTeam(stack, [ada], 'Harbour Studio');
  const receiver = await startReceiver();
  await using visitor = await visit({ browser, stack }, { as: ada, organizationId: teamId });
  visitor.allowError(/status of 400/);
  const { page } = visitor;
  await visitor.goto('/settings/organization');
  await page.getByRole('link', { name: 'Manage webhooks' }).click();
  await heading(page, 'Webhooks');
  await page.getByText('No webhooks yet').waitFor();
  await page.getByRole('button', { name: 'Add webhook' }).first().click();

  const dialog = page.getByRole('dialog', { name: 'Add webhook' });
  await dialog.getByRole('button', { name: 'Add webhook' }).click();
  await dialog.getByText('Enter the address of your server.').waitFor();
  await dialog.getByLabel('Address').fill('https://10.0.0.1/hooks');
  await dialog.getByLabel('Description').fill('Build server');
  await dialog.getByRole('radio', { name: /^Choose events/ }).check();
  await dialog.getByRole('button', { name: 'Add webhook' }).click();
  await dialog.locator('fieldset:focus').getByText('Choose at least one event.').waitFor();
  await dialog.getByRole('checkbox', { name: /^collection\.create/ }).check();
  await expectAccessibleInBoth(page);
  await dialog.getByRole('button', { name: 'Add webhook' }).click();
  await dialog
    .getByText(/address/i, { exact: false })
    .first()
    .waitFor();
  await dialog.getByLabel('Address').fill(receiver.url);
  await dialog.getByRole('button', { name: 'Add webhook' }).click();

  const saved = page.getByRole('dialog', { name: 'Save the signing secret' });
  const secret = await saved.getByLabel('Signing secret', { exact: true }).inputValue();
  expect(secret).toMatch(/^whsec_/);
  await expectAccessibleInBoth(page);
  await saved.getByRole('button', { name: 'I have saved it' }).click();
  await page.getByRole('link', { name: receiver.url }).click();
  await heading(page, 'Build server');

  await page.getByRole('button', { name: 'Send a test' }).click();
  await receiver.count(1);
  receiver.respond((response) => {
    response.writeHead(500).end('out of order');
  });
  await ada.api.collections.create({ body: { title: 'Brand' } }, { organizationId: teamId });
  const [, message] = await receiver.count(2);
  expect(JSON.parse(message?.body ?? '')).toMatchObject({ type: 'collection.create' });

  const deliveries = page.getByRole('list', { name: 'Deliveries' });
  await expect
    .poll(
      async () => {
        await page.getByRole('button', { name: 'Refresh' }).click();
        return deliveries.getByText('1 attempt · Status 500').count();
      },
      { timeout: 20_000 },
    )
    .toBe(1);
  await deliveries.getByText('webhook.ping').waitFor();
  await page.getByRole('button', { name: 'Show delivery: collection.create' }).click();
  await page.getByText('out of order').waitFor();
  await page.getByText('"type": "collection.create"').waitFor();
  await expectAccessibleInBoth(page);
  receiver.respond((response) => {
    response.writeHead(204).end();
  });
  await page.getByRole('button', { name: 'Send again' }).click();
  const messages = await receiver.count(3);
  expect(messages[2]?.id).toBe(message?.id);
  await expect
    .poll(
      async () => {
        await page.getByRole('button', { name: 'Refresh' }).click();
        return page.getByText('Attempt 2').count();
      },
      { timeout: 20_000 },
    )
    .toBe(1);
  await deliveries.getByText('2 attempts · Status 204').waitFor();

  await page.getByRole('button', { name: 'Webhook actions' }).click();
  await page.getByRole('menuitem', { name: 'Send again…' }).click();
  const replaying = page.getByRole('dialog', { name: 'Send again' });
  await replaying.getByLabel('From').fill('2026-01-01T00:00');
  await replaying.getByLabel('To').press('1');
  await replaying.getByRole('button', { name: 'Send again' }).click();
  await replaying.getByText('Enter the whole date and time, or nothing.').waitFor();
  await replaying.getByRole('button', { name: 'Cancel' }).click();
  expect(await page.content()).not.toContain(secret);

  await page.getByRole('button', { name: 'Webhook actions' }).click();
  await page.getByRole('menuitem', { name: 'Pause' }).click();
  await page.getByText('Paused', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Webhook actions' }).click();
  await page.getByRole('menuitem', { name: 'Replace secret' }).click();
  const rotating = page.getByRole('dialog', { name: 'Replace the signing secret' });
  await rotating.getByRole('button', { name: 'Replace secret' }).click();
  expect(await saved.getByLabel('Signing secret', { exact: true }).inputValue()).not.toBe(secret);
  await saved.getByRole('button', { name: 'I have saved it' }).click();
  await page.getByText('the old one is valid until').waitFor();

  await page.getByRole('button', { name: 'Webhook actions' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await page
    .getByRole('dialog', { name: 'Delete this webhook?' })
    .getByRole('button', { name: 'Delete webhook' })
    .click();
  await page.getByText('No webhooks yet').waitFor();
  await receiver.stop();
});

test('members without the right see no webhooks', async () => {
  const [ada, grace] = await Promise.all([newAccount(stack, 'Ada'), newAccount(stack, 'Grace')]);
  const teamId = await newTeam(stack, [ada, grace], 'Harbour Studio');
  await using visitor = await visit({ browser, stack }, { as: grace, organizationId: teamId });
  const { page } = visitor;
  await visitor.goto('/settings/webhooks');
  await page.getByText('Only owners and admins manage webhooks').waitFor();
  expect(await page.getByRole('button', { name: 'Add webhook' }).count()).toBe(0);
});

test('deliveries stay when a refresh fails', async () => {
  const ada = await newAccount(stack, 'Ada');
  const teamId = await newTeam(stack, [ada], 'Harbour Studio');
  const receiver = await startReceiver();
  const created = await ada.api.webhooks.create({
    params: { id: teamId },
    body: { url: receiver.url, events: ['*'] },
  });
  const params = { id: teamId, webhookId: created.id };
  await ada.api.webhooks.ping({ params });
  await receiver.count(1);
  await using visitor = await visit({ browser, stack }, { as: ada, organizationId: teamId });
  visitor.allowError(/status of 400/);
  const { page } = visitor;
  await visitor.goto(`/settings/webhooks/${params.webhookId}`);
  const deliveries = page.getByRole('list', { name: 'Deliveries' });
  await deliveries.getByText('webhook.ping').waitFor();
  await deliveries.evaluate((list: HTMLElement) => list.setAttribute('data-marked', ''));
  const path = /\/deliveries\?/;
  const refresh = page.getByRole('button', { name: 'Refresh' });
  const refused = { success: false, code: 'validation_failed', message: 'No', errors: [] };
  await page.route(path, (route) => route.fulfill({ status: 400, json: refused }));
  for (const status of [400, 200]) {
    const response = page.waitForResponse(path);
    await refresh.click();
    expect((await response).status()).toBe(status);
    await page.unroute(path);
  }
  await deliveries.getByText('webhook.ping').waitFor();
  expect(await deliveries.getAttribute('data-marked')).toBe('');

  const status = page.getByRole('combobox', { name: 'Status' });
  await status.selectOption('Delivered');
  await page.waitForURL(/status=DELIVERED/);
  await page.reload();
  await deliveries.getByText('webhook.ping').waitFor();
  expect(await status.inputValue()).toBe('DELIVERED');
  await receiver.stop();
});

test('an edit leaves what another admin changes meanwhile, and the same field is never overwritten', async () => {
  const ada = await newAccount(stack, 'Ada');
  const teamId = await newTeam(stack, [ada], 'Harbour Studio');
  const { id: webhookId } = await ada.api.webhooks.create({
    params: { id: teamId },
    body: { url: 'https://example.com/hooks', events: ['*'] },
  });
  const params = { id: teamId, webhookId };
  await using visitor = await visit({ browser, stack }, { as: ada, organizationId: teamId });
  const { page } = visitor;
  await visitor.goto(`/settings/webhooks/${webhookId}`);
  const edit = page.getByRole('dialog', { name: 'Edit webhook' });
  await choose(page, 'Webhook actions', 'Edit');
  await edit.getByLabel('Description').fill('Build server');
  await ada.api.webhooks.update({ params, body: { events: ['collection.create'] } });
  await edit.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Webhook updated.').waitFor();
  expect(await ada.api.webhooks.get({ params })).toMatchObject({
    description: 'Build server',
    events: ['collection.create'],
  });

  await heading(page, 'Build server');
  await choose(page, 'Webhook actions', 'Edit');
  await edit.getByLabel('Description').fill('Print server');
  await ada.api.webhooks.update({ params, body: { description: 'Archive server' } });
  await edit.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Someone else just changed this webhook.').waitFor();
  await heading(page, 'Archive server');
  expect(await ada.api.webhooks.get({ params })).toMatchObject({ description: 'Archive server' });
});

test('a change whose response got lost is saved by the next attempt, and not taken for someone else’s', async () => {
  const ada = await newAccount(stack, 'Ada');
  const teamId = await newTeam(stack, [ada], 'Harbour Studio');
  const { id: webhookId } = await ada.api.webhooks.create({
    params: { id: teamId },
    body: { url: 'https://example.com/hooks', events: ['*'] },
  });
  await using visitor = await visit({ browser, stack }, { as: ada, organizationId: teamId });
  visitor.allowError(/ERR_FAILED/);
  const { page } = visitor;
  await visitor.goto(`/settings/webhooks/${webhookId}`);
  const edit = page.getByRole('dialog', { name: 'Edit webhook' });
  await choose(page, 'Webhook actions', 'Edit');
  await edit.getByLabel('Description').fill('Build server');
  const change = `**/webhooks/${webhookId}`;
  let attempts = 0;
  await page.route(change, async (route) => {
    if (route.request().method() !== 'PATCH') return route.continue();
    attempts += 1;
    await route.fetch();
    return route.abort();
  });
  await edit.getByRole('button', { name: 'Save' }).click();
  await edit.getByRole('alert').waitFor({ timeout: 40_000 });
  await page.unroute(change);
  await edit.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Webhook updated.').waitFor();
  await heading(page, 'Build server');
  expect(attempts).toBeGreaterThan(0);
});
