// @module-tag slow

import { createClient, memoryTokens } from '@atelier/client';
import { openShare, shareTokenOf } from '@atelier/client/shares';
import { upload } from '@atelier/client/upload';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { newAccount, newTeam } from './testing/accounts.ts';
import { expectAccessible } from './testing/axe.ts';
import { launchChromium } from './testing/chromium.ts';
import { heading } from './testing/pages.ts';
import { visit } from './testing/visitor.ts';

const stack = inject('stack');

let browser: Browser;
beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(() => browser?.close());

describe('activity', () => {
  test('is shown as sentences, filtered by type and action, and kept in the URL', async () => {
    const ada = await newAccount(stack, 'Ada');
    const { id } = await ada.api.collections.create({ body: { title: 'Harbour' } });
    await ada.api.collections.rename({ params: { id }, body: { title: 'Quay' } });
    await using visitor = await visit({ browser, stack }, { as: ada });
    const { page } = visitor;
    await visitor.goto('/activity');
    await page.getByText('You renamed the collection Quay').waitFor();
    await page.getByLabel('Type').selectOption('collection');
    await page.getByLabel('Action').selectOption('collection.rename');
    await expect.poll(() => page.getByText('You created the collection').count()).toBe(0);
    await page.reload();
    await page.getByText('You renamed the collection Quay').waitFor();
    expect(await page.getByText('You created the collection').count()).toBe(0);
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Quay' }).click();
    await page.waitForURL(`**/collections/${id}`);
  });

  test('of a guest is told as that of a guest', async () => {
    const ada = await newAccount(stack, 'Ada');
    const organizationId = await newTeam(stack, [ada], 'Harbour Studio');
    const options = { organizationId };
    const { id: collectionId } = await ada.api.collections.create(
      { body: { title: 'Pictures' } },
      options,
    );
    const file = new Blob(['a'], { type: 'text/plain' });
    const place = { ...options, collectionId, fileName: 'a.txt' };
    const { id: targetId } = await upload(ada.api, file, place).done;
    const { url } = await ada.api.shares.create(
      { body: { targetType: 'ASSET', targetId, allowComments: true } },
      options,
    );
    const client = createClient({ baseUrl: stack.api, tokens: memoryTokens() });
    const opened = await openShare(client, { token: shareTokenOf(url ?? '') ?? '' });
    await opened.comment(targetId, { body: 'Too bright', visitorName: 'Grace' });
    await using visitor = await visit({ browser, stack }, { as: ada, organizationId });
    const { page } = visitor;
    await visitor.goto('/admin/timeline');
    await page.getByText('A guest commented on a.txt').waitFor();
    await page.getByText('You uploaded a.txt').waitFor();
    expect(await page.getByText(/^The system/).count()).toBe(0);
  });

  test('of a team is shown to its admins as a timeline and as charts', async () => {
    const ada = await newAccount(stack, 'Ada');
    const grace = await newAccount(stack, 'Grace');
    const teamId = await newTeam(stack, [ada, grace], 'Harbour Studio');
    const options = { organizationId: teamId };
    const { id: collectionId } = await ada.api.collections.create(
      { body: { title: 'Pictures' } },
      options,
    );
    const file = new Blob(['a'], { type: 'text/plain' });
    await upload(grace.api, file, { ...options, collectionId, fileName: 'a.txt' }).done;
    await using visitor = await visit({ browser, stack }, { as: ada, organizationId: teamId });
    const { page } = visitor;
    await visitor.goto('/admin/timeline');
    await page.getByText('Grace Tester uploaded a.txt').waitFor();
    // The upload is one line.
    expect(await page.getByText(/^Grace Tester .*a\.txt/).count()).toBe(1);
    await page.getByLabel('Person').selectOption('Grace Tester');
    await expect.poll(() => page.getByText(/^You /).count()).toBe(0);
    await page
      .getByText(/^Grace Tester .*a\.txt/)
      .first()
      .waitFor();
    await expectAccessible(page);
    await page.reload();
    expect(await page.getByLabel('Person').inputValue()).not.toBe('');
    await page.getByLabel('Person').selectOption('Everyone');
    await page.getByRole('link', { name: 'Timeline of Pictures' }).click();
    await heading(page, 'Timeline of Pictures');
    await page.getByText('You created the collection Pictures').waitFor();
    await expectAccessible(page);
    await visitor.goto('/admin/summary');
    await page.getByText('Collections: Created').waitFor();
    await page.getByRole('button', { name: 'Show as a table' }).click();
    const table = page.getByRole('table', { name: /^Activities per day/ });
    await table.waitFor();
    await expectAccessible(page);
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    await page.route('**/timeline/summary*', async (route) => {
      await released;
      await route.continue();
    });
    await page.getByLabel('Type').selectOption('Collections');
    // The numbers of another filter are not shown as those of this one.
    await page.getByText('Collections: Created').waitFor({ state: 'detached' });
    release();
    await page.getByText('Collections: Created').waitFor();
  });
});
