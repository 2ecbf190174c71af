// @module-tag slow

import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { expectAccessible, expectAccessibleInBoth } from './testing/axe.ts';
import { launchChromium } from './testing/chromium.ts';
import { expectEventually } from './testing/library.ts';
import { newSearchedTeam, untilCounted } from './testing/searched.ts';
import { visit } from './testing/visitor.ts';
import { waitForPage } from './testing/wait-for-page.ts';

const stack = inject('stack');
let browser: Browser;
beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(() => browser?.close());

const rows = (page: Page): Locator =>
  page.getByRole('list', { name: 'Results', exact: true }).getByRole('listitem');
const field = (page: Page): Locator => page.getByRole('textbox', { name: 'Search everything' });
const palette = (page: Page): Locator =>
  page.getByRole('combobox', { name: 'Search and commands' });
const option = (page: Page, name: string | RegExp): Locator => page.getByRole('option', { name });
const activeOption = (page: Page): Locator => page.locator('[role=option][aria-selected=true]');
const parameters = (page: Page) => Object.fromEntries(new URL(page.url()).searchParams);

/** The palette moves while it opens. */
const opened = 'Promise.allSettled(document.getAnimations().map(({ finished }) => finished))';

async function openPalette(page: Page, text: string): Promise<void> {
  await page.keyboard.press('Control+k');
  await palette(page).waitFor();
  await page.keyboard.type(text);
}

