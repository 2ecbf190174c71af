import { afterEach, expect, test, vi } from 'vitest';
import { createClient } from './index.ts';
import { gate } from './testing/service.ts';
import { startStorage } from './testing/storage-service.ts';
import { sharedStorage } from './testing/storage.ts';
import { upload } from './upload.ts';

afterEach(() => {
  vi.unstubAllGlobals();
});

const collectionId = '019aa4f1-0a2b-7c3d-8e4f-5a6b7c8d9e0f';
const file = new File(['numbers'], 'numbers.bin', { lastModified: 1_700_000_000_000 });

/** Loads the module once more, as another tab does: only storage and Web Locks are shared. */
async function openTab(url: string) {
  vi.resetModules();
  const { localStorageUploads } = await import('./resume.ts');
  const api = createClient({ baseUrl: url, maxRetries: 0 });
  return () => upload(api, file, { collectionId, resume: { store: localStorageUploads() } });
}

test('a file that two tabs upload at once shares no upload', async () => {
  const entries = sharedStorage();
  vi.stubGlobal('localStorage', entries);
  const held = gate();
  await using storage = await startStorage({
    partSize: 5000,
    beforePart: (_part, attempt) =>
      attempt === 1 ? held.opened.then(() => ({ status: 400 })) : undefined,
  });
  const [inFirst, inSecond] = [await openTab(storage.url), await openTab(storage.url)];
  const first = inFirst();
  await vi.waitFor(() => expect(storage.attempts).toEqual([1]));
  const remembered = [...entries.entries];
  expect(remembered).toHaveLength(1);
  await inSecond().done;
  expect([storage.initiations(), storage.resumptions()]).toEqual([2, 0]);
  expect([...entries.entries]).toEqual(remembered);
  const isHeld = async () => {
    const { held } = await navigator.locks.query();
    // Other tests of the process leave locks of theirs.
    return held?.some(({ name }) => name === remembered[0]?.[0]);
  };
  expect(await isHeld()).toBe(true);

  // The first one is still remembered, and either tab resumes it as soon as it has failed.
  held.open();
  await expect(first.done).rejects.toThrow('400');
  await vi.waitFor(async () => expect(await isHeld()).toBe(false));
  await inSecond().done;
  expect([storage.initiations(), storage.resumptions()]).toEqual([2, 1]);
  expect(entries.entries.size).toBe(0);
});

test('a tab that uploads a file again at once resumes its upload, or remembers the new one', async () => {
  const { entries, ...local } = sharedStorage();
  vi.stubGlobal('localStorage', local);
  await using storage = await startStorage({
    partSize: 5000,
    beforePart: (_part, attempt) => (attempt === 3 ? undefined : { status: 400 }),
  });
  const open = await openTab(storage.url);
  // An assertion in between would leave the lock the time to be released.
  await open().done.catch(() => open().done.catch(() => open().done));
  expect([storage.initiations(), storage.resumptions(), entries.size]).toEqual([1, 2, 0]);
  await open().done.catch(() => {});
  expect([storage.initiations(), entries.size]).toEqual([2, 1]);
});
