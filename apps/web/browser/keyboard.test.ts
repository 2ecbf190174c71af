// @module-tag slow

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { newAccount, newTeam, uniqueEmail } from './testing/accounts.ts';
import { launchChromium } from './testing/chromium.ts';
import { waitForPage } from './testing/wait-for-page.ts';
import { expectFocusIn, tabTo } from './testing/keyboard.ts';
import { expectEventually, picture } from './testing/library.ts';
import { visit } from './testing/visitor.ts';

const stack = inject('stack');
let browser: Browser;
beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(() => browser?.close());

const button = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name }).locator('visible=true').first();

/** Opens a menu by keyboard and selects one of its items. */
async function chooseByKeys(page: Page, menu: string | RegExp, item: string): Promise<void> {
  await tabTo(page, button(page, menu));
  await page.keyboard.press('Enter');
  const wanted = page.getByRole('menuitem', { name: item });
  await wanted.waitFor();
  for (let step = 0; step < 10; step += 1) {
    if (await wanted.evaluate((element) => element === document.activeElement)) break;
    await page.keyboard.press('ArrowDown');
  }
  await page.keyboard.press('Enter');
}

describe('by keyboard alone', () => {
  test('changes the role of a member, suspends, reinstates and removes them', async () => {
    const [ada, grace] = [await newAccount(stack, 'Ada'), await newAccount(stack, 'Grace')];
    const organizationId = await newTeam(stack, [ada, grace]);
    const stored = async () => {
      const { items } = await ada.api.organizations.listMembers({ params: { id: organizationId } });
      const member = items.find(({ user }) => user.email === grace.email);
      return member && `${member.role} ${member.status}`;
    };
    await using visitor = await visit({ browser, stack }, { as: ada, organizationId });
    const { page } = visitor;
    await visitor.goto('/settings/members');
    await waitForPage(page);
    const role = page
      .getByRole('combobox', { name: `Role of ${grace.displayName}` })
      .locator('visible=true');
    await tabTo(page, role);
    await page.keyboard.press('a');
    await expectEventually(stored).toBe('ADMIN ACTIVE');
    await page.getByText('Grace Tester’s role is now Admin.').waitFor();
    expect(await role.evaluate((element) => element === document.activeElement)).toBe(true);

    await chooseByKeys(page, `Actions for ${grace.displayName}`, 'Suspend');
    const dialog = page.getByRole('dialog');
    await tabTo(page, dialog.getByRole('button', { name: 'Suspend' }));
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    await expectEventually(stored).toBe('ADMIN SUSPENDED');
    await expectFocusIn(button(page, `Actions for ${grace.displayName}`));

    await chooseByKeys(page, `Actions for ${grace.displayName}`, 'Reinstate');
    await expectEventually(stored).toBe('ADMIN ACTIVE');
    await expectFocusIn(button(page, `Actions for ${grace.displayName}`));

    await chooseByKeys(page, `Actions for ${grace.displayName}`, 'Remove from the team');
    await dialog.waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await expectFocusIn(button(page, `Actions for ${grace.displayName}`));
    await chooseByKeys(page, `Actions for ${grace.displayName}`, 'Remove from the team');
    await tabTo(page, dialog.getByRole('button', { name: 'Remove from the team' }));
    await page.keyboard.press('Enter');
    await expectEventually(stored).toBeUndefined();
    await dialog.waitFor({ state: 'detached' });
    await page.getByText('Grace Tester has been removed.').waitFor();
    await expectFocusIn(page.getByRole('table'));
  });

  test('invites people, resends an invitation and revokes one', async () => {
    const ada = await newAccount(stack, 'Ada');
    const organizationId = await newTeam(stack, [ada]);
    const stored = async () => {
      const { items } = await ada.api.organizations.listInvitations({
        params: { id: organizationId },
        query: { status: 'PENDING' },
      });
      return items.map(({ email, role }) => `${email} ${role}`).toSorted();
    };
    const [first, second] = [uniqueEmail('first'), uniqueEmail('second')];
    await using visitor = await visit({ browser, stack }, { as: ada, organizationId });
    const { page } = visitor;
    await visitor.goto('/settings/members');
    await waitForPage(page);
    await tabTo(page, button(page, 'Invite people'));
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Invite people' });
    await expectEventually(() =>
      dialog
        .getByLabel('Email addresses')
        .evaluate((element) => element === document.activeElement),
    ).toBe(true);
    await page.keyboard.type(`${first}, ${second}`);
    await tabTo(page, dialog.getByLabel('Role'));
    await page.keyboard.type('View');
    await tabTo(page, dialog.getByRole('button', { name: 'Send 2 invitations' }));
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    expect(await stored()).toEqual([`${first} VIEWER`, `${second} VIEWER`].toSorted());
    await expectFocusIn(button(page, 'Invite people'));

    await tabTo(page, page.getByRole('link', { name: 'Invitations' }));
    await page.keyboard.press('Enter');
    await page.getByRole('row', { name: new RegExp(first) }).waitFor();
    await chooseByKeys(page, `Actions for ${first}`, 'Send again');
    await page.getByText(`We sent a new link to ${first}.`).waitFor();
    await expectFocusIn(button(page, `Actions for ${first}`));
    await chooseByKeys(page, `Actions for ${first}`, 'Revoke');
    await tabTo(page, page.getByRole('dialog').getByRole('button', { name: 'Revoke' }));
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await expectEventually(stored).toEqual([`${second} VIEWER`]);
    await page.getByRole('row', { name: new RegExp(first) }).waitFor({ state: 'detached' });
    await expectFocusIn(page.getByRole('table'));
  });

  test('changes name, picture and appearance, and ends another session', async () => {
    const ada = await newAccount(stack, 'Ada');
    await using visitor = await visit({ browser, stack }, { as: ada });
    const { page } = visitor;
    await visitor.goto('/settings/profile');
    await waitForPage(page);
    await tabTo(page, button(page, 'Choose a picture'));
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      page.keyboard.press('Enter'),
    ]);
    await chooser.setFiles(picture);
    await page.getByText('Preview: evening-ridge.jpg').waitFor();
    await expectFocusIn(page.getByRole('main'));
    await tabTo(page, button(page, 'Use this picture'));
    await page.keyboard.press('Enter');
    await page.getByText('Profile picture updated.').waitFor();
    await expectFocusIn(page.getByRole('main'));

    await tabTo(page, page.getByLabel('First name'));
    await page.keyboard.press('Control+a');
    await page.keyboard.type('Augusta');
    await page.keyboard.press('Enter');
    await page.getByText('Name updated.').waitFor();
    await tabTo(page, page.getByRole('radio', { name: 'System' }));
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    expect(await page.locator('html').getAttribute('data-theme')).toBe('dark');
    await expectEventually(() => ada.api.auth.user()).toMatchObject({
      firstName: 'Augusta',
      avatarUrl: expect.stringContaining('http'),
    });

    await visitor.goto('/settings/security');
    await waitForPage(page);
    await tabTo(page, button(page, /^End the session/));
    await page.keyboard.press('Enter');
    await page.getByText('Session ended.').waitFor();
    await expectFocusIn(page.getByRole('main'));
    await expect(ada.api.auth.user()).rejects.toMatchObject({ kind: 'session_expired' });
  });

  test('renames the team and deletes it after its name is typed', async () => {
    const ada = await newAccount(stack, 'Ada');
    const organizationId = await newTeam(stack, [ada], 'Harbour Studio');
    await using visitor = await visit({ browser, stack }, { as: ada, organizationId });
    const { page } = visitor;
    await visitor.goto('/settings/organization');
    await waitForPage(page);
    await tabTo(page, page.getByLabel('Name', { exact: true }));
    await page.keyboard.press('Control+a');
    await page.keyboard.type('Quay Studio');
    await page.keyboard.press('Enter');
    await page.getByText('Renamed to Quay Studio.').waitFor();
    await tabTo(page, button(page, 'Delete the team'));
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Delete Quay Studio?' });
    await dialog.getByLabel(/^Type/).waitFor();
    await page.keyboard.type('Quay Studio');
    await tabTo(page, dialog.getByRole('button', { name: 'Delete the team' }));
    await page.keyboard.press('Enter');
    await page.getByText('Quay Studio has been deleted.').waitFor();
    expect((await ada.api.organizations.list()).items).toHaveLength(1);
    await expectFocusIn(page.getByRole('main'));
  });

  test('opens and filters plan, activity, timeline and summary', async () => {
    const ada = await newAccount(stack, 'Ada');
    const organizationId = await newTeam(stack, [ada]);
    const options = { organizationId };
    const { id } = await ada.api.collections.create({ body: { title: 'Harbour' } }, options);
    await ada.api.collections.rename({ params: { id }, body: { title: 'Quay' } }, options);
    await using visitor = await visit({ browser, stack }, { as: ada, organizationId });
    const { page } = visitor;
    await visitor.goto('/settings/plan');
    await waitForPage(page);
    await tabTo(page, page.getByRole('link', { name: 'Compare plans' }));
    await page.keyboard.press('Enter');
    await page.waitForURL('**/plans');
    await waitForPage(page);

    for (const path of ['/activity', '/admin/timeline']) {
      await visitor.goto(path);
      await waitForPage(page);
      await tabTo(page, page.getByLabel('Type'));
      await page.keyboard.type('Coll');
      await tabTo(page, page.getByLabel('Action'));
      await page.keyboard.type('Ren');
      await expectEventually(() => page.getByText('You created the collection').count()).toBe(0);
      await page.getByText('You renamed the collection Quay').waitFor();
      await tabTo(page, button(page, 'Clear filters'));
      await page.keyboard.press('Enter');
      await page.getByText('You created the collection').waitFor();
      await expectFocusIn(page.getByRole('main'));
    }
    const all = page.getByRole('link', { name: 'Timeline of Quay' }).first();
    await tabTo(page, all);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Timeline of Quay' }).waitFor();

    await visitor.goto('/admin/summary');
    await waitForPage(page);
    await tabTo(page, page.getByLabel('Period'));
    await page.keyboard.type('Last 7');
    await tabTo(page, button(page, 'Show as a table'));
    await page.keyboard.press('Enter');
    await page.getByRole('table', { name: /^Activities per day/ }).waitFor();
    await expectFocusIn(button(page, 'Show as a chart'));
  });
});
