import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { gate, type Reply } from '../src/testing/service.ts';
import { startStorage, type StorageOptions } from '../src/testing/storage-service.ts';
import type { UploadTask } from '../src/upload.ts';
import { bundleClient, findChromium, launch } from './testing/chromium.ts';

const executablePath = findChromium();
const html = `<!doctype html><title>Tab</title><script type="module">
import { createClient, localStorageUploads, upload } from '/client.js';
const api = createClient({ baseUrl: location.origin, maxRetries: 0 });
const file = new File(['numbers'], 'numbers.bin', { lastModified: 1_700_000_000_000 });
const collectionId = '019aa4f1-0a2b-7c3d-8e4f-5a6b7c8d9e0f';
globalThis.begin = () => upload(api, file, { collectionId, resume: { store: localStorageUploads() } });
</script>`;

/** Uploads the file of the page. @returns the error's message, or null */
function uploadIn(tab: Page): Promise<string | null> {
  return tab.evaluate(async () => {
    const { begin } = globalThis as unknown as { begin: () => UploadTask };
    return begin().done.then(
      () => null,
      (error: unknown) => String(error),
    );
  });
}

/** Starts the storage, and the pages of the tabs. */
async function start(beforePart: NonNullable<StorageOptions['beforePart']>) {
  const script = await bundleClient();
  const pages: Record<string, Reply> = {
    '/': { status: 200, body: html },
    '/favicon.ico': { status: 404 },
    '/client.js': { status: 200, body: script, headers: { 'content-type': 'text/javascript' } },
  };
  return startStorage({ partSize: 5000, beforeOperation: (path) => pages[path], beforePart });
}

test.skipIf(!executablePath)('two tabs that upload a file at once share no upload', async () => {
  const held = gate();
  await using storage = await start((_part, attempt) =>
    attempt === 1 ? held.opened.then(() => ({ status: 400 })) : undefined,
  );
  await using browser = await launch(executablePath ?? '');
  const context = await browser.newContext();
  const [first, second] = [await context.newPage(), await context.newPage()];
  for (const tab of [first, second]) await tab.goto(storage.url);

  const uploading = uploadIn(first);
  await expect.poll(() => storage.attempts).toEqual([1]);
  expect(await uploadIn(second)).toBeNull();
  expect([storage.initiations(), storage.resumptions()]).toEqual([2, 0]);

  // It is resumed as soon as it has failed.
  held.open();
  expect(await uploading).toContain('400');
  expect(await uploadIn(first)).toBeNull();
  expect([storage.initiations(), storage.resumptions()]).toEqual([2, 1]);
});

test.skipIf(!executablePath)('a page resumes an upload again as soon as it fails', async () => {
  await using storage = await start((_part, attempt) =>
    attempt < 3 ? { status: 400 } : undefined,
  );
  await using browser = await launch(executablePath ?? '');
  const page = await browser.newPage();
  await page.goto(storage.url);
  await page.evaluate(async () => {
    const { begin } = globalThis as unknown as { begin: () => UploadTask };
    await begin().done.catch(() => begin().done.catch(() => begin().done));
  });
  expect([storage.initiations(), storage.resumptions()]).toEqual([1, 2]);
});
