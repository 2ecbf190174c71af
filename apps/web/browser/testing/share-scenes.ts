import type { Page } from 'playwright-core';
import type { Account } from './accounts.ts';
import { uploadFile } from './library.ts';
import { pdfWith } from './pdf.ts';
import type { Scene } from './scene.ts';

interface Shared {
  readonly demo: Account;
  readonly organizationId: string | undefined;
}

/** Lists what visitors of a share see, and how members share. */
export async function shareScenes({ demo, organizationId }: Shared): Promise<readonly Scene[]> {
  const options = { organizationId: organizationId ?? null };
  const { items } = await demo.api.collections.list(
    { query: { limit: 100, sort: '-updatedAt' } },
    options,
  );
  const [most] = items.toSorted((a, b) => b.assetCount - a.assetCount);
  const linkTo = async (conditions: object) => {
    const body = { targetType: 'COLLECTION' as const, targetId: most?.id ?? '', ...conditions };
    const { url } = await demo.api.shares.create({ body }, options);
    const { pathname, hash } = new URL(url ?? '');
    return pathname + hash;
  };
  const open = await linkTo({ label: 'For the printer', allowDownload: true });
  const locked = await linkTo({ password: 'a password for the printer' });
  const talking = await linkTo({ allowComments: true });
  const brochure = await sharedPdf(demo, organizationId);
  const shown = (page: Page) =>
    page.getByRole('list', { name: 'Shared files' }).getByRole('listitem').first().waitFor();
  const openDialog = async (page: Page) => {
    await page.getByRole('button', { name: 'More actions for this collection' }).click();
    await page.getByRole('menuitem', { name: 'Share…' }).click();
    await page.getByRole('dialog').getByText('For the printer').first().waitFor();
  };
  const inside = { path: `/collections/${most?.id}`, as: demo, organizationId };
  return [
    { name: 'collection-share', ...inside, act: openDialog },
    {
      name: 'collection-share-new',
      ...inside,
      async act(page) {
        await openDialog(page);
        await page.getByRole('button', { name: 'New link' }).click();
      },
    },
    { name: 'share-files', path: open, act: shown },
    {
      name: 'share-viewer',
      path: open,
      async act(page) {
        await page
          .getByRole('button', { name: /^Open .*\.(jpg|png|webp)/ })
          .first()
          .click();
        await page.getByRole('dialog').getByRole('img').first().waitFor();
        await page.waitForLoadState('networkidle');
      },
    },
    {
      name: 'share-comments',
      path: talking,
      async act(page) {
        await page
          .getByRole('button', { name: /^Open .*\.(jpg|png|webp)/ })
          .first()
          .click();
        const viewer = page.getByRole('dialog');
        await viewer.getByRole('img').first().waitFor();
        const panel = viewer.getByRole('complementary', { name: 'Comments' });
        if ((await panel.count()) === 0) {
          await viewer.getByRole('button', { name: 'Comments' }).click();
        }
        if ((await panel.getByText('The sky is a little too bright').count()) > 0) return;
        await viewer.getByRole('button', { name: 'Mark a point' }).click();
        await viewer.getByRole('button', { name: 'Click the place' }).click();
        await viewer.getByRole('textbox', { name: 'Your name' }).fill('Grace Hopper');
        await viewer
          .getByRole('textbox', { name: 'Comment' })
          .fill('The sky is a little too bright here. Could it be darker?');
        await viewer.getByRole('button', { name: 'Post' }).click();
        await panel.getByText('The sky is a little too bright').waitFor();
        await viewer.getByRole('button', { name: /^Comment 1/ }).waitFor();
      },
    },
    {
      name: 'share-pdf',
      path: brochure.link,
      async act(page) {
        await page.getByRole('button', { name: 'Open brochure.pdf' }).click();
        await page.getByText('A harbour at dawn').waitFor();
        await page.locator('[data-picture] canvas').waitFor();
      },
    },
    {
      name: 'asset-pdf',
      path: `/assets/${brochure.id}?tab=comments`,
      as: demo,
      organizationId,
      async act(page) {
        await page.getByText('A harbour at dawn').waitFor();
        await page.locator('[data-picture] canvas').waitFor();
      },
    },
    {
      name: 'share-password',
      path: locked,
      async act(page) {
        await page.getByLabel('Password').fill('not this one');
        await page.keyboard.press('Enter');
        await page.getByText('This isn’t the password.').waitFor();
      },
    },
    {
      name: 'share-ended',
      path: `/share#atls_${'x'.repeat(43)}`,
      act: (page) => page.getByText('This link doesn’t work').waitFor(),
    },
  ];
}

/** Uploads a PDF, and shares it with downloads and comments. */
async function sharedPdf({ api }: Account, organizationId: string | undefined) {
  const options = { organizationId: organizationId ?? null };
  const { id: collectionId } = await api.collections.create(
    { body: { title: 'Brochure' } },
    options,
  );
  const { id } = await uploadFile(api, {
    name: 'brochure.pdf',
    type: 'application/pdf',
    content: pdfWith(['A harbour at dawn', 'What we offer', 'Where to find us']),
    collectionId,
    ...(organizationId && { organizationId }),
  });
  const body = { targetType: 'ASSET' as const, targetId: id, allowDownload: true };
  const { pathname, hash } = new URL((await api.shares.create({ body }, options)).url ?? '');
  return { id, link: pathname + hash };
}
