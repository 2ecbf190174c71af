// @module-tag slow

import type { Browser } from 'playwright-core';
import { totpOf } from '../../../packages/conformance/src/one-time-codes.ts';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { newAccount, newTeam, uniqueEmail } from './testing/accounts.ts';
import { expectAccessible } from './testing/axe.ts';
import { launchChromium } from './testing/chromium.ts';
import { tokenFromMail } from './testing/mailbox.ts';
import { picture } from './testing/library.ts';
import { heading, refuseUnconfirmed, signIn } from './testing/pages.ts';
import { visit, type Visitor } from './testing/visitor.ts';

const stack = inject('stack');
const password = 'a quiet harbour at dawn';

let browser: Browser;
beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(() => browser?.close());

/** Signs in with the provider, from a page that needs a session. */
async function continueWithGoogle(visitor: Visitor, email: string): Promise<void> {
  visitor.allowError(/status of 400/);
  await visitor.goto('/settings/profile');
  await visitor.page.getByRole('button', { name: 'Continue with Google' }).click();
  await visitor.page.getByLabel('Another account').fill(email);
  await visitor.page.getByRole('button', { name: 'Continue' }).click();
}

describe('accounts', () => {
  test('a new user signs up, verifies their email and gets to the dashboard', async () => {
    await using visitor = await visit({ browser, stack });
    const { page } = visitor;
    const email = uniqueEmail('nora');
    await visitor.goto('/register');
    await page.getByLabel('First name').fill('Nora');
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Show characters' }).click();
    expect(await page.getByLabel('Password').getAttribute('type')).toBe('text');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Create account' }).click();
    await heading(page, 'Check your inbox');
    const first = await tokenFromMail(stack, email, 'verify-email');
    await page.getByRole('button', { name: 'Send the link again' }).click();
    await page.getByText('We sent another link.').waitFor();
    await expectAccessible(page);
    await expect.poll(() => tokenFromMail(stack, email, 'verify-email')).not.toBe(first);

    await visitor.goto(`/verify-email?token=${await tokenFromMail(stack, email, 'verify-email')}`);
    await heading(page, 'Your email is verified');
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Sign in' }).click();
    expect(await page.getByLabel('Email').inputValue()).toBe(email);
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await heading(page, /^Good \w+, Nora$/);
    await page.getByText('No tasks yet').waitFor();
    // Zeros say nothing: the first steps take their place.
    await page.getByText('0 of 2 done').waitFor();
    expect(await page.getByRole('region', { name: 'Key figures' }).count()).toBe(0);
    await expectAccessible(page);
  });

  test('a used verification link shows what to do next', async () => {
    const { email } = await newAccount(stack);
    await using visitor = await visit({ browser, stack });
    visitor.allowError(/status of 400/);
    await visitor.goto(`/verify-email?token=${await tokenFromMail(stack, email, 'verify-email')}`);
    await heading(visitor.page, 'This link does not work');
    await visitor.page.getByRole('link', { name: 'Sign up again' }).waitFor();
    await expectAccessible(visitor.page);
  });

  test('an account with one-time codes signs in, through a provider too, and confirms with them', async () => {
    const ada = await newAccount(stack, 'Ada');
    const { secret } = await ada.api.security.startTotp();
    const used = totpOf(secret, 0);
    const { recoveryCodes } = await ada.api.security.enableTotp({ body: { code: used } });
    await using visitor = await visit({ browser, stack });
    visitor.allowError(/status of 40[03]/);
    const { page } = visitor;
    await visitor.goto('/login');
    await signIn(page, ada.email, ada.password);
    await heading(page, 'One more step');
    await page.getByLabel('Code').fill(used);
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByText('This code is wrong or has already been used.').waitFor();
    await expectAccessible(page);
    await page.getByLabel('Code').fill(totpOf(secret, 1));
    await page.getByRole('button', { name: 'Continue' }).click();
    await heading(page, /^Good /);

    await page.route('**/api/auth/api-keys', refuseUnconfirmed, { times: 1 });
    await visitor.goto('/settings/api-keys');
    await page.getByRole('button', { name: 'Create API key' }).first().click();
    const dialog = page.getByRole('dialog', { name: 'Create API key' });
    await dialog.getByLabel('Name', { exact: true }).fill('Nightly build');
    await dialog.getByRole('button', { name: 'Create key' }).click();
    const asking = page.getByRole('dialog', { name: 'Confirm it’s you' });
    await asking.getByLabel('Password').fill(ada.password);
    await asking.getByRole('button', { name: 'Confirm' }).click();
    const factor = page.getByRole('dialog', { name: 'One more step' });
    await factor.getByRole('button', { name: 'Use a recovery code' }).click();
    await factor.getByLabel('Recovery code').fill(recoveryCodes[0] ?? '');
    await factor.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('dialog', { name: 'Save your new key' }).waitFor();

    await using other = await visit({ browser, stack });
    await continueWithGoogle(other, ada.email);
    await heading(other.page, 'One more step');
    await other.page.getByRole('button', { name: 'Use a recovery code' }).click();
    await other.page.getByLabel('Recovery code').fill(recoveryCodes[1] ?? '');
    await other.page.getByRole('button', { name: 'Continue' }).click();
    await heading(other.page, 'Profile');
  });

  test('a sign-in that asks for a code leads back to another account', async () => {
    const [ada, grace] = [await newAccount(stack, 'Ada'), await newAccount(stack, 'Grace')];
    const { secret } = await ada.api.security.startTotp();
    await ada.api.security.enableTotp({ body: { code: totpOf(secret, 0) } });
    await using visitor = await visit({ browser, stack });
    visitor.allowError(/status of 400/);
    const { page } = visitor;
    await visitor.goto('/settings/profile');
    await signIn(page, ada.email, ada.password);
    await heading(page, 'One more step');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Use another account' }).click();
    await signIn(page, grace.email, grace.password);
    await heading(page, 'Profile');

    await using other = await visit({ browser, stack });
    await continueWithGoogle(other, ada.email);
    await heading(other.page, 'One more step');
    await other.page.getByRole('link', { name: 'Use another account' }).click();
    await signIn(other.page, grace.email, grace.password);
    await heading(other.page, 'Profile');
  });

  test('an account is deleted after typing its address, and kept by the mailed link', async () => {
    const ada = await newAccount(stack, 'Ada');
    const grace = await newAccount(stack, 'Grace');
    const teamId = await newTeam(stack, [ada, grace], 'Harbour Studio');
    await using visitor = await visit({ browser, stack }, { as: ada });
    visitor.allowError(/status of 4\d\d/);
    const { page } = visitor;
    await visitor.goto('/settings/profile');
    await page.getByRole('button', { name: 'Delete account' }).click();
    const dialog = page.getByRole('dialog', { name: 'Delete your account?' });
    const action = dialog.getByRole('button', { name: 'Delete my account' });
    expect(await action.isDisabled()).toBe(true);
    await dialog.getByLabel(/^Type/).fill(ada.email);
    await action.click();
    await dialog
      .getByRole('alert')
      .getByText('Make someone else an owner, or delete the team: Harbour Studio.')
      .waitFor();
    await expectAccessible(page);
    await ada.api.organizations.remove({
      params: { id: teamId },
      query: { confirmName: 'Harbour Studio' },
    });
    await action.click();
    await heading(page, 'Sign in');
    await page.getByText('You have signed out.').waitFor();
    await page.getByText(/^Your account will be deleted on/).waitFor();
    expect(new URL(page.url()).search).toBe('');
    await signIn(page, ada.email, ada.password);
    await page.getByText('This account is about to be deleted.').waitFor();

    const link = `/keep-account?token=${await tokenFromMail(stack, ada.email, 'keep-account')}`;
    await visitor.goto(link);
    await heading(page, 'Keep your account?');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Keep my account' }).click();
    await heading(page, 'Your account is kept');
    await visitor.goto(link);
    await page.getByRole('button', { name: 'Keep my account' }).click();
    await heading(page, 'This link does not work');
    await page.getByRole('link', { name: 'Sign in' }).click();
    await signIn(page, ada.email, ada.password);
    await heading(page, /^Good /);
  });

  test.each(['Google', 'GitHub'])(
    'the button of %s signs in and continues to the requested page, without a code in the history',
    async (provider) => {
      await using visitor = await visit({ browser, stack });
      const { page } = visitor;
      const email = uniqueEmail(provider);
      await visitor.goto('/settings/profile');
      await page.getByRole('button', { name: `Continue with ${provider}` }).click();
      await page.getByLabel('Another account').fill(email);
      await page.getByRole('button', { name: 'Continue' }).click();
      await heading(page, 'Profile');
      await page.getByRole('region', { name: 'Email' }).getByText(email).waitFor();
      await page.goBack();
      await page.waitForLoadState();
      expect(page.url()).not.toContain('code=');
    },
  );

  test('a declined sign-in shows why, and the next one continues to the requested page', async () => {
    await using visitor = await visit({ browser, stack });
    const { page } = visitor;
    await visitor.goto('/settings/profile');
    await page.getByRole('button', { name: 'Continue with Google' }).click();
    await page.getByRole('link', { name: /Kim Declines/ }).click();
    await heading(page, 'Sign-in failed');
    await page.getByText('You declined the sign-in at the provider').waitFor();
    await expect.poll(() => new URL(page.url()).search).toBe('');
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Back to sign in' }).click();
    await heading(page, 'Sign in');
    const account = await newAccount(stack);
    await signIn(page, account.email, account.password);
    await heading(page, 'Profile');
  });

  test('a password reset ends every session and allows a new sign-in', async () => {
    const account = await newAccount(stack);
    await using visitor = await visit({ browser, stack });
    visitor.allowError(/status of 400/);
    const { page } = visitor;
    await visitor.goto('/login');
    await page.getByRole('link', { name: 'Forgot your password?' }).click();
    // Both pages ask for the email.
    await heading(page, 'Reset your password');
    await page.getByLabel('Email').fill(account.email);
    await page.getByRole('button', { name: 'Send link' }).click();
    await heading(page, 'Check your inbox');

    const token = await tokenFromMail(stack, account.email, 'reset-password');
    await visitor.goto(`/reset-password?token=${token}`);
    await page.getByLabel('New password', { exact: true }).fill(password);
    await page.getByLabel('Repeat new password').fill('something else entirely');
    await page.getByRole('button', { name: 'Save password' }).click();
    await page.getByText('The passwords don’t match.').waitFor();
    await expectAccessible(page);
    await page.getByLabel('Repeat new password').fill(password);
    await page.getByRole('button', { name: 'Save password' }).click();
    await heading(page, 'Password changed');
    await expect(account.api.auth.user()).rejects.toMatchObject({ kind: 'session_expired' });

    await page.getByRole('link', { name: 'Sign in' }).click();
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await heading(page, /^Good /);
    await visitor.goto(`/reset-password?token=${token}`);
    await heading(page, 'This link does not work');
  });
});

