import type { Page } from 'playwright-core';
import { newInboxTeam } from './inbox.ts';
import type { Scene } from './scene.ts';
import type { Stack } from './stack.ts';
import { waitForPage } from './wait-for-page.ts';

/** Lists the inbox with something in it, and what opens over it. */
export async function notificationScenes(stack: Stack): Promise<readonly Scene[]> {
  const inbox = await newInboxTeam(stack);
  const { ada: as, organizationId } = inbox;
  const imprint = await inbox.addTask('Write the imprint');
  const header = await inbox.addTask(
    'Redraw the header for narrow windows, and check it in Firefox and Safari',
  );
  const fonts = await inbox.addTask('Choose fonts');
  await inbox.assign(header);
  await inbox.mention(
    imprint,
    'the address is missing. Do you know which of the two offices we name? The lawyer wants the one that is registered, but the other one is on all of our invoices.',
  );
  await inbox.assign(fonts);
  await inbox.comment(inbox.grace, fonts, 'Inter has all the weights.');
  await inbox.comment(inbox.grace, fonts, 'And it is free.');
  await inbox.untilUnread(4);
  const { items } = await as.api.notifications.list({});
  const oldest = items.at(-1);
  if (!oldest) throw new Error('unreachable: four arrived');
  await as.api.notifications.update({ params: { id: oldest.id }, body: { isRead: true } });
  const scene = (name: string, rest: Partial<Scene>): Scene => ({
    name: `notifications-${name}`,
    path: '/notifications',
    as,
    organizationId,
    ...rest,
  });
  const row = (page: Page) =>
    page.getByRole('list', { name: 'Notifications' }).locator('li').nth(1);
  const after = (run: (page: Page) => Promise<unknown>) => async (page: Page) => {
    await waitForPage(page);
    await row(page).waitFor();
    await run(page);
  };
  return [
    scene('filled', {}),
    scene('keyboard', {
      only: ['light', 'dark'],
      act: after(async (page) => {
        await page.keyboard.press('j');
        await page.keyboard.press('j');
      }),
    }),
    scene('snooze', {
      act: after(async (page) => {
        await row(page).hover();
        await row(page)
          .getByRole('button', { name: /^(Snooze|Actions)$/ })
          .locator('visible=true')
          .click();
        await page.getByRole('menuitem', { name: /Tomorrow/ }).waitFor();
      }),
    }),
    scene('snooze-date', {
      act: after(async (page) => {
        await row(page).hover();
        await row(page)
          .getByRole('button', { name: /^(Snooze|Actions)$/ })
          .locator('visible=true')
          .click();
        await page.getByRole('menuitem', { name: 'Pick a date…' }).click();
        await page.getByRole('dialog').getByLabel('Time').waitFor();
      }),
    }),
    scene('many', {
      path: '/',
      prepare: (page) =>
        page.route('**/api/notifications/count', (route) =>
          route.fulfill({
            json: { message: 'Counted', data: { unread: 128, byOrganization: [] } },
          }),
        ),
    }),
    ...(['unread', 'mentions', 'snoozed', 'archived'] as const).map((view) =>
      scene(view, { path: `/notifications?view=${view}` }),
    ),
    {
      name: 'notification-settings-changed',
      path: '/settings/notifications',
      as,
      organizationId,
      act: async (page) => {
        await waitForPage(page);
        await page.getByRole('combobox', { name: 'How often' }).selectOption('Every week');
        await page.getByRole('checkbox', { name: 'Changes: in the inbox' }).uncheck();
        await page.getByRole('combobox', { name: /^Notifications of/ }).scrollIntoViewIfNeeded();
      },
    },
    {
      name: 'unsubscribe-done',
      path: '/unsubscribe?token=old',
      act: async (page) => {
        await page.getByRole('button', { name: 'Stop these emails' }).click();
        await page.getByRole('heading', { name: 'These emails are switched off' }).waitFor();
      },
    },
    scene('filtered', { path: '/notifications?reason=removed' }),
    {
      name: 'task-following',
      path: `/projects/${inbox.project.id}?task=${fonts.id}`,
      as,
      organizationId,
    },
  ];
}