describe('the page', () => {
  test('finds, narrows by type and filters in the address, and is worked through by keyboard', async () => {
    const { ada, organizationId, project } = await newSearchedTeam(stack);
    await using visitor = await visit({ browser, stack }, { as: ada, organizationId });
    const { page } = visitor;
    await visitor.goto('/search');
    await page.getByRole('heading', { name: 'Find anything' }).waitFor();
    await expectAccessibleInBoth(page);
    await field(page).fill('lighthouse');
    await expectEventually(() => rows(page).count()).toBe(4);
    await expectEventually(() => parameters(page)).toEqual({ q: 'lighthouse' });
    expect(await rows(page).locator('mark').allTextContents()).toEqual(
      expect.arrayContaining(['lighthouse', 'Lighthouse']),
    );
    await expectAccessibleInBoth(page);

    await page.getByRole('link', { name: 'Comments 1' }).click();
    await expectEventually(() => rows(page).count()).toBe(1);
    await rows(page).getByText('needs two coats').waitFor();
    await page.getByRole('link', { name: 'Tasks 2' }).click();
    await expectEventually(() => rows(page).count()).toBe(2);
    await page.getByRole('combobox', { name: 'Project' }).selectOption(project.name);
    await page.getByRole('combobox', { name: 'Created by' }).selectOption('Created by me');
    await page.getByRole('combobox', { name: 'Status' }).selectOption('To do');
    await page.getByLabel('Changed from').fill('2020-01-01');
    const filters = { q: 'lighthouse', type: 'task', project: project.id };
    const all = { ...filters, by: 'me', status: 'TODO', from: '2020-01-01' };
    await expectEventually(() => parameters(page)).toEqual(all);
    await page.reload();
    await waitForPage(page);
    await expectEventually(() => rows(page).count()).toBe(2);
    await page.getByRole('combobox', { name: 'Status' }).selectOption('Done');
    await page.getByText('Nothing found').waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).first().click();
    await expectEventually(() => rows(page).count()).toBe(4);

    await field(page).press('ArrowDown');
    await page.keyboard.press('j');
    await page.keyboard.press('k');
    const first = rows(page).first().getByRole('link');
    await expectEventually(() => first.evaluate((one) => one === document.activeElement)).toBe(
      true,
    );
    const title = await first.textContent();
    await page.keyboard.press('Enter');
    await expectEventually(() => new URL(page.url()).pathname).not.toBe('/search');
    await page.goBack();
    await expectEventually(() => rows(page).count()).toBe(4);
    await openPalette(page, '');
    await option(page, title ?? '').waitFor();
  });

  test('follows a typing error with similar titles and a correction', async () => {
    const { ada, organizationId, task } = await newSearchedTeam(stack);
    await using visitor = await visit({ browser, stack }, { as: ada, organizationId });
    const { page } = visitor;
    await visitor.goto('/search?q=lighthuose');
    await rows(page).filter({ hasText: task.title }).getByText('Similar').waitFor();
    await expectAccessible(page);
    await page.getByRole('link', { name: 'lighthouse', exact: true }).click();
    await expectEventually(() => field(page).inputValue()).toBe('lighthouse');
    await expectEventually(() => rows(page).count()).toBe(4);
  });

  test('shows what was found as text, whatever it looks like', async () => {
    const { ada, organizationId, addTask } = await newSearchedTeam(stack);
    const title = '<img src=x onerror=alert(1)> <b>markup</b>';
    await addTask(title, '<script>alert(2)</script> markup');
    await untilCounted(ada, { organizationId, q: 'markup', count: 1 });
    await using visitor = await visit({ browser, stack }, { as: ada, organizationId });
    const { page } = visitor;
    await visitor.goto('/search?q=markup');
    await rows(page).getByRole('link', { name: title }).waitFor();
    expect(await rows(page).locator('mark').allTextContents()).toContain('markup');
    expect(await rows(page).locator('img, script, b').count()).toBe(0);
  });

  test('loads more, each result once', async () => {
    const { ada, organizationId, addTask } = await newSearchedTeam(stack);
    for (let number = 1; number <= 25; number += 1) await addTask(`Buoy ${number}`);
    await untilCounted(ada, { organizationId, q: 'buoy', count: 25 });
    await using visitor = await visit({ browser, stack }, { as: ada, organizationId });
    const { page } = visitor;
    await visitor.goto('/search?q=buoy');
    await page.getByRole('status').getByText('25 results').waitFor();
    await expectEventually(() => rows(page).count()).toBe(20);
    const more = page.getByRole('button', { name: 'Load more' });
    visitor.allowError(/status of 500/);
    await page.route(/cursor=/, (route) => route.fulfill({ status: 500, json: {} }));
    await more.click();
    await page.getByRole('log').locator('p').waitFor();
    expect(await rows(page).count()).toBe(20);
    await page.unrouteAll();
    await more.click();
    await expectEventually(() => rows(page).count()).toBe(25);
    const titles = await rows(page).getByRole('link').allTextContents();
    expect(new Set(titles).size).toBe(25);
  });

  test('says that signs are nothing to search for, and that too many words were cut', async () => {
    const { ada, organizationId } = await newSearchedTeam(stack);
    await using visitor = await visit({ browser, stack }, { as: ada, organizationId });
    const { page } = visitor;
    visitor.allowError(/status of 400/);
    await visitor.goto('/search?q=!%3F');
    await page.getByText('There is nothing to search for').waitFor();
    await field(page).fill('a b c d e f g h i j k l m n');
    await page.getByText('These are not all results').waitFor();
    await expectAccessible(page);
  });

  test('says that the search failed, and not that it is searching, until it is tried again', async () => {
    const { ada, organizationId } = await newSearchedTeam(stack);
    await using visitor = await visit({ browser, stack }, { as: ada, organizationId });
    const { page } = visitor;
    visitor.allowError(/500/);
    const requests = /\/api\/search\?/;
    const failure = {
      code: 'internal_error',
      message: 'Not this time',
      requestId: 'r',
      errors: [],
    };
    await page.route(requests, (route) => route.fulfill({ status: 500, json: failure }));
    await visitor.goto('/search?q=lighthouse');
    await page.getByRole('heading', { name: 'This couldn’t be loaded' }).waitFor();
    expect(await page.getByText('Searching…').count()).toBe(0);
    await page.unroute(requests);
    await page.getByRole('button', { name: 'Try again' }).click();
    await expectEventually(() => rows(page).count()).toBe(4);
  });

  test('people of an organization filter nothing in all of them', async () => {
    const { ada, grace, organizationId } = await newSearchedTeam(stack);
    const { id } = await grace.api.auth.user();
    await using visitor = await visit({ browser, stack }, { as: ada, organizationId });
    const { page } = visitor;
    await visitor.goto(`/search?q=lighthouse&by=${id}&assignee=me`);
    await page.getByText('Nothing found').waitFor();
    await page.getByRole('combobox', { name: 'Where' }).selectOption('All organizations');
    await expectEventually(() => parameters(page)).toEqual({
      q: 'lighthouse',
      scope: 'everywhere',
      assignee: 'me',
    });
  });

  test('fits a phone, where the filters open with a button', async () => {
    const { ada, organizationId } = await newSearchedTeam(stack);
    const viewport = { width: 390, height: 844 };
    await using visitor = await visit({ browser, stack }, { as: ada, organizationId, viewport });
    const { page } = visitor;
    await visitor.goto('/search?q=lighthouse');
    await expectEventually(() => rows(page).count()).toBe(4);
    await page.getByRole('button', { name: 'Filters' }).click();
    await page.getByRole('combobox', { name: 'Status' }).selectOption('To do');
    await expectEventually(() => rows(page).count()).toBe(2);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
    await expectAccessible(page);
  });
});

