import { upload } from '@atelier/client/upload';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { newAccount, newTeam } from './testing/accounts.ts';
import { expectAccessible } from './testing/axe.ts';
import { launchChromium } from './testing/chromium.ts';
import { tokenFromMail } from './testing/mailbox.ts';
import { visit } from './testing/visitor.ts';

const stack = inject('stack');

let browser: Browser;
beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(() => browser?.close());

test('a new team is led through its first steps, which end when they are done', async () => {
  const [ada, grace] = [await newAccount(stack, 'Ada'), await newAccount(stack, 'Grace')];
  const organizationId = await newTeam(stack, [ada]);
  await using visitor = await visit({ browser, stack }, { as: ada, organizationId });
  const { page } = visitor;
  await visitor.goto('/');
  const steps = page.getByRole('region', { name: 'First steps' });
  await steps.getByText('0 of 3 done').waitFor();
  const figures = page.getByRole('region', { name: 'Key figures' });
  expect(await figures.count()).toBe(0);
  await expectAccessible(page);

  // What others do is seen at once.
  await ada.api.projects.create({ body: { name: 'Launch' } }, { organizationId });
  await steps.getByText('1 of 3 done').waitFor();
  await steps.getByRole('link', { name: 'Start a project (done)' }).waitFor();
  await figures.getByRole('link', { name: 'Active projects 1' }).waitFor();
  await steps.getByRole('link', { name: 'Invite your team' }).click();
  await page.waitForURL('**/settings/members');

  const body = { email: grace.email, role: 'VIEWER' } as const;
  await ada.api.organizations.invite({ params: { id: organizationId }, body });
  const token = await tokenFromMail(stack, grace.email, 'invitations');
  await grace.api.organizations.acceptInvitation({ params: { token } });
  await visitor.goto('/');
  await steps.getByText('2 of 3 done').waitFor();

  // A viewer can do none of them.
  await using viewer = await visit({ browser, stack }, { as: grace, organizationId });
  await viewer.goto('/');
  await viewer.page.getByText('No tasks yet').waitFor();
  expect(await viewer.page.getByText('First steps').count()).toBe(0);

  const title = 'Pictures';
  const { id: collectionId } = await ada.api.collections.create(
    { body: { title } },
    { organizationId },
  );
  const file = new Blob(['a'], { type: 'text/plain' });
  await upload(ada.api, file, { collectionId, fileName: 'a.txt', organizationId }).done;
  await steps.waitFor({ state: 'detached' });
  await figures.getByRole('link', { name: 'Files 1' }).waitFor();
});
