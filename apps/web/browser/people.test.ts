import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { runOperator } from '../../api/src/operator/run.ts';
import { mailedToken, newAccount, newTeam, someEmail } from './testing/accounts.ts';
import { expectAccessible } from './testing/axe.ts';
import { launchChromium } from './testing/chromium.ts';
import { visit } from './testing/visitor.ts';

const stack = inject('stack');
const picture = join(import.meta.dirname, '../../../packages/devstack/samples/evening-ridge.jpg');
const password = 'a quiet harbour at dawn';

let browser: Browser;
beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(() => browser?.close());

/** Waits for the heading of a page. */
async function heading(page: Page, name: string | RegExp): Promise<void> {
  await page.getByRole('heading', { level: 1, name }).waitFor();
}

async function signIn(page: Page, email: string, secret: string): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(secret);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

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
      await page.getByRole('link', { name: `Continue with ${provider}` }).click();
      await page.getByLabel('Somebody else').fill(email);
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
    await page.getByRole('link', { name: 'Continue with Google' }).click();
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

describe('invitations', () => {
  test('several are invited at once; one joins as the right account, seen live by who invited', async () => {
    const [ada, grace, alan] = await Promise.all([
      newAccount(stack, 'Ada'),
      newAccount(stack, 'Grace'),
      newAccount(stack, 'Alan'),
    ]);
    const teamId = await newTeam(stack, [ada], 'Harbour Studio');
    await using inviter = await visit({ browser, stack }, { as: ada, organizationId: teamId });
    await inviter.goto('/settings/members');
    await inviter.page.getByRole('button', { name: 'Invite people' }).click();
    const dialog = inviter.page.getByRole('dialog', { name: 'Invite people' });
    const field = dialog.getByLabel('Email addresses');
    await field.fill('nobody, ada');
    await dialog.getByRole('button', { name: /^Send/ }).click();
    await dialog.getByText('This is no email address: nobody, ada').waitFor();
    await expectAccessible(inviter.page);
    const other = someEmail('other');
    await field.fill(`${grace.email}, ${other}`);
    await dialog.getByRole('button', { name: 'Send 2 invitations' }).click();
    await dialog.waitFor({ state: 'detached' });
    await inviter.page.getByRole('link', { name: 'Invitations' }).click();
    await inviter.page.getByRole('row', { name: new RegExp(grace.email) }).waitFor();
    await expectAccessible(inviter.page);
    await inviter.page
      .getByRole('navigation', { name: 'Members and invitations' })
      .getByRole('link', { name: 'Members' })
      .click();

    await using invitee = await visit({ browser, stack }, { as: alan });
    invitee.expectComplaint(/status of 40[13]/);
    const { page } = invitee;
    const token = await mailedToken(stack, grace.email, 'invitations');
    await invitee.goto(`/invitations/${token}`);
    await heading(page, 'Join Harbour Studio');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Accept the invitation' }).click();
    await page.getByText('This invitation is for another account').waitFor();
    await page.getByRole('button', { name: 'Use another account' }).click();
    await page.getByRole('link', { name: 'Sign in' }).click();
    await signIn(page, grace.email, grace.password);
    await heading(page, 'Join Harbour Studio');
    await page.getByRole('button', { name: 'Accept the invitation' }).click();
    await heading(page, /^Good \w+, Grace$/);
    await page.getByText('Where Harbour Studio stands.').waitFor();

    await inviter.page.getByRole('row', { name: new RegExp(grace.email) }).waitFor();
    const members = await ada.api.organizations.listMembers({ params: { id: teamId } });
    expect(members.items.map(({ user }) => user.email)).toContain(grace.email);
  });

  test('a revoked invitation can not be accepted any more', async () => {
    const ada = await newAccount(stack, 'Ada');
    const teamId = await newTeam(stack, [ada]);
    const email = someEmail('late');
    await ada.api.organizations.invite({ params: { id: teamId }, body: { email } });
    const token = await mailedToken(stack, email, 'invitations');
    await using inviter = await visit({ browser, stack }, { as: ada, organizationId: teamId });
    const { page } = inviter;
    await inviter.goto('/settings/members?tab=invitations');
    await page.getByRole('button', { name: `Actions for ${email}` }).click();
    await page.getByRole('menuitem', { name: 'Revoke' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await page.getByText('No invitations', { exact: true }).waitFor();

    await using late = await visit({ browser, stack });
    late.expectComplaint(/status of 410/);
    await late.goto(`/invitations/${token}`);
    await heading(late.page, 'This invitation is no longer good');
    await expectAccessible(late.page);
  });

  test('who has no account registers from the invitation and comes back to it', async () => {
    const ada = await newAccount(stack, 'Ada');
    const teamId = await newTeam(stack, [ada], 'Far Shore');
    const email = someEmail('new');
    await ada.api.organizations.invite({ params: { id: teamId }, body: { email } });
    await using visitor = await visit({ browser, stack });
    const { page } = visitor;
    await visitor.goto(`/invitations/${await mailedToken(stack, email, 'invitations')}`);
    await page.getByRole('link', { name: 'Create an account' }).click();
    await heading(page, 'Create an account');
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Create account' }).click();
    await heading(page, 'Check your inbox');

    const token = await mailedToken(stack, email, 'verify-email');
    const tab = await visitor.newTab(`/verify-email?token=${token}`);
    await tab.getByRole('link', { name: 'Sign in' }).click();
    await tab.getByLabel('Password', { exact: true }).fill(password);
    await tab.getByRole('button', { name: 'Sign in' }).click();
    await heading(tab, 'Join Far Shore');
    await tab.getByRole('button', { name: 'Accept the invitation' }).click();
    await tab.getByText('Where Far Shore stands.').waitFor();
    const members = await ada.api.organizations.listMembers({ params: { id: teamId } });
    expect(members.items.map(({ user }) => user.email)).toContain(email);
  });
});

describe('members', () => {
  test('a suspension ends what the member was doing in the team, in an open tab', async () => {
    const [ada, grace] = await Promise.all([newAccount(stack, 'Ada'), newAccount(stack, 'Grace')]);
    const teamId = await newTeam(stack, [ada, grace], 'Harbour Studio');
    await using member = await visit({ browser, stack }, { as: grace, organizationId: teamId });
    member.expectComplaint(/status of 403/);
    await member.goto('/');
    await member.page.getByText('Where Harbour Studio stands.').waitFor();

    await using lead = await visit({ browser, stack }, { as: ada, organizationId: teamId });
    const { page } = lead;
    await lead.goto('/settings/members');
    await page.getByRole('button', { name: `Actions for ${grace.displayName}` }).click();
    await page.getByRole('menuitem', { name: 'Suspend' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Suspend' }).click();
    await page
      .getByRole('row', { name: new RegExp(grace.email) })
      .getByText('Suspended')
      .last()
      .waitFor();

    await member.page.getByText(/You no longer have access to that organization/).waitFor();
    await expect(grace.api.collections.list({}, { organizationId: teamId })).rejects.toMatchObject({
      code: 'organization_access_denied',
    });
  });

  test('a suspended account is signed out in its open tab, and told why it can not sign in', async () => {
    const ada = await newAccount(stack, 'Ada');
    await using visitor = await visit({ browser, stack }, { as: ada });
    visitor.expectComplaint(/status of 40[01]/);
    const { page } = visitor;
    await visitor.goto('/settings/plan');
    await heading(page, 'Plan and usage');
    const complaints: string[] = [];
    const exitCode = await runOperator({
      args: ['suspend', ada.email],
      env: { DATABASE_URL: stack.databaseUrl },
      defaultDataDir: '',
      print: () => undefined,
      complain: (line) => complaints.push(line),
    });
    expect([exitCode, complaints]).toEqual([0, []]);
    await heading(page, 'Sign in');
    await signIn(page, ada.email, ada.password);
    await page.getByText('This account has been suspended.').waitFor();
  });

  test('what a role may not do is not offered, and the last owner stays one', async () => {
    const [ada, grace] = await Promise.all([newAccount(stack, 'Ada'), newAccount(stack, 'Grace')]);
    const teamId = await newTeam(stack, [ada, grace]);
    await using member = await visit({ browser, stack }, { as: grace, organizationId: teamId });
    await member.goto('/settings/members');
    await member.page.getByRole('row', { name: new RegExp(ada.email) }).waitFor();
    expect(await member.page.getByRole('button', { name: 'Invite people' }).count()).toBe(0);
    expect(await member.page.getByRole('link', { name: 'Invitations' }).count()).toBe(0);
    await member.goto('/admin/timeline');
    await member.page.getByText('You don’t have access to this').waitFor();

    await using owner = await visit({ browser, stack }, { as: ada, organizationId: teamId });
    owner.expectComplaint(/status of 409/);
    await owner.goto('/settings/members');
    const role = owner.page
      .getByRole('combobox', { name: `Role of ${ada.displayName}` })
      .locator('visible=true');
    await role.selectOption('VIEWER');
    await owner.page.getByText('An organization needs an owner. Name another one first.').waitFor();
    await expect.poll(() => role.inputValue()).toBe('OWNER');
    await owner.page
      .getByRole('combobox', { name: `Role of ${grace.displayName}` })
      .locator('visible=true')
      .selectOption('ADMIN');
    await owner.page.getByText('Grace Tester is now Admin.').waitFor();
    await member.goto('/settings/members');
    await member.page.getByRole('button', { name: 'Invite people' }).waitFor();
  });

  test('a team is renamed, and deleted only when its name is typed', async () => {
    const ada = await newAccount(stack, 'Ada');
    const teamId = await newTeam(stack, [ada], 'Harbour Studio');
    await using visitor = await visit({ browser, stack }, { as: ada, organizationId: teamId });
    const { page } = visitor;
    await visitor.goto('/settings/organization');
    await page.getByLabel('Name', { exact: true }).fill('Quay Studio');
    await page.getByRole('button', { name: 'Rename' }).click();
    await page.getByText('It is now called Quay Studio.').waitFor();
    await page.getByRole('button', { name: 'Delete the team' }).click();
    const dialog = page.getByRole('dialog', { name: 'Delete Quay Studio?' });
    const confirm = dialog.getByRole('button', { name: 'Delete the team' });
    await dialog.getByLabel(/^Type/).fill('Harbour Studio');
    expect(await confirm.isDisabled()).toBe(true);
    await expectAccessible(page);
    await dialog.getByLabel(/^Type/).fill('Quay Studio');
    await confirm.click();
    await page.getByText('Quay Studio is deleted.').waitFor();
    await heading(page, /^Good /);
    expect((await ada.api.organizations.list()).items.map(({ type }) => type)).toEqual([
      'PERSONAL',
    ]);
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

describe('what happened', () => {
  test('is told in sentences, narrowed by kind and action, and found again by its address', async () => {
    const ada = await newAccount(stack, 'Ada');
    const { id } = await ada.api.collections.create({ body: { title: 'Harbour' } });
    await ada.api.collections.rename({ params: { id }, body: { title: 'Quay' } });
    await using visitor = await visit({ browser, stack }, { as: ada });
    const { page } = visitor;
    await visitor.goto('/activity');
    await page.getByText('You renamed the collection Quay').waitFor();
    await page.getByLabel('About').selectOption('collection');
    await page.getByLabel('Action').selectOption('collection.rename');
    await expect.poll(() => page.getByText('You created the collection').count()).toBe(0);
    await page.reload();
    await page.getByText('You renamed the collection Quay').waitFor();
    expect(await page.getByText('You created the collection').count()).toBe(0);
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Quay' }).click();
    await page.waitForURL(`**/collections/${id}`);
  });

  test('in a team is for those who lead it, as a timeline and as figures', async () => {
    const ada = await newAccount(stack, 'Ada');
    const teamId = await newTeam(stack, [ada], 'Harbour Studio');
    const options = { organizationId: teamId };
    await ada.api.collections.create({ body: { title: 'Pictures' } }, options);
    await using visitor = await visit({ browser, stack }, { as: ada, organizationId: teamId });
    const { page } = visitor;
    await visitor.goto('/admin/timeline');
    await page.getByRole('link', { name: 'Everything that happened to Pictures' }).click();
    await heading(page, 'Timeline of Pictures');
    await page.getByText('You created the collection Pictures').waitFor();
    await expectAccessible(page);
    await visitor.goto('/admin/summary');
    await page.getByText('Collections: Created').waitFor();
    await page.getByRole('button', { name: 'Show as a table' }).click();
    await page.getByRole('table', { name: /^Activities of each day/ }).waitFor();
    await expectAccessible(page);
  });
});
