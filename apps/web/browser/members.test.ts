// @module-tag slow

import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { runOperator } from '../../api/src/operator/run.ts';
import { newAccount, newTeam, uniqueEmail } from './testing/accounts.ts';
import { expectAccessible } from './testing/axe.ts';
import { launchChromium } from './testing/chromium.ts';
import { tokenFromMail } from './testing/mailbox.ts';
import { heading, refuseUnconfirmed, signIn } from './testing/pages.ts';
import { untilCounted } from './testing/searched.ts';
import { visit } from './testing/visitor.ts';

const stack = inject('stack');
const password = 'a quiet harbour at dawn';

let browser: Browser;
beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(() => browser?.close());

describe('invitations', () => {
  test('several people are invited at once; one joins with the right account, which the inviter sees live', async () => {
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
    await dialog.getByText('Not a valid email address: nobody, ada').waitFor();
    await expectAccessible(inviter.page);
    const other = uniqueEmail('other');
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
    invitee.allowError(/status of 40[13]/);
    const { page } = invitee;
    const token = await tokenFromMail(stack, grace.email, 'invitations');
    await invitee.goto(`/invitations/${token}`);
    await heading(page, 'Join Harbour Studio');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Accept invitation' }).click();
    await page.getByText('This invitation is for another account').waitFor();
    await page.getByRole('button', { name: 'Use another account' }).click();
    await page.getByRole('link', { name: 'Sign in' }).click();
    await signIn(page, grace.email, grace.password);
    await heading(page, 'Join Harbour Studio');
    await page.getByRole('button', { name: 'Accept invitation' }).click();
    await heading(page, /^Good \w+, Grace$/);
    await page.getByText('Harbour Studio overview').waitFor();

    await inviter.page.getByRole('row', { name: new RegExp(grace.email) }).waitFor();
    const members = await ada.api.organizations.listMembers({ params: { id: teamId } });
    expect(members.items.map(({ user }) => user.email)).toContain(grace.email);
  });

  test('a revoked invitation can’t be accepted', async () => {
    const ada = await newAccount(stack, 'Ada');
    const teamId = await newTeam(stack, [ada]);
    const email = uniqueEmail('late');
    await ada.api.organizations.invite({ params: { id: teamId }, body: { email } });
    const token = await tokenFromMail(stack, email, 'invitations');
    await using inviter = await visit({ browser, stack }, { as: ada, organizationId: teamId });
    const { page } = inviter;
    await inviter.goto('/settings/members?tab=invitations');
    await page.getByRole('button', { name: `Actions for ${email}` }).click();
    await page.getByRole('menuitem', { name: 'Revoke' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await page.getByText('No invitations', { exact: true }).waitFor();
    await page.getByRole('combobox', { name: 'Show' }).selectOption('Revoked');
    await page.getByRole('row', { name: new RegExp(email) }).waitFor();
    await page.reload();
    await page.getByRole('row', { name: new RegExp(email) }).waitFor();
    expect(await page.getByRole('combobox', { name: 'Show' }).inputValue()).toBe('REVOKED');

    await using late = await visit({ browser, stack });
    late.allowError(/status of 410/);
    await late.goto(`/invitations/${token}`);
    await heading(late.page, 'This invitation is no longer valid');
    await expectAccessible(late.page);
  });

  test('a visitor without an account signs up from the invitation and returns to it', async () => {
    const ada = await newAccount(stack, 'Ada');
    const teamId = await newTeam(stack, [ada], 'Far Shore');
    const email = uniqueEmail('new');
    await ada.api.organizations.invite({ params: { id: teamId }, body: { email } });
    await using visitor = await visit({ browser, stack });
    const { page } = visitor;
    await visitor.goto(`/invitations/${await tokenFromMail(stack, email, 'invitations')}`);
    await page.getByRole('link', { name: 'Create an account' }).click();
    await heading(page, 'Create an account');
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Create account' }).click();
    await heading(page, 'Check your inbox');

    const token = await tokenFromMail(stack, email, 'verify-email');
    const tab = await visitor.newTab(`/verify-email?token=${token}`);
    await tab.getByRole('link', { name: 'Sign in' }).click();
    await tab.getByLabel('Password', { exact: true }).fill(password);
    await tab.getByRole('button', { name: 'Sign in' }).click();
    await heading(tab, 'Join Far Shore');
    await tab.getByRole('button', { name: 'Accept invitation' }).click();
    await tab.getByText('Far Shore overview').waitFor();
    const members = await ada.api.organizations.listMembers({ params: { id: teamId } });
    expect(members.items.map(({ user }) => user.email)).toContain(email);
  });
});

describe('members', () => {
  test('a suspended member loses access in an open tab', async () => {
    const [ada, grace] = await Promise.all([newAccount(stack, 'Ada'), newAccount(stack, 'Grace')]);
    const teamId = await newTeam(stack, [ada, grace], 'Harbour Studio');
    await using member = await visit({ browser, stack }, { as: grace, organizationId: teamId });
    member.allowError(/status of 403/);
    await member.goto('/');
    await member.page.getByText('Harbour Studio overview').waitFor();

    await using lead = await visit({ browser, stack }, { as: ada, organizationId: teamId });
    const { page } = lead;
    await lead.goto('/settings/members');
    await page.getByRole('button', { name: `Actions for ${grace.displayName}` }).click();
    await page.getByRole('menuitem', { name: 'Suspend' }).click();
    // It is shown for a few seconds only.
    await Promise.all([
      member.page.getByText(/You no longer have access to that organization/).waitFor(),
      page.getByRole('dialog').getByRole('button', { name: 'Suspend' }).click(),
    ]);
    await page
      .getByRole('row', { name: new RegExp(grace.email) })
      .getByText('Suspended')
      .last()
      .waitFor();

    await expect(grace.api.collections.list({}, { organizationId: teamId })).rejects.toMatchObject({
      code: 'organization_access_denied',
    });
  });

  test('a suspended account is signed out in an open tab and sees why it can’t sign in', async () => {
    const ada = await newAccount(stack, 'Ada');
    await using visitor = await visit({ browser, stack }, { as: ada });
    visitor.allowError(/status of 40[01]/);
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

  test('actions that a role may not perform are hidden, and the last owner keeps the role', async () => {
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
    owner.allowError(/status of 409/);
    await owner.goto('/settings/members');
    const role = owner.page
      .getByRole('combobox', { name: `Role of ${ada.displayName}` })
      .locator('visible=true');
    await role.selectOption('VIEWER');
    await owner.page
      .getByText('An organization needs an owner. Make someone else an owner first.')
      .waitFor();
    await expect.poll(() => role.inputValue()).toBe('OWNER');
    await owner.page
      .getByRole('combobox', { name: `Role of ${grace.displayName}` })
      .locator('visible=true')
      .selectOption('ADMIN');
    await owner.page.getByText('Grace Tester’s role is now Admin.').waitFor();
    await member.goto('/settings/members');
    await member.page.getByRole('button', { name: 'Invite people' }).waitFor();
  });

  test('the search field follows a person who is opened from the palette', async () => {
    const [ada, grace] = await Promise.all([newAccount(stack, 'Ada'), newAccount(stack, 'Grace')]);
    const organizationId = await newTeam(stack, [ada, grace]);
    await untilCounted(ada, { organizationId, q: 'Grace', count: 1 });
    await using visitor = await visit({ browser, stack }, { as: ada, organizationId });
    const { page } = visitor;
    await visitor.goto('/settings/members');
    const field = page.getByRole('searchbox', { name: 'Search by name or email' });
    await field.fill('Ada');
    await page.getByRole('row', { name: /Grace/ }).waitFor({ state: 'detached' });
    await expect.poll(() => new URL(page.url()).search).toBe('?q=Ada');
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Search and commands' }).fill('Grace');
    await page.getByRole('option', { name: 'Grace Tester' }).click();
    await page.getByRole('row', { name: /Grace/ }).waitFor();
    expect(await field.inputValue()).toBe('Grace Tester');
  });

  test('ownership is given by those who confirm who they are; without, the role stays', async () => {
    const [ada, grace] = await Promise.all([newAccount(stack, 'Ada'), newAccount(stack, 'Grace')]);
    const teamId = await newTeam(stack, [ada, grace]);
    await using visitor = await visit({ browser, stack }, { as: ada, organizationId: teamId });
    visitor.allowError(/status of 403/);
    const { page } = visitor;
    await page.route(`**/api/organizations/${teamId}/members/*`, refuseUnconfirmed, { times: 2 });
    await visitor.goto('/settings/members');
    const role = page
      .getByRole('combobox', { name: `Role of ${grace.displayName}` })
      .locator('visible=true');
    const roleOfGrace = async () => {
      const { items } = await ada.api.organizations.listMembers({ params: { id: teamId } });
      return items.find(({ user }) => user.email === grace.email)?.role;
    };
    await role.selectOption('OWNER');
    const asking = page.getByRole('dialog', { name: 'Confirm it’s you' });
    await asking.getByRole('button', { name: 'Cancel' }).click();
    await asking.waitFor({ state: 'detached' });
    await expect.poll(() => role.inputValue()).toBe('MEMBER');
    expect(await roleOfGrace()).toBe('MEMBER');

    await role.selectOption('OWNER');
    await asking.getByLabel('Password').fill(ada.password);
    await asking.getByRole('button', { name: 'Confirm' }).click();
    await page.getByText('Grace Tester’s role is now Owner.').waitFor();
    expect(await roleOfGrace()).toBe('OWNER');
  });

  test('a team is renamed, and deleted only after typing its name', async () => {
    const ada = await newAccount(stack, 'Ada');
    const teamId = await newTeam(stack, [ada], 'Harbour Studio');
    await using visitor = await visit({ browser, stack }, { as: ada, organizationId: teamId });
    const { page } = visitor;
    await visitor.goto('/settings/organization');
    await page.getByLabel('Name', { exact: true }).fill('Quay Studio');
    await page.getByRole('button', { name: 'Rename' }).click();
    await page.getByText('Renamed to Quay Studio.').waitFor();
    await page.getByRole('button', { name: 'Delete the team' }).click();
    const dialog = page.getByRole('dialog', { name: 'Delete Quay Studio?' });
    const confirm = dialog.getByRole('button', { name: 'Delete the team' });
    await dialog.getByLabel(/^Type/).fill('Harbour Studio');
    expect(await confirm.isDisabled()).toBe(true);
    await expectAccessible(page);
    await dialog.getByLabel(/^Type/).fill('Quay Studio');
    await confirm.click();
    await page.getByText('Quay Studio has been deleted.').waitFor();
    await heading(page, /^Good /);
    expect((await ada.api.organizations.list()).items.map(({ type }) => type)).toEqual([
      'PERSONAL',
    ]);
  });
});
