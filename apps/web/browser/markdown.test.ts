// @module-tag slow

import type { Locator } from 'playwright-core';
import { expect, test } from 'vitest';
import { expectAccessibleInBoth } from './testing/axe.ts';
import { setUpBoard } from './testing/board.ts';

const timeout = 40_000;
const { ada, grace, fixtures, organizationId, visitAs } = await setUpBoard();

test('descriptions and comments show Markdown, mentions and links, and never HTML', async () => {
  const project = await fixtures.newProject('Texts', { TODO: ['Write', 'Read'] });
  const [task, other] = await Promise.all(
    ['Write', 'Read'].map((title) => fixtures.storedTask(project, title)),
  );
  const options = { organizationId };
  const params = { id: task?.id ?? '' };
  const path = `/projects/${project.id}/tasks/${other?.id}`;
  const description = [
    '**Bold** and `code`, see <b>no HTML</b> <img src=x onerror="document.title=1">',
    'on the next line',
    '',
    '[bad](javascript:alert(1)) [there](https://elsewhere.example/) ![picture](https://elsewhere.example/a.png)',
    '',
    `[here](${path})`,
    '',
    '- [ ] Sand',
    '- [x] Prime',
    '',
    '> A quote',
    '',
    '```',
    'let x = "<i>"',
    '```',
    '# Heading',
    '1. one',
    '2. two',
    '',
    '| Size | Paper with a name that is longer than a column should be |',
    '| ---: | :--- |',
    '| 210 | <b>matte</b> `a` [bad](javascript:1) |',
  ].join('\n');
  await ada.api.tasks.update({ params, body: { description } }, options);
  await ada.api.comments.create(
    { params: { taskId: params.id }, body: { body: 'Please look, *@Grace Tester*' } },
    options,
  );
  await using mine = await visitAs(ada);
  const { page } = mine;
  await mine.goto(`/projects/${project.id}?task=${task?.id}`);
  const drawer = page.getByRole('dialog');
  await drawer.locator('strong').getByText('Bold').waitFor();
  expect(await drawer.locator('p code').textContent()).toBe('code');
  expect(await drawer.locator('pre').textContent()).toBe('let x = "<i>"');
  expect(await drawer.locator('img[src="x"], b').count()).toBe(0);
  await drawer.getByText('<b>no HTML</b>').waitFor();
  await drawer.locator('em').getByText('@Grace Tester').waitFor();
  const there = drawer.getByRole('link', { name: 'there' });
  expect(await there.getAttribute('rel')).toContain('noopener');
  expect(await there.getAttribute('target')).toBe('_blank');
  expect(await drawer.getByRole('link', { name: 'bad' }).count()).toBe(0);
  expect(await drawer.getByRole('link', { name: 'picture' }).getAttribute('href')).toBe(
    'https://elsewhere.example/a.png',
  );
  const cell = drawer.getByRole('group', { name: 'Table' }).getByRole('cell').nth(1);
  expect(await cell.textContent()).toBe('<b>matte</b> a bad');
  await expectAccessibleInBoth(page);

  await drawer.getByRole('checkbox', { name: 'Sand' }).check();
  await expect
    .poll(async () => (await fixtures.storedTask(project, 'Write'))?.description, { timeout })
    .toBe(description.replace('[ ] Sand', '[x] Sand'));

  await page.evaluate('window.isSamePage = true');
  await drawer.getByRole('link', { name: 'here', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'TEX-2' }).waitFor();
  expect(new URL(page.url()).pathname).toBe(path);
  expect(await page.evaluate('window.isSamePage')).toBe(true);

  // Of others, the boxes are only shown.
  await using theirs = await visitAs(grace);
  await ada.api.comments.create(
    { params: { taskId: other?.id ?? '' }, body: { body: '- [ ] Mine' } },
    options,
  );
  await theirs.goto(path);
  const box = theirs.page.getByRole('checkbox', { name: 'Mine' });
  await box.waitFor();
  expect(await box.isDisabled()).toBe(true);
});

/** Tells whether the last character of a text is left of its first one. */
const runsToTheLeft = (text: Locator) =>
  text.evaluate((element) => {
    const document = element.ownerDocument;
    const node = document.createTreeWalker(element, NodeFilter.SHOW_TEXT).nextNode() as Text;
    const left = (at: number) => {
      const range = document.createRange();
      range.setStart(node, at);
      range.setEnd(node, at + 1);
      return range.getBoundingClientRect().left;
    };
    return left(node.data.length - 1) < left(0);
  });

test('what is written from right to left is shown from right to left', async () => {
  const project = await fixtures.newProject('Right to left', { TODO: ['שלום, עולם!'] });
  const task = await fixtures.storedTask(project, 'שלום, עולם!');
  const description = ['בוקר טוב, Ada!', '', 'Good morning!', '', '- ראשון (1)', '- שני'].join(
    '\n',
  );
  await ada.api.tasks.update(
    { params: { id: task?.id ?? '' }, body: { description } },
    { organizationId },
  );
  await using mine = await visitAs(ada);
  const { page } = mine;
  await mine.goto(`/projects/${project.id}`);
  const link = page.getByRole('link', { name: 'שלום, עולם!' });
  await link.waitFor();
  expect(await runsToTheLeft(link)).toBe(true);

  await link.click();
  const drawer = page.getByRole('dialog');
  const item = drawer.getByRole('listitem').getByText('ראשון (1)');
  await item.waitFor();
  expect(await runsToTheLeft(drawer.getByText('בוקר טוב, Ada!'))).toBe(true);
  expect(await runsToTheLeft(drawer.getByText('Good morning!'))).toBe(false);
  expect(await runsToTheLeft(item)).toBe(true);
  const directionOf = (element: Element) => getComputedStyle(element).direction;
  expect(await drawer.getByRole('list').filter({ hasText: 'ראשון' }).evaluate(directionOf)).toBe(
    'rtl',
  );
  const title = drawer.getByRole('textbox', { name: 'Title' });
  expect(await title.evaluate((field) => getComputedStyle(field).unicodeBidi)).toBe('plaintext');
});