describe('the palette', () => {
  test('suggests while typing, and leads to the page for everything and for the shown project', async () => {
    const { ada, organizationId, project, task } = await newSearchedTeam(stack);
    await using visitor = await visit({ browser, stack }, { as: ada, organizationId });
    const { page } = visitor;
    await visitor.goto(`/projects/${project.id}`);
    await waitForPage(page);
    await openPalette(page, 'ligh');
    await option(page, /Photograph the lighthouse.*Harbour website/).waitFor();
    const marks = await option(page, task.title).locator('mark').allTextContents();
    expect(marks).toEqual([expect.stringMatching(/^ligh/)]);
    await expectAccessibleInBoth(page);
    const within = option(page, 'Search in Harbour website for “ligh”');
    await option(page, 'Search everything for “ligh”').waitFor();
    await within.click();
    await expectEventually(() => parameters(page)).toEqual({ q: 'ligh', project: project.id });
    await rows(page).filter({ hasText: task.title }).waitFor();
    await expectEventually(() => rows(page).filter({ hasText: 'pictures' }).count()).toBe(0);

    await openPalette(page, 'lighthuose');
    await option(page, task.title).click();
    await page.getByRole('dialog').getByRole('tab').first().waitFor();
    expect(parameters(page)).toEqual({ task: task.id });
  });

  test('keeps what it shows until the next response, and drops a response that comes too late', async () => {
    const { ada, organizationId, task } = await newSearchedTeam(stack);
    await using visitor = await visit({ browser, stack }, { as: ada, organizationId });
    const { page } = visitor;
    await visitor.goto('/');
    await waitForPage(page);
    const asked: string[] = [];
    const gate = Promise.withResolvers<void>();
    await page.route('**/api/search/suggest?*', async (route) => {
      const q = new URL(route.request().url()).searchParams.get('q') ?? '';
      asked.push(q);
      if (q === 'photo') await gate.promise;
      await route.continue().catch(() => {});
    });
    await openPalette(page, '');
    // All letters at once: a busy machine would make pauses between them.
    await page.evaluate(
      `for (const letter of 'lighthouse') document.execCommand('insertText', false, letter)`,
    );
    await option(page, 'Lighthouse pictures').waitFor();
    await palette(page).fill('photo');
    await expectEventually(() => asked).toContain('photo');
    // What was found before is still there, and Enter doesn't open it.
    await option(page, 'Lighthouse pictures').waitFor();
    await palette(page).fill('paint');
    await option(page, 'Order paint').waitFor();
    gate.resolve();
    await expectEventually(() => option(page, task.title).count()).toBe(0);
    await option(page, 'Order paint').waitFor();
    // One request for each pause, not for each letter.
    expect(asked.length).toBeLessThanOrEqual(5);
  });

  test('opens the page of the search if Enter is faster than the response', async () => {
    const { ada, organizationId } = await newSearchedTeam(stack);
    await using visitor = await visit({ browser, stack }, { as: ada, organizationId });
    const { page } = visitor;
    await visitor.goto('/');
    await waitForPage(page);
    await openPalette(page, 'lighthouse');
    await option(page, 'Lighthouse pictures').waitFor();
    await page.route('**/api/search/suggest?*', () => new Promise(() => {}));
    await palette(page).fill('paint');
    await page.keyboard.press('Enter');
    await expectEventually(() => parameters(page)).toEqual({ q: 'paint' });
    await rows(page).filter({ hasText: 'Order paint' }).waitFor();
  });

  test('keeps the chosen entry while others arrive, and commands at hand', async () => {
    const { ada, organizationId } = await newSearchedTeam(stack);
    await using visitor = await visit({ browser, stack }, { as: ada, organizationId });
    const { page } = visitor;
    await visitor.goto('/');
    await waitForPage(page);
    const gate = Promise.withResolvers<void>();
    await page.route('**/api/search/suggest?*', async (route) => {
      await gate.promise;
      await route.continue();
    });
    await openPalette(page, 'pi');
    await option(page, 'Search everything for “pi”').waitFor();
    await page.keyboard.press('ArrowDown');
    await page.evaluate(opened);
    const chosen = await activeOption(page).textContent();
    const place = await activeOption(page).boundingBox();
    gate.resolve();
    await option(page, 'Lighthouse pictures').waitFor();
    expect(await activeOption(page).textContent()).toBe(chosen);
    expect(await activeOption(page).boundingBox()).toEqual(place);
    await palette(page).fill('my ta');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'My tasks', level: 1 }).waitFor();
  });

  test('remembers what was opened until the sign-out', async () => {
    const { ada, organizationId } = await newSearchedTeam(stack);
    await using visitor = await visit({ browser, stack }, { as: ada, organizationId });
    const { page } = visitor;
    await visitor.goto('/');
    await waitForPage(page);
    await openPalette(page, 'pictures');
    await option(page, 'Lighthouse pictures').click();
    await page.getByRole('heading', { name: 'Lighthouse pictures', level: 1 }).waitFor();
    await page.reload();
    await waitForPage(page);
    await openPalette(page, '');
    await page.getByText('Recent', { exact: true }).waitFor();
    expect(await activeOption(page).textContent()).toBe('Lighthouse pictures');
    await palette(page).fill('sign out');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/login**');
    await expectEventually(() => page.evaluate(`localStorage.getItem('atelier_recent')`)).toBe(
      null,
    );
  });
});
