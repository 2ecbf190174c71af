// @module-tag slow

import type { Browser, Route } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { newAccount } from './testing/accounts.ts';
import { softwareAuthenticator } from './testing/authenticator.ts';
import { expectAccessible } from './testing/axe.ts';
import { launchChromium } from './testing/chromium.ts';
import { heading, refuseUnconfirmed } from './testing/pages.ts';
import { visit } from './testing/visitor.ts';
import { waitForPage } from './testing/wait-for-page.ts';

const stack = inject('stack');

let browser: Browser;
beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(() => browser?.close());

test('a passkey is added, signs in without an email and by autofill, confirms, and is removed', async () => {
  const ada = await newAccount(stack, 'Ada');
  await using visitor = await visit({ browser, stack }, { as: ada });
  visitor.allowError(/status of 40[03]/);
  const { page } = visitor;
  const device = await softwareAuthenticator(page);
  await visitor.goto('/settings/security');
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  const adding = page.getByRole('dialog', { name: 'Add a passkey' });
  await adding.getByLabel('Name').fill('My laptop');
  await expectAccessible(page);
  await adding.getByRole('button', { name: 'Add a passkey' }).click();
  const saving = page.getByRole('dialog', { name: 'Save your recovery codes' });
  await saving.getByRole('button', { name: 'I have saved them' }).click();
  const row = page.getByRole('listitem').filter({ hasText: 'My laptop' });
  await row.getByText('never used').waitFor();
  await page.getByText('10 codes left').waitFor();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  await adding.getByLabel('Name').fill('Once more');
  await adding.getByRole('button', { name: 'Add a passkey' }).click();
  await adding.getByText('This device already has a passkey for your account.').waitFor();
  await adding.getByRole('button', { name: 'Cancel' }).click();

  await page.getByRole('button', { name: 'Rename My laptop' }).click();
  const renaming = page.getByRole('dialog', { name: 'Rename' });
  await renaming.getByLabel('Name').fill('Blue laptop');
  await renaming.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Passkey renamed.').waitFor();

  await device.answers(false);
  await page.evaluate('localStorage.clear()');
  await visitor.goto('/login');
  await page.getByLabel('Email').fill(ada.email);
  await page.getByLabel('Password', { exact: true }).fill(ada.password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await heading(page, 'One more step');
  await expectAccessible(page);
  await device.answers(true);
  await page.getByRole('button', { name: 'Use your passkey' }).click();
  await heading(page, /^Good /);
  await waitForPage(page);

  await device.answers(false);
  await page.evaluate('localStorage.clear()');
  await visitor.goto('/login');
  await page.getByRole('button', { name: 'Continue with a passkey' }).waitFor();
  await device.answers(true);
  await page.getByRole('button', { name: 'Continue with a passkey' }).click();
  await heading(page, /^Good /);
  await waitForPage(page);
  await page.evaluate('localStorage.clear()');
  // The browser offers it in the field, and the software authenticator accepts.
  await visitor.goto('/login');
  await heading(page, /^Good /);

  await visitor.goto('/settings/security');
  await page.route('**/api/auth/user/passkeys/*', refuseUnconfirmed, { times: 1 });
  await page.getByRole('button', { name: 'Remove Blue laptop' }).click();
  const removing = page.getByRole('dialog', { name: 'Remove Blue laptop?' });
  await removing.getByText('your recovery codes stop working').waitFor();
  await removing.getByRole('button', { name: 'Remove' }).click();
  const confirming = page.getByRole('dialog', { name: 'Confirm it’s you' });
  await expectAccessible(page);
  await confirming.getByRole('button', { name: 'Use a passkey' }).click();
  await page.getByText('Passkey removed.').waitFor();
  await page.getByText('You have no passkeys yet.').waitFor();
  expect(await ada.api.security.overview()).toMatchObject({ passkeys: [], recoveryCodesLeft: 0 });
});

test('a passkey from autofill that is refused says why, and others are offered after it and after the button', async () => {
  const ada = await newAccount(stack, 'Ada');
  await using visitor = await visit({ browser, stack }, { as: ada });
  visitor.allowError(/status of 400/);
  const { page } = visitor;
  const device = await softwareAuthenticator(page);
  await visitor.goto('/settings/security');
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  const adding = page.getByRole('dialog', { name: 'Add a passkey' });
  await adding.getByLabel('Name').fill('My laptop');
  await adding.getByRole('button', { name: 'Add a passkey' }).click();
  const saving = page.getByRole('dialog', { name: 'Save your recovery codes' });
  await saving.getByRole('button', { name: 'I have saved them' }).click();

  await page.evaluate('localStorage.clear()');
  const refuse = async (route: Route) => {
    await device.answers(false);
    const refusal = { success: false, code: 'passkey_invalid', message: 'Invalid', errors: [] };
    await route.fulfill({ status: 400, json: refusal });
  };
  await page.route('**/auth/passkeys/login', refuse, { times: 1 });
  let challenges = 0;
  page.on('request', (request) => {
    if (request.url().endsWith('/auth/passkeys/challenge')) challenges += 1;
  });
  await visitor.goto('/login');
  const problem = page.getByRole('alert');
  await problem.getByText('This passkey was not accepted.').waitFor();
  await expect.poll(() => challenges).toBe(2);

  await device.answers(true);
  await page.route('**/auth/passkeys/login', refuse, { times: 1 });
  await page.getByRole('button', { name: 'Continue with a passkey' }).click();
  await problem.getByText('This passkey was not accepted.').waitFor();
  // That of the button, and that of the autofill after it.
  await expect.poll(() => challenges).toBe(4);
});
