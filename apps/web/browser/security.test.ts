// @module-tag slow

import { createClient, memoryTokens } from '@atelier/client';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { totpOf, wrongTotpOf } from '../../../packages/conformance/src/one-time-codes.ts';
import { newAccount, newTeam, uniqueEmail } from './testing/accounts.ts';
import { expectAccessible } from './testing/axe.ts';
import { launchChromium } from './testing/chromium.ts';
import { expectKept } from './testing/keyboard.ts';
import { tokenFromMail } from './testing/mailbox.ts';
import { backAndStay, heading, refuseUnconfirmed, signIn } from './testing/pages.ts';
import { visit } from './testing/visitor.ts';

const stack = inject('stack');

let browser: Browser;
beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(() => browser?.close());

test('an authenticator app is set up, its recovery codes are replaced, and it is turned off', async () => {
  const ada = await newAccount(stack, 'Ada');
  await using visitor = await visit({ browser, stack }, { as: ada });
  visitor.allowError(/status of 400/);
  const { page } = visitor;
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await visitor.goto('/settings/profile');
  await page.getByRole('link', { name: 'Manage security' }).click();
  await page.getByRole('button', { name: 'Set up' }).click();
  const dialog = page.getByRole('dialog', { name: 'Authenticator app' });
  await dialog.getByRole('img', { name: 'QR code for your authenticator app' }).waitFor();
  await dialog.getByRole('button', { name: 'Copy the key' }).click();
  const secret = await page.evaluate<string>('navigator.clipboard.readText()');
  expect(secret).toMatch(/^[A-Z2-7]{32}$/);
  await expectAccessible(page);
  await dialog.getByLabel('Code', { exact: true }).fill(wrongTotpOf(secret));
  await dialog.getByRole('button', { name: 'Turn on' }).click();
  await dialog.getByText('This code is wrong or has already been used.').waitFor();
  await dialog.getByLabel('Code', { exact: true }).fill(totpOf(secret, 0));
  await dialog.getByRole('button', { name: 'Turn on' }).click();

  const saving = page.getByRole('dialog', { name: 'Save your recovery codes' });
  await saving.getByRole('listitem').first().waitFor();
  const first = await saving.getByRole('listitem').allTextContents();
  expect(first).toHaveLength(10);
  await saving.getByRole('button', { name: 'Copy all' }).click();
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(`${first.join('\n')}\n`);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    saving.getByRole('link', { name: 'Download' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('atelier-recovery-codes.txt');
  await expectAccessible(page);
  await expectKept(page, saving);
  await backAndStay(page, 'Save them first, then press “I have saved them”.');
  expect(await saving.getByRole('listitem').allTextContents()).toEqual(first);
  await saving.getByRole('button', { name: 'I have saved them' }).click();
  await page.getByText('10 codes left').waitFor();

  await page.getByRole('button', { name: 'Get new codes' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Get new codes' }).click();
  await saving.getByRole('listitem').first().waitFor();
  const second = await saving.getByRole('listitem').allTextContents();
  expect(second.filter((code) => first.includes(code))).toEqual([]);
  await saving.getByRole('button', { name: 'I have saved them' }).click();

  await using other = await visit({ browser, stack });
  other.allowError(/status of 400/);
  await other.goto('/login');
  await signIn(other.page, ada.email, ada.password);
  await heading(other.page, 'One more step');
  await other.page.getByRole('button', { name: 'Use a recovery code' }).click();
  await other.page.getByLabel('Recovery code').fill(second[0] ?? '');
  await other.page.getByRole('button', { name: 'Continue' }).click();
  await heading(other.page, /^Good /);

  await page.reload();
  await page.getByText('9 codes left').waitFor();
  await page.getByRole('button', { name: 'Turn off' }).click();
  await page.getByText('Your password alone will open your account').waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Turn off' }).click();
  await page.getByText('Codes are off.').waitFor();
  await page.getByRole('button', { name: 'Set up' }).waitFor();
  expect(await ada.api.security.overview()).toMatchObject({ totp: null, recoveryCodesLeft: 0 });
  await expectAccessible(page);
});

test('recovery codes are shown also if the dialog was closed before the response', async () => {
  const ada = await newAccount(stack, 'Ada');
  await using visitor = await visit({ browser, stack }, { as: ada });
  const { page } = visitor;
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route('**/totp/enable', (route) => released.then(() => route.continue()));
  await visitor.goto('/settings/security');
  await page.getByRole('button', { name: 'Set up' }).click();
  const dialog = page.getByRole('dialog', { name: 'Authenticator app' });
  await dialog.getByRole('button', { name: 'Copy the key' }).click();
  const secret = await page.evaluate<string>('navigator.clipboard.readText()');
  await dialog.getByLabel('Code', { exact: true }).fill(totpOf(secret, 0));
  const sent = page.waitForRequest('**/totp/enable');
  await dialog.getByRole('button', { name: 'Turn on' }).click();
  await sent;
  await dialog.getByRole('button', { name: 'Close' }).click();
  await dialog.waitFor({ state: 'detached' });
  release();
  const saving = page.getByRole('dialog', { name: 'Save your recovery codes' });
  await saving.getByRole('listitem').first().waitFor();
  expect(await saving.getByRole('listitem').count()).toBe(10);
});

test('a password is changed with its second factor; other sessions end only if the user wants it', async () => {
  const ada = await newAccount(stack, 'Ada');
  // Its session is open before: its own sign-in has no code.
  await using visitor = await visit({ browser, stack }, { as: ada });
  const { secret } = await ada.api.security.startTotp();
  const { recoveryCodes } = await ada.api.security.enableTotp({
    body: { code: totpOf(secret, 0) },
  });
  visitor.allowError(/status of 400/);
  const { page } = visitor;
  const password = 'correct horse battery staple';
  await visitor.goto('/settings/security');
  await page.getByRole('button', { name: 'Change password' }).click();
  const dialog = page.getByRole('dialog', { name: 'Change password' });
  await dialog.getByLabel('Current password').fill('not this one');
  await dialog.getByLabel('New password').fill('password1');
  await dialog.getByText('Strength: very weak').waitFor();
  await dialog.getByLabel('New password').fill(password);
  await dialog.getByText('Strength: strong').waitFor();
  await dialog.getByLabel('Sign out everywhere else').uncheck();
  await dialog.getByRole('button', { name: 'Change password' }).click();
  await dialog.getByText('Incorrect password.').waitFor();
  await expectAccessible(page);
  await dialog.getByLabel('Current password').fill(ada.password);
  await dialog.getByRole('button', { name: 'Change password' }).click();
  const factor = page.getByRole('dialog', { name: 'One more step' });
  await factor.getByRole('button', { name: 'Use a recovery code' }).click();
  await factor.getByLabel('Recovery code').fill(recoveryCodes[0] ?? '');
  await factor.getByRole('button', { name: 'Continue' }).click();
  await page.getByText('Password changed.').waitFor();
  // The session that created the account.
  expect((await ada.api.auth.user()).email).toBe(ada.email);

  await page.getByRole('button', { name: 'Change password' }).click();
  await dialog.getByLabel('Current password').fill(password);
  await dialog.getByLabel('New password').fill(ada.password);
  await dialog.getByRole('button', { name: 'Change password' }).click();
  await factor.getByRole('button', { name: 'Use a recovery code' }).click();
  await factor.getByLabel('Recovery code').fill(recoveryCodes[1] ?? '');
  await factor.getByRole('button', { name: 'Continue' }).click();
  await factor.waitFor({ state: 'detached' });
  await expect(ada.api.auth.user()).rejects.toMatchObject({ kind: 'session_expired' });
  await page.getByText('This device').waitFor();
});

test('this device is first among the sessions, with how each was opened; all others are signed out', async () => {
  const ada = await newAccount(stack, 'Ada');
  const { personalOrganizationId: personal } = await ada.api.auth.user();
  await ada.api.apiKeys.create({
    body: { name: 'Nightly build', preset: 'read-only', organizationIds: [personal] },
  });
  await using visitor = await visit({ browser, stack }, { as: ada });
  const { secret } = await ada.api.security.startTotp();
  await ada.api.security.enableTotp({ body: { code: totpOf(secret, 0) } });
  const { email, password } = ada;
  const secondFactor = { kind: 'totp', code: totpOf(secret, 1) } as const;
  const other = createClient({ baseUrl: stack.api, tokens: memoryTokens() });
  await other.auth.login({ body: { email, password, secondFactor } });
  const { page } = visitor;
  await visitor.goto('/settings/security');
  const sessions = page.getByRole('region', { name: 'Where you are signed in' });
  await sessions.getByText('This device').waitFor();
  const rows = await sessions.getByRole('listitem').allTextContents();
  expect(rows[0]).toContain('This device');
  expect(rows[0]).toMatch(/Last used .+ signed in .+ with a password(?! and)/);
  expect(rows.some((row) => row.includes('with a password and a one-time code'))).toBe(true);

  const keys = page.getByRole('region', { name: 'API keys' });
  await keys.getByText('Nightly build').waitFor();
  await keys.getByText('Never used').waitFor();
  await keys.getByRole('link', { name: 'Manage API keys' }).waitFor();

  await sessions.getByRole('switch', { name: 'Email at every sign-in' }).click();
  await expect.poll(() => ada.api.auth.user()).toMatchObject({ mailSignIns: true });
  await expectAccessible(page);

  await sessions.getByRole('button', { name: 'Sign out all other devices' }).click();
  const dialog = page.getByRole('dialog', { name: 'Sign out all other devices?' });
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Sign out all other devices' }).click();
  await page.getByText('2 sessions ended.').waitFor();
  await expect(ada.api.auth.user()).rejects.toMatchObject({ kind: 'session_expired' });
  await expect.poll(() => sessions.getByRole('listitem').count()).toBe(1);
});

test('an account without a password gets a link to choose one, and sees its provider', async () => {
  await using visitor = await visit({ browser, stack });
  visitor.allowError(/status of 403/);
  const { page } = visitor;
  const email = uniqueEmail('provider-only');
  await visitor.goto('/settings/security');
  await page.getByRole('button', { name: 'Continue with GitHub' }).click();
  await page.getByLabel('Another account').fill(email);
  await page.getByRole('button', { name: 'Continue' }).click();
  await heading(page, 'Security');
  await page.getByText('GitHub', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Disconnect GitHub' }).click();
  const dialog = page.getByRole('dialog', { name: 'Disconnect GitHub?' });
  await dialog.getByRole('button', { name: 'Disconnect' }).click();
  const asking = page.getByRole('dialog', { name: 'Confirm it’s you' });
  await asking.getByText('No password? Set one in your security settings first.').waitFor();
  await expectAccessible(page);
  await asking.getByRole('button', { name: 'Cancel' }).click();
  await dialog.getByText('Confirm that it’s you to do this.').waitFor();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Email me a link' }).click();
  await page.getByText(`We sent a link to ${email}.`).waitFor();
  await expectAccessible(page);
});

test('a team requires a second factor, and tells its members who have none', async () => {
  const [ada, grace] = await Promise.all([newAccount(stack, 'Ada'), newAccount(stack, 'Grace')]);
  const teamId = await newTeam(stack, [ada, grace], 'Harbour Studio');
  await using visitor = await visit({ browser, stack }, { as: ada, organizationId: teamId });
  visitor.allowError(/status of 40[03]/);
  const { page } = visitor;
  await visitor.goto('/settings/organization');
  await page.getByRole('button', { name: 'Require it' }).click();
  const asking = page.getByRole('dialog', { name: 'Require a second factor?' });
  await asking.getByRole('button', { name: 'Require it' }).click();
  await asking.getByText('Set one up in your security settings first.').waitFor();
  await expectAccessible(page);
  await asking.getByRole('button', { name: 'Cancel' }).click();
  const { secret } = await ada.api.security.startTotp();
  await ada.api.security.enableTotp({ body: { code: totpOf(secret, 0) } });
  await page.getByRole('button', { name: 'Require it' }).click();
  await page.route('**/security-policy', refuseUnconfirmed, { times: 1 });
  await asking.getByRole('button', { name: 'Require it' }).click();
  const confirming = page.getByRole('dialog', { name: 'Confirm it’s you' });
  await confirming.getByLabel('Password').fill(ada.password);
  await confirming.getByRole('button', { name: 'Confirm' }).click();
  const factor = page.getByRole('dialog', { name: 'One more step' });
  await factor.getByLabel('Code').fill(totpOf(secret, 1));
  await factor.getByRole('button', { name: 'Continue' }).click();
  await page.getByText('Members now need a second factor.').waitFor();
  await page.getByText(/^Members without a second factor can’t open this team from/).waitFor();
  await expectAccessible(page);

  await using other = await visit({ browser, stack }, { as: grace, organizationId: teamId });
  await other.goto('/projects');
  const notice = other.page.getByText(/^Harbour Studio requires a second factor from/);
  await notice.waitFor();
  await expectAccessible(other.page);
  await other.page.getByRole('link', { name: 'Set up a second factor' }).click();
  await heading(other.page, 'Security');
  const started = await grace.api.security.startTotp();
  await grace.api.security.enableTotp({ body: { code: totpOf(started.secret, 0) } });
  await other.page.reload();
  await other.page.getByText('10 codes left').waitFor();
  await notice.waitFor({ state: 'detached' });
});

test('an email is changed by a mailed link, and changed back by another', async () => {
  const ada = await newAccount(stack, 'Ada');
  const newEmail = uniqueEmail('ada-new');
  await using visitor = await visit({ browser, stack }, { as: ada });
  visitor.allowError(/status of 40[01]/);
  const { page } = visitor;
  await visitor.goto('/settings/profile');
  await page.getByRole('button', { name: 'Change email' }).click();
  const dialog = page.getByRole('dialog', { name: 'Change email' });
  await dialog.getByLabel('New email').fill('ada at home');
  await dialog.getByRole('button', { name: 'Send link' }).click();
  await dialog.getByText('Enter an email address').waitFor();
  await expectAccessible(page);
  await dialog.getByLabel('New email').fill(newEmail);
  await dialog.getByRole('button', { name: 'Send link' }).click();
  await page.getByText(`We sent a link to ${newEmail}.`).waitFor();

  const change = await tokenFromMail(stack, newEmail, 'change-email');
  await visitor.goto(`/change-email?token=${change}`);
  await heading(page, 'Change your email?');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Change my email' }).click();
  await heading(page, 'Your email is changed');
  await visitor.goto('/settings/profile');
  await page.getByRole('region', { name: 'Email' }).getByText(newEmail).waitFor();

  const undo = await tokenFromMail(stack, ada.email, 'undo-email-change');
  await visitor.goto(`/undo-email-change?token=${undo}`);
  await heading(page, 'Undo the change of your email?');
  await page.getByRole('button', { name: 'Undo the change' }).click();
  await heading(page, 'Your email is back');
  await expectAccessible(page);
  await visitor.goto(`/undo-email-change?token=${undo}`);
  await page.getByRole('button', { name: 'Undo the change' }).click();
  await heading(page, 'This link does not work');

  const reset = await tokenFromMail(stack, ada.email, 'reset-password');
  await visitor.goto(`/reset-password?token=${reset}`);
  await heading(page, 'Choose a new password');
});

test('a preference that could not be saved is shown as it is stored, and changes are saved in order', async () => {
  const ada = await newAccount(stack, 'Ada');
  await using visitor = await visit({ browser, stack }, { as: ada });
  visitor.allowError(/status of 403/);
  const { page } = visitor;
  await visitor.goto('/settings/security');
  const preference = page.getByRole('switch', { name: 'Email at every sign-in' });
  const profile = /\/api\/auth\/user\/profile$/;
  const body = { success: false, code: 'forbidden', message: 'Forbidden', errors: [] };
  await page.route(profile, (route) => route.fulfill({ status: 403, json: body }));
  await preference.click();
  await page.getByRole('log').getByRole('button', { name: 'Dismiss notification' }).waitFor();
  await expect.poll(() => preference.isChecked()).toBe(false);
  await page.unroute(profile);

  let underWay = 0;
  const atOnce: number[] = [];
  await page.route(profile, async (route) => {
    atOnce.push(++underWay);
    const response = await route.fetch();
    underWay -= 1;
    await route.fulfill({ response });
  });
  for (const _ of [1, 2, 3]) await preference.evaluate((one: HTMLElement) => one.click());
  await expect.poll(() => atOnce).toEqual([1, 1, 1]);
  await expect.poll(() => ada.api.auth.user()).toMatchObject({ mailSignIns: true });
  expect(await preference.isChecked()).toBe(true);
});
