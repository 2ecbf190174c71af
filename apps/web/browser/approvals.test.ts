import type { Browser, Page, Route } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { newAccount, newTeam, type Account } from './testing/accounts.ts';
import { connectAssistant, linkTo, newTask, type Assistant } from './testing/assistant.ts';
import { expectAccessible, expectAccessibleInBoth } from './testing/axe.ts';
import { launchChromium } from './testing/chromium.ts';
import { tabTo } from './testing/keyboard.ts';
import { heading, signIn } from './testing/pages.ts';
import { visit } from './testing/visitor.ts';

const stack = inject('stack');
let browser: Browser;
let ada: Account;
let ben: Account;
let organizationId: string;
let assistant: Assistant;
beforeAll(async () => {
  browser = await launchChromium();
  [ada, ben] = [await newAccount(stack, 'Ada'), await newAccount(stack, 'Ben')];
  organizationId = await newTeam(stack, [ada, ben]);
  assistant = await connectAssistant(stack, { account: ada, organizationId });
});
afterAll(() => browser?.close());

const removalOf = async (title: string) => ({
  tool: 'tasks_remove',
  arguments: { id: await newTask({ account: ada, organizationId }, title) },
});
const statusOf = async (id: string) =>
  (await ada.api.approvals.get({ params: { id } }, { organizationId })).status;
const outcome = (page: Page, text: string | RegExp) =>
  page.getByRole('region', { name: 'Decision' }).getByRole('status').filter({ hasText: text });
const press = (page: Page, name: string) => page.getByRole('button', { name }).click();

/** Responds with a changed approval. */
function changed(change: (approval: Record<string, unknown>) => object) {
  return async (route: Route) => {
    const response = await route.fetch();
    const body: { data: Record<string, unknown> } = await response.json();
    await route.fulfill({ response, json: { ...body, data: change(body.data) } });
  };
}

test('a call is opened from the list, approved, and made once by the assistant', async () => {
  await using visitor = await visit({ browser, stack }, { as: ada, organizationId });
  const { page } = visitor;
  visitor.allowError(/status of 404/);
  await visitor.goto('/my-tasks');
  await heading(page, 'My tasks');
  const removal = await removalOf('Write the imprint');
  expect(await assistant.call(removal)).toBe(false);
  await page.getByRole('link', { name: 'Approvals 1 waiting' }).click();
  await heading(page, 'Approvals');
  const waiting = page.getByRole('list', { name: 'Calls that wait for a decision' });
  await expectAccessibleInBoth(page);
  await waiting.getByRole('link', { name: 'Delete a task: Write the imprint' }).click();

  await heading(page, 'Delete a task');
  await page.getByText('Desk assistant of Ada Tester').waitFor();
  await page
    .getByRole('timer')
    .filter({ hasText: /^\d:\d\d$/ })
    .waitFor();
  await page.getByRole('link', { name: 'Write the imprint' }).waitFor();
  await expectAccessibleInBoth(page);
  await press(page, 'Approve');
  await outcome(page, 'Approved. Tell the assistant to repeat the call.').waitFor();
  await page.getByRole('link', { name: 'Approvals 1 waiting' }).waitFor({ state: 'detached' });
  await expectAccessibleInBoth(page);

  expect(await assistant.call(removal)).toBe(true);
  await outcome(page, 'Approved, and the assistant has made the call.').waitFor();
  const params = removal.arguments;
  await expect(ada.api.tasks.get({ params }, { organizationId })).rejects.toThrow();
  await page.getByRole('navigation').getByRole('link', { name: 'Approvals', exact: true }).click();
  const earlier = page.getByRole('list', { name: 'Earlier calls' });
  const row = earlier.getByRole('listitem').filter({ hasText: 'Write the imprint' });
  await row.getByText('Used', { exact: true }).waitFor();
});

test('a link is opened by a person who signs in first, and the call refused by keyboard on a phone', async () => {
  const approval = await assistant.ask(await removalOf('مراجعة النصوص'));
  await using visitor = await visit(
    { browser, stack },
    { viewport: { width: 360, height: 800 }, organizationId: null },
  );
  const { page } = visitor;
  await visitor.goto(linkTo(approval));
  await signIn(page, ada.email, ada.password);
  await heading(page, 'Delete a task');
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(360);
  await expectAccessibleInBoth(page);
  await tabTo(page, page.getByRole('button', { name: 'Refuse' }));
  await page.keyboard.press('Enter');
  await outcome(page, 'You refused this call.').waitFor();
  expect(await page.getByRole('button', { name: 'Approve' }).count()).toBe(0);
  expect(await statusOf(approval.id)).toBe('REFUSED');
  expect(new URL(page.url()).searchParams.get('organizationId')).toBe(organizationId);
});

test('an approval is taken back, which everyone sees who has it open', async () => {
  const asking = await connectAssistant(stack, { account: ben, organizationId }, 'Ben’s helper');
  const approval = await asking.ask(await removalOf('Launch'));
  // The link names the organization, where another one is selected.
  await using visitor = await visit({ browser, stack }, { as: ben, organizationId: null });
  const { page } = visitor;
  await visitor.goto(linkTo(approval));
  await heading(page, 'Delete a task');
  await page.getByRole('button', { name: 'Switch organization: Harbour Studio' }).waitFor();
  const params = { id: approval.id };
  await ada.api.approvals.approve({ params }, { organizationId });
  await outcome(page, 'Approved by Ada Tester. Tell the assistant to repeat the call.').waitFor();
  await press(page, 'Take back');
  await outcome(page, 'You refused this call.').waitFor();
  expect(await asking.call({ tool: approval.tool, arguments: approval.arguments })).toBe(false);
});

