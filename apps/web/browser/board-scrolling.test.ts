// @module-tag slow

import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { newAccount, newTeam, type Account } from './testing/accounts.ts';
import { expectAccessible } from './testing/axe.ts';
import { launchChromium } from './testing/chromium.ts';
import { waitForPage } from './testing/wait-for-page.ts';
import { tabTo } from './testing/keyboard.ts';
import { expectEventually } from './testing/library.ts';
import { visit } from './testing/visitor.ts';

const stack = inject('stack');
let browser: Browser;
beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(() => browser?.close());

const board = (page: Page): Locator => page.getByRole('group', { name: /^Board of/ });
const scrolledPx = (page: Page) => board(page).evaluate(({ scrollLeft }) => Math.round(scrollLeft));
/** Tells whether the fades at the left and at the right edge are visible. */
const fades = (page: Page) =>
  board(page).evaluate(({ parentElement }) =>
    [...(parentElement?.querySelectorAll(':scope > [aria-hidden]') ?? [])].map(
      (fade) => getComputedStyle(fade).opacity === '1',
    ),
  );

async function wideBoard(account: Account, organizationId: string | null = null): Promise<string> {
  const options = { organizationId };
  const { id } = await account.api.projects.create({ body: { name: 'Wide' } }, options);
  for (const status of ['BACKLOG', 'DONE'] as const) {
    const body = { title: `In ${status}`, status };
    await account.api.tasks.create({ params: { projectId: id }, body }, options);
  }
  return id;
}

test('a board wider than the window fades its edges, and the arrow keys scroll it', async () => {
  const ada = await newAccount(stack);
  const id = await wideBoard(ada);
  await using visitor = await visit({ browser, stack }, { as: ada, reducedMotion: 'reduce' });
  const { page } = visitor;
  await visitor.goto(`/projects/${id}`);
  await waitForPage(page);
  await expectEventually(() => fades(page)).toEqual([false, true]);
  await expectAccessible(page);

  await tabTo(page, board(page));
  await page.keyboard.press('ArrowRight');
  await expectEventually(() => scrolledPx(page)).toBeGreaterThan(0);
  await expectEventually(() => fades(page)).toEqual([true, true]);
  await board(page).evaluate((element) => element.scrollTo({ left: element.scrollWidth }));
  await expectEventually(() => fades(page)).toEqual([true, false]);

  await page.setViewportSize({ width: 2400, height: 900 });
  await expectEventually(() => fades(page)).toEqual([false, false]);
  expect(await board(page).getAttribute('tabindex')).toBeNull();
});

test('scrolls to a card that is moved beyond the edge by keyboard', async () => {
  const ada = await newAccount(stack);
  const id = await wideBoard(ada);
  await using visitor = await visit(
    { browser, stack },
    { as: ada, viewport: { width: 900, height: 700 } },
  );
  const { page } = visitor;
  await visitor.goto(`/projects/${id}`);
  await waitForPage(page);
  const card = page.locator('[data-card]').filter({ hasText: 'In BACKLOG' });
  await card.focus();
  for (const column of ['TODO', 'IN_PROGRESS', 'IN_REVIEW', 'DONE']) {
    await page.keyboard.press('Shift+ArrowRight');
    await page
      .locator(`[data-column="${column}"] [data-card]:focus`)
      .filter({ hasText: 'In BACKLOG' })
      .waitFor();
  }
  const box = await card.boundingBox();
  expect(box?.x).toBeGreaterThanOrEqual(0);
  expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(900);
  // The moves are shown immediately and sent one after the other.
  await expectEventually(async () => {
    const query = { status: 'DONE' } as const;
    const { items } = await ada.api.tasks.listInProject({ params: { projectId: id }, query });
    return items.map(({ title }) => title).toSorted();
  }).toEqual(['In BACKLOG', 'In DONE']);
});

test('moves by keyboard stay in order when they are faster than the API', async () => {
  const ada = await newAccount(stack);
  const id = await wideBoard(ada);
  await using visitor = await visit({ browser, stack }, { as: ada });
  const { page } = visitor;
  await visitor.goto(`/projects/${id}`);
  await waitForPage(page);
  const columns: (string | null)[] = [];
  await page.exposeFunction('recordColumn', (column: string | null) => void columns.push(column));
  // Each response is delayed, as on a slow network.
  await page.route('**/api/tasks/*/position', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 400));
    await route.continue();
  });
  await page.locator('[data-card]').filter({ hasText: 'In BACKLOG' }).focus();
  await page.evaluate(`{
    const record = () => {
      const card = [...document.querySelectorAll('[data-card]')].find((one) => one.textContent === 'In BACKLOG');
      recordColumn(card?.closest('[data-column]')?.dataset.column ?? null);
      requestAnimationFrame(record);
    };
    record();
  }`);
  for (let step = 0; step < 3; step += 1) {
    await page.keyboard.press('Shift+ArrowRight');
    await page.evaluate(
      'new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))',
    );
  }
  const stored = async () => {
    const { items } = await ada.api.tasks.listInProject({ params: { projectId: id } });
    return items.find(({ title }) => title === 'In BACKLOG')?.status;
  };
  await expectEventually(stored).toBe('IN_REVIEW');
  await page.locator('[data-column="IN_REVIEW"] [data-card]:focus').waitFor();
  await page.waitForLoadState('networkidle', { timeout: 3000 }).catch(() => undefined);
  // The card never jumps back.
  const visited = columns.filter((column, index) => column !== columns[index - 1]);
  expect(visited).toEqual(['BACKLOG', 'TODO', 'IN_PROGRESS', 'IN_REVIEW']);
});

test('a viewer can scroll the board', async () => {
  const [ada, vic] = [await newAccount(stack, 'Ada'), await newAccount(stack, 'Vic')];
  const organizationId = await newTeam(stack, [ada, vic]);
  const members = await ada.api.organizations.listMembers({ params: { id: organizationId } });
  const memberId = members.items.find(({ user }) => user.email === vic.email)?.id ?? '';
  const body = { role: 'VIEWER' } as const;
  await ada.api.organizations.updateMember({ params: { id: organizationId, memberId }, body });
  const id = await wideBoard(ada, organizationId);
  await using visitor = await visit(
    { browser, stack },
    { as: vic, organizationId, viewport: { width: 360, height: 740 } },
  );
  const { page } = visitor;
  await visitor.goto(`/projects/${id}`);
  await waitForPage(page);
  await tabTo(page, board(page));
  await page.keyboard.press('ArrowRight');
  await expectEventually(() => scrolledPx(page)).toBeGreaterThan(0);
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
  await expectAccessible(page);
});
