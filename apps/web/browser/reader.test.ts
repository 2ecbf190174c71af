// @module-tag slow

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { newAccount } from './testing/accounts.ts';
import { launchChromium } from './testing/chromium.ts';
import { daytimeZone } from './testing/daytime.ts';
import { waitForPage } from './testing/wait-for-page.ts';
import { expectEventually } from './testing/library.ts';
import { visit } from './testing/visitor.ts';

const stack = inject('stack');
let browser: Browser;
beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(() => browser?.close());

describe('timestamps are shown in the user’s time zone', () => {
  test.each([
    {
      timezoneId: 'Pacific/Auckland',
      day: 'May 17, 2031',
      input: '2031-05-17',
      exact: /5:30.*PM.*GMT\+12/,
    },
    {
      timezoneId: 'America/Los_Angeles',
      day: 'May 16, 2031',
      input: '2031-05-16',
      exact: /10:30.*PM.*PDT/,
    },
  ])('in $timezoneId', async ({ timezoneId, day, input, exact }) => {
    const ada = await newAccount(stack);
    const { id } = await ada.api.auth.user();
    const project = await ada.api.projects.create({ body: { name: 'Zones' } });
    const task = await ada.api.tasks.create({
      params: { projectId: project.id },
      body: { title: 'Far off', dueDate: '2031-05-17T05:30:00.000Z', assigneeIds: [id] },
    });
    await using visitor = await visit({ browser, stack }, { as: ada, timezoneId });
    const { page } = visitor;
    const due = page.locator('time', { hasText: day }).first();
    // Every page shows the same due date.
    for (const path of [
      '/',
      '/my-tasks',
      `/projects/${project.id}`,
      `/projects/${project.id}?view=list`,
    ]) {
      await visitor.goto(path);
      await due.waitFor();
    }
    await due.hover();
    await page.getByRole('tooltip').getByText(exact).waitFor();

    await visitor.goto(`/projects/${project.id}?task=${task.id}`);
    await page.getByRole('button', { name: /^Due date:/ }).click();
    const field = page.getByRole('dialog').getByLabel('Due date', { exact: true });
    await field.waitFor();
    expect(await field.inputValue()).toBe(input);
    await field.fill('2031-08-02');
    await page.keyboard.press('Enter');
    // The end of that day in the user's time zone.
    await expectEventually(async () => {
      const stored = await ada.api.tasks.get({ params: { id: task.id } });
      const format = new Intl.DateTimeFormat('sv', {
        timeZone: timezoneId,
        dateStyle: 'short',
        timeStyle: 'medium',
      });
      return stored.dueDate === null ? null : format.format(new Date(stored.dueDate));
    }).toBe('2031-08-02 23:59:59');
  });

  test('activities are grouped by local day, also after midnight', async () => {
    const ada = await newAccount(stack);
    await ada.api.collections.create({ body: { title: 'Harbour' } });
    await using visitor = await visit(
      { browser, stack },
      { as: ada, timezoneId: daytimeZone().timezoneId },
    );
    const { page } = visitor;
    const dayMs = 86_400_000;
    await visitor.goto('/activity');
    await page.getByRole('heading', { name: 'Today' }).waitFor();
    await page.clock.setFixedTime(Date.now() + dayMs);
    const showAgain = () => page.evaluate("document.dispatchEvent(new Event('visibilitychange'))");
    for (const open of [showAgain, () => page.reload()]) {
      await open();
      await page.getByRole('heading', { name: 'Yesterday' }).waitFor();
      expect(await page.getByRole('heading', { name: 'Today' }).count()).toBe(0);
    }
  });
});

/** Returns the durations of the running animations in milliseconds; loops are infinite. */
const motion = (page: Page) =>
  page.evaluate<number[]>(
    `document.getAnimations().map(({ effect }) => effect.getComputedTiming().activeDuration)`,
  );

test('reduced motion stops skeletons, drawers, menus, notifications and the palette', async () => {
  const ada = await newAccount(stack);
  const project = await ada.api.projects.create({ body: { name: 'Still' } });
  const params = { projectId: project.id };
  const task = await ada.api.tasks.create({ params, body: { title: 'Stand' } });
  await using visitor = await visit({ browser, stack }, { as: ada, reducedMotion: 'reduce' });
  const { page } = visitor;
  const longest: number[] = [];
  // Samples every frame, so that no animation is missed.
  await page.exposeFunction(
    'recordMotion',
    (durations: number[]) => void longest.push(...durations),
  );
  await page.addInitScript(`{
    const sample = () => {
      const moving = document.getAnimations().map(({ effect }) => effect.getComputedTiming().activeDuration);
      if (moving.length > 0) recordMotion(moving);
      requestAnimationFrame(sample);
    };
    requestAnimationFrame(sample);
  }`);
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route('**/api/projects/**', async (route) => {
    await held;
    await route.continue();
  });
  await visitor.goto(`/projects/${project.id}`);
  await page.locator('.animate-pulse').first().waitFor();
  release();
  await waitForPage(page);
  await page.getByRole('button', { name: 'Actions for “Stand”' }).click();
  await page.getByRole('menuitem', { name: 'Done' }).click();
  await page.getByRole('link', { name: 'Stand' }).click();
  await page.getByRole('dialog').getByRole('textbox', { name: 'Title' }).waitFor();
  await page.getByRole('button', { name: 'Actions for this task' }).click();
  await page.getByRole('menuitem', { name: 'Duplicate' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Copy link' }).click();
  await page.getByRole('log').locator('p').first().waitFor();
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Search and commands' }).waitFor();
  expect(Math.max(0, ...longest)).toBeLessThanOrEqual(1);
  await expect.poll(() => motion(page)).toEqual([]);
  await expectEventually(
    async () => (await ada.api.tasks.get({ params: { id: task.id } })).status,
  ).toBe('DONE');
});