test('a call expires while it is shown', async () => {
  const approval = await assistant.ask(await removalOf('Too late'));
  await using visitor = await visit({ browser, stack }, { as: ada, organizationId });
  const { page } = visitor;
  const endMs = Date.now() + 6000;
  const expiresAt = new Date(endMs).toISOString();
  await page.route(
    `**/api/approvals/${approval.id}`,
    changed((data) => ({ ...data, expiresAt, ...(Date.now() > endMs && { status: 'EXPIRED' }) })),
  );
  await visitor.goto(linkTo(approval));
  await outcome(page, 'Expired without a decision. The assistant can ask again.').waitFor();
  expect(await page.getByRole('button', { name: /Approve|Refuse/ }).count()).toBe(0);
  await expectAccessibleInBoth(page);
});

test('an approval whose response got lost is shown, and given once', async () => {
  const approval = await assistant.ask(await removalOf('Lost'));
  await using visitor = await visit({ browser, stack }, { as: ada, organizationId });
  visitor.allowError(/ERR_FAILED/);
  const { page } = visitor;
  await page.route('**/approve', async (route) => {
    await route.fetch();
    await route.abort();
  });
  await visitor.goto(linkTo(approval));
  await press(page, 'Approve');
  await page.getByText('Can’t reach the server').first().waitFor();
  await outcome(page, 'Approved. Tell the assistant to repeat the call.').waitFor();
  expect(await statusOf(approval.id)).toBe('APPROVED');
});

test('without a network, a decision fails at once and can be made when it is back', async () => {
  const approval = await assistant.ask(await removalOf('Offline'));
  await using visitor = await visit({ browser, stack }, { as: ada, organizationId });
  visitor.allowError(/ERR_INTERNET_DISCONNECTED/);
  const { page, context } = visitor;
  await visitor.goto(linkTo(approval));
  await heading(page, 'Delete a task');
  await context.setOffline(true);
  await press(page, 'Approve');
  await page.getByText('Can’t reach the server').first().waitFor();
  expect(await statusOf(approval.id)).toBe('WAITING');
  await context.setOffline(false);
  await press(page, 'Approve');
  await outcome(page, 'Approved.').waitFor();
});

test('a call that was decided on meanwhile can’t be approved', async () => {
  const approval = await assistant.ask(await removalOf('Decided'));
  await using visitor = await visit({ browser, stack }, { as: ada, organizationId });
  visitor.allowError(/status of 409/);
  const { page } = visitor;
  const path = `**/api/approvals/${approval.id}`;
  await page.route(
    path,
    changed(() => ({ ...approval })),
  );
  await visitor.goto(linkTo(approval));
  await heading(page, 'Delete a task');
  await ada.api.approvals.refuse({ params: { id: approval.id } }, { organizationId });
  await press(page, 'Approve');
  await page.getByText('This call has already been decided on').first().waitFor();
  expect(await statusOf(approval.id)).toBe('REFUSED');
  // The page asks again by itself: also for a request that is under way.
  await page.unrouteAll({ behavior: 'wait' });
  await page.reload();
  await outcome(page, 'You refused this call.').waitFor();
});

test('what an assistant sends is shown as plain text of a bounded height', async () => {
  const approval = await assistant.ask(await removalOf('<b>Markup</b> https://example.com/name'));
  await using visitor = await visit({ browser, stack }, { as: ada, organizationId });
  const { page } = visitor;
  const markup = '<img src=x> [a link](https://example.com/x) https://example.com/y\n'.repeat(40);
  await page.route(
    `**/api/approvals/${approval.id}`,
    changed((data) => ({
      ...data,
      arguments: { description: markup, name: 'invoice\u202Efdp.exe', tags: ['one'] },
    })),
  );
  await visitor.goto(linkTo(approval));
  const details = page.getByRole('region', { name: 'Details of the call' });
  const text = details.getByRole('group', { name: 'description' });
  expect(await text.textContent()).toBe(markup);
  expect(await details.getByRole('link').count()).toBe(0);
  expect(await details.locator('img').count()).toBe(0);
  expect((await text.boundingBox())?.height).toBeLessThan(220);
  await details.getByText('invoice[U+202E]fdp.exe').waitFor();
  const name = page.getByRole('link', { name: '<b>Markup</b> https://example.com/name' });
  expect(await name.getAttribute('href')).toMatch(/^\/projects\//);
  await expectAccessible(page);
});

test('others than its person and administrators are told why they can’t see it', async () => {
  const approval = await assistant.ask(await removalOf('Not for Ben'));
  {
    await using visitor = await visit({ browser, stack }, { as: ben, organizationId });
    visitor.allowError(/status of 403/);
    await visitor.goto(linkTo(approval));
    await visitor.page.getByText('You don’t have access to this').waitFor();
    await visitor.goto('/approvals');
    await heading(visitor.page, 'Approvals');
    expect(await visitor.page.getByText('Not for Ben').count()).toBe(0);
  }
  const mallory = await newAccount(stack, 'Mallory');
  await using visitor = await visit({ browser, stack }, { as: mallory });
  const { page } = visitor;
  await visitor.goto(linkTo(approval));
  await page.getByText('an organization that you’re not a member of').waitFor();
  await expectAccessible(page);
  await visitor.goto('/approvals');
  await page.getByText('No calls to approve').waitFor();
  await expectAccessible(page);
});
