import { afterEach, describe, expect, test, vi } from 'vitest';
import { createClient } from './index.ts';
import { localStorageUploads, memoryUploads, uploadsIn } from './resume.ts';
import { failure, gate, type Service } from './testing/service.ts';
import { startStorage } from './testing/storage-service.ts';
import { sharedStorage } from './testing/storage.ts';
import { upload, type UploadState } from './upload.ts';

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const collectionId = '019aa4f1-0a2b-7c3d-8e4f-5a6b7c8d9e0f';
const bytes = Uint8Array.from({ length: 1050 }, (_, index) => index % 251);
const file = new File([bytes], 'numbers.bin', { lastModified: 1_700_000_000_000 });
const clientOf = ({ url }: Service) => createClient({ baseUrl: url, maxRetries: 0 });
const join = (parts: Map<number, Buffer>) =>
  Buffer.concat([...parts].toSorted(([a], [b]) => a - b).map(([, part]) => part));
const allParts = Array.from({ length: 11 }, (_, index) => index + 1);
const withoutWaiting = () => vi.spyOn(Math, 'random').mockReturnValue(0);

describe('after a failure or a reload', () => {
  test.each([
    ['in memory', memoryUploads],
    [
      'in local storage',
      () => {
        const storage = sharedStorage();
        vi.stubGlobal('localStorage', storage);
        return localStorageUploads();
      },
    ],
  ])('an upload remembered %s sends only the missing parts', async (_where, newStore) => {
    await using storage = await startStorage({
      partSize: 100,
      beforePart: (part, attempt) => (part === 7 && attempt === 1 ? { status: 400 } : undefined),
    });
    const resume = { store: newStore() };
    const options = { collectionId, concurrency: 1, resume };
    await expect(upload(clientOf(storage), file, options).done).rejects.toThrow();
    expect(storage.parts.size).toBe(6);

    // After a reload, only the store is left.
    const task = upload(clientOf(storage), file, options);
    const states: UploadState[] = [];
    for await (const state of task) states.push(state);
    expect(await task.done).toEqual({ id: 'asset-1' });

    expect(storage.initiations()).toBe(1);
    expect(join(storage.parts)).toEqual(Buffer.from(bytes));
    expect(storage.attempts).toEqual([1, 2, 3, 4, 5, 6, 7, 7, 8, 9, 10, 11]);
    const uploading = states.filter(({ phase }) => phase === 'uploading');
    expect(uploading[0]?.loadedBytes).toBe(600);

    // A completed upload is forgotten.
    await upload(clientOf(storage), file, options).done;
    expect(storage.initiations()).toBe(2);
  });

  test('a completion whose response was lost returns its asset, and creates no second one', async () => {
    let completions = 0;
    await using storage = await startStorage({
      partSize: 100,
      beforeOperation(path) {
        if (path.endsWith('/complete') && ++completions === 1) return 'hang up';
        if (path.endsWith('/parts')) return failure(409, 'upload_already_completed');
        return undefined;
      },
    });
    const resume = { store: memoryUploads() };
    const first = upload(clientOf(storage), file, { collectionId, resume });
    await expect(first.done).rejects.toMatchObject({ kind: 'network' });

    const second = upload(clientOf(storage), file, { collectionId, resume });
    expect(await second.done).toEqual({ id: 'asset-1' });
    expect(storage.initiations()).toBe(1);
    expect(storage.attempts).toHaveLength(11);
    expect(storage.completion()).toMatchObject({
      uploadId: 'upload-1',
      key: 'collection/c/u/my file',
    });
  });

  test.each([
    [400, 'upload_not_active'],
    [404, 'not_found'],
    [400, 'validation_failed'],
  ])('an upload that the service ended (%d %s) starts again', async (status, code) => {
    await using refusing = await startStorage({
      partSize: 5000,
      beforePart: () => ({ status: 400 }),
    });
    await using storage = await startStorage({
      partSize: 5000,
      beforeOperation: (path) => (path.endsWith('/parts') ? failure(status, code) : undefined),
    });
    const entries = new Map<string, string>();
    const resume = { store: uploadsIn(entries), key: 'k' };
    await expect(upload(clientOf(refusing), file, { collectionId, resume }).done).rejects.toThrow();
    expect(entries.size).toBe(1);
    await upload(clientOf(storage), file, { collectionId, resume }).done;
    expect(storage.initiations()).toBe(1);
    expect(entries.size).toBe(0);
  });

  test.each([
    ['upload_part_invalid', failure(400, 'upload_part_invalid')],
    ['upload_part_too_small', failure(400, 'upload_part_too_small')],
    ['upload_size_mismatch', failure(400, 'upload_size_mismatch')],
    ['the 400 of a proxy', { status: 400, body: '<h1>400 Bad Request</h1>' }],
  ])('a completion refused with %s can be repeated without sending a part', async (_why, reply) => {
    let isRefused = true;
    await using storage = await startStorage({
      partSize: 100,
      beforeOperation: (path) => (isRefused && path.endsWith('/complete') ? reply : undefined),
    });
    const options = { collectionId, resume: { store: memoryUploads() } };
    await expect(upload(clientOf(storage), file, options).done).rejects.toMatchObject({
      status: 400,
    });
    isRefused = false;
    expect(await upload(clientOf(storage), file, options).done).toEqual({ id: 'asset-1' });
    expect(storage.initiations()).toBe(1);
    expect(storage.attempts).toHaveLength(11);
  });

  test.each(['upload_not_active', 'upload_mismatch', 'validation_failed'])(
    'an upload whose completion is refused with %s is forgotten',
    async (code) => {
      await using storage = await startStorage({
        partSize: 5000,
        beforeOperation: (path) => (path.endsWith('/complete') ? failure(400, code) : undefined),
      });
      const entries = new Map<string, string>();
      const resume = { store: uploadsIn(entries) };
      const task = upload(clientOf(storage), file, { collectionId, resume });
      await expect(task.done).rejects.toMatchObject({ code });
      expect(entries.size).toBe(0);
    },
  );

  test('an unreachable service is an error, and the upload stays remembered', async () => {
    let isAway = false;
    await using storage = await startStorage({
      partSize: 5000,
      beforePart: () => ({ status: 400 }),
      beforeOperation: () => (isAway ? failure(503, 'service_unavailable') : undefined),
    });
    const entries = new Map<string, string>();
    const options = { collectionId, resume: { store: uploadsIn(entries) } };
    await expect(upload(clientOf(storage), file, options).done).rejects.toThrow();
    const remembered = [...entries];
    isAway = true;
    const task = upload(clientOf(storage), file, options);
    await expect(task.done).rejects.toMatchObject({ code: 'service_unavailable' });
    expect([...entries]).toEqual(remembered);
    expect(remembered).toHaveLength(1);
    expect(storage.initiations()).toBe(1);
  });

  test('another file never resumes an upload', async () => {
    const isBlocked = { now: true };
    await using storage = await startStorage({
      partSize: 100,
      beforePart: () => (isBlocked.now ? { status: 400 } : undefined),
    });
    const resume = { store: memoryUploads() };
    const first = upload(clientOf(storage), file, { collectionId, resume });
    await expect(first.done).rejects.toThrow();
    isBlocked.now = false;
    const changed = new File([bytes], 'numbers.bin', { lastModified: 1_700_000_000_001 });
    await upload(clientOf(storage), changed, { collectionId, resume }).done;
    expect(storage.initiations()).toBe(2);
    expect(storage.resumptions()).toBe(0);

    // Of another size under an explicit key.
    const named = { store: memoryUploads(), key: 'k' };
    isBlocked.now = true;
    const third = upload(clientOf(storage), file, { collectionId, resume: named });
    await expect(third.done).rejects.toThrow();
    isBlocked.now = false;
    await upload(clientOf(storage), new Blob(['x']), { collectionId, resume: named }).done;
    expect(storage.initiations()).toBe(4);
  });

  test.each(['', 'nonsense', 'null', '{"uploadId":1}', 'upload-1 some key'])(
    'a remembered %j starts again',
    async (value) => {
      await using storage = await startStorage({
        partSize: 5000,
        beforeOperation: (path) =>
          path.endsWith('/parts') ? failure(404, 'not_found') : undefined,
      });
      const resume = { store: uploadsIn(new Map([['k', value]])), key: 'k' };
      await upload(clientOf(storage), file, { collectionId, resume }).done;
      expect(storage.initiations()).toBe(1);
    },
  );

  test('a store that throws does not fail the upload', async () => {
    await using storage = await startStorage({ partSize: 5000 });
    const broken = () => {
      throw new DOMException('full', 'QuotaExceededError');
    };
    const store = uploadsIn({ get: broken, set: broken, delete: broken });
    await upload(clientOf(storage), file, { collectionId, resume: { store } }).done;
    // Disabled storage: reading the global throws, or it is missing.
    vi.stubGlobal('localStorage', undefined);
    const resume = { store: localStorageUploads() };
    await upload(clientOf(storage), file, { collectionId, resume }).done;
    expect(storage.initiations()).toBe(2);
  });

  test.each([
    [
      'in memory',
      () => {
        const store = memoryUploads();
        return () => store;
      },
    ],
    [
      'in local storage',
      () => {
        vi.stubGlobal('localStorage', sharedStorage());
        return localStorageUploads;
      },
    ],
  ])(
    'a file that is uploaded twice at once, remembered %s, shares no upload',
    async (_where, stores) => {
      const storeOf = stores();
      const held = gate();
      await using storage = await startStorage({
        partSize: 5000,
        beforePart: (_part, attempt) =>
          attempt === 1 ? held.opened.then(() => ({ status: 400 })) : undefined,
      });
      const open = () =>
        upload(clientOf(storage), file, { collectionId, resume: { store: storeOf() } });
      const first = open();
      await vi.waitFor(() => expect(storage.attempts).toEqual([1]));
      await open().done;
      expect(storage.initiations()).toBe(2);

      // The first one is still remembered, and resumed as soon as it has failed.
      held.open();
      await expect(first.done).rejects.toThrow('400');
      await open().done;
      expect(storage.initiations()).toBe(2);
    },
  );
});

