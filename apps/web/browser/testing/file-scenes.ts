import type { Page } from 'playwright-core';
import { someFilm } from '../../../api/src/testing/film.ts';
import { newAccount } from './accounts.ts';
import { newCollection } from './library.ts';
import { pdfWith } from './pdf.ts';
import type { Scene } from './scene.ts';
import type { Stack } from './stack.ts';
import { waitForPage, waitForScripts } from './wait-for-page.ts';

/** Lists the covers of files, where files can be dropped on tasks, and a description with a table. */
export async function fileScenes(stack: Stack): Promise<readonly Scene[]> {
  const account = await newAccount(stack, 'Cleo');
  const { api } = account;
  const { id: collectionId } = await newCollection(api, 'Launch', ['minutes.txt']);
  const project = await api.projects.create({ body: { name: 'Regatta' } });
  const params = { projectId: project.id };
  for (const title of ['Rent the boats', 'Print the programme', 'Book the band']) {
    await api.tasks.create({ params, body: { title, status: 'TODO' } });
  }
  const task = await api.tasks.create({
    params,
    body: { title: 'Compare the offers', description: offers, status: 'TODO' },
  });
  const asCleo = { as: account };
  const board = `/projects/${project.id}`;
  return [
    {
      name: 'collection-covers',
      path: `/collections/${collectionId}`,
      ...asCleo,
      act: uploadOnce,
    },
    {
      name: 'project-drop',
      path: board,
      ...asCleo,
      act: (page) => holdOver(page, '[data-drop-task]:has-text("Print the programme")'),
    },
    {
      name: 'task-drop',
      path: `${board}?task=${task.id}`,
      ...asCleo,
      act: (page) => holdOver(page, 'dialog'),
    },
    {
      name: 'task-table',
      path: `${board}?task=${task.id}`,
      ...asCleo,
      act: (page) => page.getByText('Drop files here').waitFor(),
    },
  ];
}

const offers = `Please decide by **Friday**.

| Yard | Boats | Price per day | Deposit | Includes |
| --- | ---: | ---: | ---: | --- |
| North Quay | 6 | 1,240 € | 300 € | Fuel, life jackets and a skipper for each boat |
| Old Harbour | 8 | 1,480 € | 500 € | Fuel |
| [Lakeside](https://example.com) | 5 | 990 € | – | Nothing |`;

/** The variants share the account. */
async function uploadOnce(page: Page): Promise<void> {
  await waitForPage(page);
  if ((await page.getByText('film.webm').count()) === 0) {
    const files = [
      { name: 'programme.pdf', mimeType: 'application/pdf', buffer: Buffer.from(programme) },
      {
        name: 'film.webm',
        mimeType: 'video/webm',
        buffer: await someFilm({ seconds: 30 }),
      },
    ];
    await page.getByRole('button', { name: 'Upload', exact: true }).click();
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      page.getByRole('menuitem', { name: 'Files…' }).click(),
    ]);
    await chooser.setFiles(files);
  }
  await page.getByRole('list', { name: 'Assets' }).locator('img').nth(1).waitFor();
  const clear = page.getByRole('button', { name: 'Clear finished uploads' });
  if (await clear.isVisible()) await clear.click();
  await page.mouse.move(0, 0);
}

const programme = pdfWith(['Programme of the regatta']);

async function holdOver(page: Page, selector: string): Promise<void> {
  await waitForPage(page);
  await waitForScripts(page);
  await page
    .locator(selector)
    .first()
    .evaluate((element) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File(['x'], 'x.txt'));
      // Browsers repeat the event while files are held over the window.
      setInterval(
        () => element.dispatchEvent(new DragEvent('dragover', { bubbles: true, dataTransfer })),
        50,
      );
    });
  await page.locator('[data-drop-over]').waitFor();
}
