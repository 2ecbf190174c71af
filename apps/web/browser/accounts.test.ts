import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { newAccount, someEmail } from './testing/accounts.ts';
import { expectAccessible } from './testing/axe.ts';
import { launchChromium } from './testing/chromium.ts';
import { mailedToken } from './testing/mailbox.ts';
import { picture } from './testing/library.ts';
import { heading, signIn } from './testing/pages.ts';
import { visit } from './testing/visitor.ts';

const stack = inject('stack');
const password = 'a quiet harbour at dawn';

let browser: Browser;
beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(() => browser?.close());

describe('accounts', () => {
  test('somebody registers, verifies by the mailed link and comes to the dashboard', async () => {
    await using visitor = await visit({ browser, stack });
    const { page } = visitor;
    const email = someEmail('nora');
    await visitor.goto('/register');
    await page.getByLabel('First name').fill('Nora');
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Create account' }).click();
    await heading(page, 'Check your inbox');

    await visitor.goto(`/verify-email?token=${await mailedToken(stack, email, 'verify-email')}`);
    await heading(page, 'Your email is verified');
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Sign in' }).click();
    expect(await page.getByLabel('Email').inputValue()).toBe(email);
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await heading(page, /^Good \w+, Nora$/);
    await page.getByText('No tasks yet').waitFor();
    await expectAccessible(page);
  });

  test('a verification link that was used says so and leads on', async () => {
    const { email } = await newAccount(stack);
    await using visitor = await visit({ browser, stack });
    visitor.expectComplaint(/status of 400/);
    await visitor.goto(`/verify-email?token=${await mailedToken(stack, email, 'verify-email')}`);
    await heading(visitor.page, 'This link does not work');
    await visitor.page.getByRole('link', { name: 'Register again' }).waitFor();
    await expectAccessible(visitor.page);
  });

  test.each(['Google', 'GitHub'])(
    'the button of %s signs in and goes on where somebody wanted to go, without a code left behind',
    async (provider) => {
      await using visitor = await visit({ browser, stack });
      const { page } = visitor;
      const email = someEmail(provider);
      await visitor.goto('/settings/profile');
      await page.getByRole('button', { name: `Continue with ${provider}` }).click();
      await page.getByLabel('Another account').fill(email);
      await page.getByRole('button', { name: 'Continue' }).click();
      await heading(page, 'Profile and sessions');
      expect(await page.getByLabel('Email', { exact: true }).inputValue()).toBe(email);
      await page.goBack();
      await page.waitForLoadState();
      expect(page.url()).not.toContain('code=');
    },
  );

  test('a sign-in that was declined is told politely, and the next one still goes on', async () => {
    await using visitor = await visit({ browser, stack });
    const { page } = visitor;
    await visitor.goto('/settings/profile');
    await page.getByRole('button', { name: 'Continue with Google' }).click();
    await page.getByRole('link', { name: /Kim Declines/ }).click();
    await heading(page, 'Signing in did not work');
    await page.getByText('You did not allow it at the provider').waitFor();
    await expect.poll(() => new URL(page.url()).search).toBe('');
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Back to sign in' }).click();
    await heading(page, 'Sign in');
    const account = await newAccount(stack);
    await signIn(page, account.email, account.password);
    await heading(page, 'Profile and sessions');
  });

  test('a new password by mail ends every session and signs in', async () => {
    const account = await newAccount(stack);
    await using visitor = await visit({ browser, stack });
    visitor.expectComplaint(/status of 400/);
    const { page } = visitor;
    await visitor.goto('/login');
    await page.getByRole('link', { name: 'Forgot your password?' }).click();
    // Both pages ask for the email.
    await heading(page, 'Reset your password');
    await page.getByLabel('Email').fill(account.email);
    await page.getByRole('button', { name: 'Send the link' }).click();
    await heading(page, 'Check your inbox');

    const token = await mailedToken(stack, account.email, 'reset-password');
    await visitor.goto(`/reset-password?token=${token}`);
    await page.getByLabel('New password', { exact: true }).fill(password);
    await page.getByLabel('New password, once more').fill('something else entirely');
    await page.getByRole('button', { name: 'Save the password' }).click();
    await page.getByText('The two passwords are not the same.').waitFor();
    await expectAccessible(page);
    await page.getByLabel('New password, once more').fill(password);
    await page.getByRole('button', { name: 'Save the password' }).click();
    await heading(page, 'Your password is changed');
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
  test('name, picture and preferences are saved', async () => {
    const ada = await newAccount(stack, 'Ada');
    await using visitor = await visit({ browser, stack }, { as: ada });
    const { page } = visitor;
    await visitor.goto('/settings/profile');
    await page.getByLabel('First name').fill('Augusta');
    await page.getByRole('button', { name: 'Save the name' }).click();
    await page.getByText('Your name is changed.').waitFor();
    await page.getByRole('button', { name: 'Account of Augusta Tester' }).waitFor();

    await page.locator('input[type=file]').setInputFiles(picture);
    await page.getByText('Preview: evening-ridge.jpg').waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Use this picture' }).click();
    await page.getByText('Your picture is changed.').waitFor();
    await page.getByRole('switch', { name: 'Mail me what concerns me' }).click();
    await expect
      .poll(() => ada.api.auth.user())
      .toMatchObject({
        firstName: 'Augusta',
        avatarUrl: expect.stringContaining('http'),
        mailNotices: false,
      });
    await page.getByText('Dark', { exact: true }).click();
    expect(await page.locator('html').getAttribute('data-theme')).toBe('dark');
    await expectAccessible(page);
  });

  test('a session that is ended elsewhere is over in its tab', async () => {
    const ada = await newAccount(stack, 'Ada');
    await using one = await visit({ browser, stack }, { as: ada });
    await using other = await visit({ browser, stack }, { as: ada });
    other.expectComplaint(/status of 401/);
    await other.goto('/settings/plan');
    await heading(other.page, 'Plan and usage');
    await one.goto('/settings/profile');
    await one.page.getByRole('button', { name: 'End all others' }).click();
    await one.page.getByRole('dialog').getByRole('button', { name: 'End all others' }).click();
    await one.page.getByText(/sessions? (is|are) over\./).waitFor();
    await heading(other.page, 'Sign in');
    await other.page.getByText('Your session has ended.').waitFor();
    await expect(ada.api.auth.user()).rejects.toMatchObject({ kind: 'session_expired' });
  });
});
