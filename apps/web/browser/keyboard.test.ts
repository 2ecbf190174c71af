import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { newAccount, newTeam, someEmail } from './testing/accounts.ts';
import { launchChromium } from './testing/chromium.ts';
import { shown } from './testing/journey.ts';
import { expectFocusKept, tabTo } from './testing/keyboard.ts';
import { expectSoon, picture } from './testing/library.ts';
import { visit } from './testing/visitor.ts';

const stack = inject('stack');
let browser: Browser;
beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(() => browser?.close());

const button = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name }).locator('visible=true').first();

/** Opens a menu by keyboard and takes one of its items. */
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
  test('a member gets another role, is suspended and reinstated, and removed', async () => {
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
    await shown(page);
    const role = page
      .getByRole('combobox', { name: `Role of ${grace.displayName}` })
      .locator('visible=true');
    await tabTo(page, role);
    await page.keyboard.press('a');
    await expectSoon(stored).toBe('ADMIN ACTIVE');
    await page.getByText('Grace Tester is now Admin.').waitFor();
    expect(await role.evaluate((element) => element === document.activeElement)).toBe(true);

    await chooseByKeys(page, `Actions for ${grace.displayName}`, 'Suspend');
    const dialog = page.getByRole('dialog');
    await tabTo(page, dialog.getByRole('button', { name: 'Suspend' }));
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    await expectSoon(stored).toBe('ADMIN SUSPENDED');
    await expectFocusKept(page);

    await chooseByKeys(page, `Actions for ${grace.displayName}`, 'Reinstate');
    await expectSoon(stored).toBe('ADMIN ACTIVE');
    await expectFocusKept(page);

    await chooseByKeys(page, `Actions for ${grace.displayName}`, 'Remove from the team');
    await dialog.waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await expectFocusKept(page);
    await chooseByKeys(page, `Actions for ${grace.displayName}`, 'Remove from the team');
    await tabTo(page, dialog.getByRole('button', { name: 'Remove from the team' }));
    await page.keyboard.press('Enter');
    await expectSoon(stored).toBeUndefined();
    await dialog.waitFor({ state: 'detached' });
    await page.getByText('Grace Tester is no member any more.').waitFor();
    await expectFocusKept(page);
  });

  test('people are invited, asked again, and an invitation is revoked', async () => {
    const ada = await newAccount(stack, 'Ada');
    const organizationId = await newTeam(stack, [ada]);
    const stored = async () => {
      const { items } = await ada.api.organizations.listInvitations({
        params: { id: organizationId },
        query: { status: 'PENDING' },
      });
      return items.map(({ email, role }) => `${email} ${role}`).toSorted();
    };
    const [first, second] = [someEmail('first'), someEmail('second')];
    await using visitor = await visit({ browser, stack }, { as: ada, organizationId });
    const { page } = visitor;
    await visitor.goto('/settings/members');
    await shown(page);
    await tabTo(page, button(page, 'Invite people'));
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Invite people' });
    await expectSoon(() =>
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
    await expectFocusKept(page);

    await tabTo(page, page.getByRole('link', { name: 'Invitations' }));
    await page.keyboard.press('Enter');
    await page.getByRole('row', { name: new RegExp(first) }).waitFor();
    await chooseByKeys(page, `Actions for ${first}`, 'Send again');
    await page.getByText(`A new link is on its way to ${first}.`).waitFor();
    await expectFocusKept(page);
    await chooseByKeys(page, `Actions for ${first}`, 'Revoke');
    await tabTo(page, page.getByRole('dialog').getByRole('button', { name: 'Revoke' }));
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await expectSoon(stored).toEqual([`${second} VIEWER`]);
    await page.getByRole('row', { name: new RegExp(first) }).waitFor({ state: 'detached' });
    await expectFocusKept(page);
  });

  test('name, picture, notices and appearance are changed, and a session elsewhere is ended', async () => {
    const ada = await newAccount(stack, 'Ada');
    await using visitor = await visit({ browser, stack }, { as: ada });
    const { page } = visitor;
    await visitor.goto('/settings/profile');
    await shown(page);
    await tabTo(page, button(page, 'Choose a picture'));
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      page.keyboard.press('Enter'),
    ]);
    await chooser.setFiles(picture);
    await page.getByText('Preview: evening-ridge.jpg').waitFor();
    await expectFocusKept(page);
    await tabTo(page, button(page, 'Use this picture'));
    await page.keyboard.press('Enter');
    await page.getByText('Your picture is changed.').waitFor();
    await expectFocusKept(page);

    await tabTo(page, page.getByLabel('First name'));
    await page.keyboard.press('Control+a');
    await page.keyboard.type('Augusta');
    await page.keyboard.press('Enter');
    await page.getByText('Your name is changed.').waitFor();
    await tabTo(page, page.getByRole('switch', { name: 'Mail me what concerns me' }));
    await page.keyboard.press('Space');
    await tabTo(page, page.getByRole('radio', { name: 'As the system' }));
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    expect(await page.locator('html').getAttribute('data-theme')).toBe('dark');
    await expectSoon(() => ada.api.auth.user()).toMatchObject({
      firstName: 'Augusta',
      mailNotices: false,
      avatarUrl: expect.stringContaining('http'),
    });

    await tabTo(page, button(page, /^End the session/));
    await page.keyboard.press('Enter');
    await page.getByText('The session is over.').waitFor();
    await expectFocusKept(page);
    await expect(ada.api.auth.user()).rejects.toMatchObject({ kind: 'session_expired' });
  });

  test('the team is renamed, and deleted after its name is typed', async () => {
    const ada = await newAccount(stack, 'Ada');
    const organizationId = await newTeam(stack, [ada], 'Harbour Studio');
    await using visitor = await visit({ browser, stack }, { as: ada, organizationId });
    const { page } = visitor;
    await visitor.goto('/settings/organization');
    await shown(page);
    await tabTo(page, page.getByLabel('Name', { exact: true }));
    await page.keyboard.press('Control+a');
    await page.keyboard.type('Quay Studio');
    await page.keyboard.press('Enter');
    await page.getByText('It is now called Quay Studio.').waitFor();
    await tabTo(page, button(page, 'Delete the team'));
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Delete Quay Studio?' });
    await dialog.getByLabel(/^Type/).waitFor();
    await page.keyboard.type('Quay Studio');
    await tabTo(page, dialog.getByRole('button', { name: 'Delete the team' }));
    await page.keyboard.press('Enter');
    await page.getByText('Quay Studio is deleted.').waitFor();
    expect((await ada.api.organizations.list()).items).toHaveLength(1);
    await expectFocusKept(page);
  });

  test('plan, activity, timeline and summary are read, narrowed and followed', async () => {
    const ada = await newAccount(stack, 'Ada');
    const organizationId = await newTeam(stack, [ada]);
    const options = { organizationId };
    const { id } = await ada.api.collections.create({ body: { title: 'Harbour' } }, options);
    await ada.api.collections.rename({ params: { id }, body: { title: 'Quay' } }, options);
    await using visitor = await visit({ browser, stack }, { as: ada, organizationId });
    const { page } = visitor;
    await visitor.goto('/settings/plan');
    await shown(page);
    await tabTo(page, page.getByRole('link', { name: 'Compare plans' }));
    await page.keyboard.press('Enter');
    await page.waitForURL('**/plans');
    await shown(page);

    for (const path of ['/activity', '/admin/timeline']) {
      await visitor.goto(path);
      await shown(page);
      await tabTo(page, page.getByLabel('About'));
      await page.keyboard.type('Coll');
      await tabTo(page, page.getByLabel('Action'));
      await page.keyboard.type('Ren');
      await expectSoon(() => page.getByText('You created the collection').count()).toBe(0);
      await page.getByText('You renamed the collection Quay').waitFor();
      await tabTo(page, button(page, 'Clear the filters'));
      await page.keyboard.press('Enter');
      await page.getByText('You created the collection').waitFor();
      await expectFocusKept(page);
    }
    const all = page.getByRole('link', { name: 'Everything that happened to Quay' }).first();
    await tabTo(page, all);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Timeline of Quay' }).waitFor();

    await visitor.goto('/admin/summary');
    await shown(page);
    await tabTo(page, page.getByLabel('Period'));
    await page.keyboard.type('Last 7');
    await tabTo(page, button(page, 'Show as a table'));
    await page.keyboard.press('Enter');
    await page.getByRole('table', { name: /^Activities of each day/ }).waitFor();
    await expectFocusKept(page);
  });
});