describe('profile', () => {
  test('saves name, picture and preferences', async () => {
    const ada = await newAccount(stack, 'Ada');
    await using visitor = await visit({ browser, stack }, { as: ada });
    const { page } = visitor;
    await visitor.goto('/settings/profile');
    await page.getByLabel('First name').fill('Augusta');
    await page.getByRole('button', { name: 'Save name' }).click();
    await page.getByText('Name updated.').waitFor();
    await page.getByRole('button', { name: 'Account menu for Augusta Tester' }).waitFor();

    await page.locator('input[type=file]').setInputFiles(picture);
    await page.getByText('Preview: evening-ridge.jpg').waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Use this picture' }).click();
    await page.getByText('Profile picture updated.').waitFor();
    await expect
      .poll(() => ada.api.auth.user())
      .toMatchObject({
        firstName: 'Augusta',
        avatarUrl: expect.stringContaining('http'),
      });
    await page.getByText('Dark', { exact: true }).click();
    expect(await page.locator('html').getAttribute('data-theme')).toBe('dark');
    await expectAccessible(page);
  });

  test('a session ended in one tab is signed out in another', async () => {
    const ada = await newAccount(stack, 'Ada');
    await using one = await visit({ browser, stack }, { as: ada });
    await using other = await visit({ browser, stack }, { as: ada });
    other.allowError(/status of 401/);
    await other.goto('/settings/plan');
    await heading(other.page, 'Plan and usage');
    await one.goto('/settings/security');
    await one.page.getByRole('button', { name: 'Sign out all other devices' }).click();
    await one.page
      .getByRole('dialog')
      .getByRole('button', { name: 'Sign out all other devices' })
      .click();
    await one.page.getByText(/sessions? ended\./).waitFor();
    await heading(other.page, 'Sign in');
    await other.page.getByText('Your session has ended.').waitFor();
    await expect(ada.api.auth.user()).rejects.toMatchObject({ kind: 'session_expired' });
  });
});