describe('a part', () => {
  test('whose response was lost after it was stored is not sent twice', async () => {
    withoutWaiting();
    await using storage = await startStorage({
      partSize: 100,
      beforePart: (part) => (part === 4 ? 'store and hang up' : undefined),
    });
    const task = upload(clientOf(storage), file, { collectionId });
    await task.done;
    expect(storage.attempts.toSorted((a, b) => a - b)).toEqual(allParts);
    expect(task.state.loadedBytes).toBe(1050);
  });

  test('that was stored while a pause ended it is not sent twice', async () => {
    const stored = gate();
    await using storage = await startStorage({
      partSize: 5000,
      // Stored after the pause, which discards the response.
      beforePart: () => stored.opened.then(() => undefined),
    });
    const task = upload(clientOf(storage), file, { collectionId });
    await vi.waitFor(() => expect(storage.attempts).toEqual([1]));
    task.pause();
    await vi.waitFor(() => expect(task.state.phase).toBe('paused'));
    stored.open();
    await vi.waitFor(() => expect(storage.parts.size).toBe(1));
    task.resume();
    await task.done;
    expect(storage.attempts).toEqual([1]);
  });

  test('with an expired URL uses a new one; all parts share one request for them', async () => {
    withoutWaiting();
    await using storage = await startStorage({ partSize: 100, oldestGeneration: () => 2 });
    await upload(clientOf(storage), file, { collectionId, concurrency: 11 }).done;
    expect(join(storage.parts)).toEqual(Buffer.from(bytes));
    expect(storage.resumptions()).toBe(1);
    expect(storage.attempts).toHaveLength(22);
  });

  test('is not sent to a URL that is about to expire', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const held = gate();
    const isLate = () => storage.resumptions() === 0;
    await using storage = await startStorage({
      partSize: 100,
      expiresAt: () => new Date(Date.now() + 600_000),
      beforePart: (part) =>
        part === 1 && isLate() ? held.opened.then(() => undefined) : undefined,
    });
    const task = upload(clientOf(storage), file, { collectionId, concurrency: 1 });
    await vi.waitFor(() => expect(storage.attempts).toEqual([1]));
    vi.advanceTimersByTime(590_000);
    held.open();
    await task.done;
    vi.useRealTimers();
    expect(storage.resumptions()).toBe(1);
    expect(storage.attempts).toEqual(allParts);
  });

  test('that is rejected with a new URL too ends the upload', async () => {
    withoutWaiting();
    await using storage = await startStorage({ partSize: 5000, oldestGeneration: () => 99 });
    const task = upload(clientOf(storage), file, { collectionId });
    await expect(task.done).rejects.toMatchObject({ code: 'part_refused', status: 403 });
    expect(storage.attempts).toEqual([1, 1]);
  });

  test('whose upload the service ended fails with its error', async () => {
    withoutWaiting();
    await using storage = await startStorage({
      partSize: 5000,
      oldestGeneration: () => 99,
      beforeOperation: (path) =>
        path.endsWith('/parts') ? failure(400, 'upload_not_active') : undefined,
    });
    const store = new Map<string, string>();
    const resume = { store: uploadsIn(store) };
    const task = upload(clientOf(storage), file, { collectionId, resume });
    await expect(task.done).rejects.toMatchObject({ code: 'upload_not_active' });
    expect(store.size).toBe(0);
  });
});

test('an upload that is paused and resumed a hundred times sends every part whole', async () => {
  await using storage = await startStorage({ partSize: 50 });
  const task = upload(clientOf(storage), file, { collectionId });
  let isOver = false;
  void task.done.then(() => (isOver = true));
  for (let turn = 0; turn < 100 && !isOver; turn++) {
    task.pause();
    if (turn % 2) await new Promise((resolve) => setTimeout(resolve, 2));
    task.resume();
    await new Promise((resolve) => setTimeout(resolve, turn % 5));
  }
  await task.done;
  expect(join(storage.parts)).toEqual(Buffer.from(bytes));
  expect(storage.maxConcurrency()).toBeLessThanOrEqual(8);
});
