import type { Page } from 'playwright-core';
import type { Scene } from './scene.ts';
import { waitForPage } from './wait-for-page.ts';

type Inside = Pick<Scene, 'as' | 'organizationId'>;

/** Lists a board without a network, and what waits to be sent. */
export function offlineScenes(path: string, inside: Inside): readonly Scene[] {
  return [
    { name: 'project-offline', path, ...inside, changesData: true, act: workOffline },
    {
      name: 'project-waiting',
      path,
      ...inside,
      changesData: true,
      async act(page) {
        await workOffline(page);
        await page.getByRole('button', { name: '2 changes wait to be sent' }).click();
        await page.getByRole('dialog').getByRole('button', { name: /^Undo/ }).last().waitFor();
      },
    },
  ];
}

async function workOffline(page: Page): Promise<void> {
  await waitForPage(page);
  // Of this page only: others share its context.
  await page.evaluate(`dispatchEvent(new Event('offline'))`);
  for (const count of ['1 change waits', '2 changes wait']) {
    await page
      .getByRole('button', { name: /^Move / })
      .first()
      .press('Enter');
    await page.getByRole('menuitem', { name: 'Done' }).press('Enter');
    await page.getByRole('button', { name: `${count} to be sent` }).waitFor();
  }
}
