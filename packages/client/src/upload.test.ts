import { getEventListeners } from 'node:events';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { createClient } from './index.ts';
import { gate, type Service } from './testing/service.ts';
import { startStorage } from './testing/storage-service.ts';
import { requestOverHttp } from './testing/xml-http-request.ts';
import { upload, UploadError, type UploadState } from './upload.ts';

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const collectionId = '019aa4f1-0a2b-7c3d-8e4f-5a6b7c8d9e0f';
const bytes = Uint8Array.from({ length: 1050 }, (_, index) => index % 251);
const file = new File([bytes], 'numbers.bin', { type: 'application/x-numbers;charset=x' });
const clientOf = ({ url }: Service) => createClient({ baseUrl: url });
const join = (parts: Map<number, Buffer>) =>
  Buffer.concat([...parts].toSorted(([a], [b]) => a - b).map(([, part]) => part));

test('a file is uploaded in parallel parts and becomes an asset', async () => {
  const full = gate();
  await using storage = await startStorage({
    partSize: 100,
    beforePart: async () => {
      if (storage.attempts.length >= 4) full.open();
      await full.opened;
      return undefined;
    },
  });

  const task = upload(clientOf(storage), file, { collectionId });
  expect(await task.done).toEqual({ id: 'asset-1' });

  expect(join(storage.parts)).toEqual(Buffer.from(bytes));
  expect(storage.attempts.toSorted((a, b) => a - b)).toEqual(
    Array.from({ length: 11 }, (_, index) => index + 1),
  );
  expect(storage.maxConcurrency()).toBe(4);
  const initiation: unknown = JSON.parse(String(storage.requests[0]?.body));
  expect(initiation).toEqual({
    fileName: 'numbers.bin',
    contentType: 'application/x-numbers',
    fileSize: 1050,
    collectionId,
  });
  expect(storage.completion()).toMatchObject({
    uploadId: 'upload-1',
    key: 'collection/c/u/my file',
    contentType: 'application/x-numbers',
    collectionId,
    parts: expect.arrayContaining([
      { partNumber: 11, eTag: expect.stringMatching(/^"[0-9a-f]{32}"$/) },
    ]),
  });
});

test('an empty file has one empty part', async () => {
  await using storage = await startStorage({ partSize: 100 });
  const task = upload(clientOf(storage), new Blob([]), { collectionId, fileName: 'empty.txt' });
  await task.done;
  expect([...storage.parts]).toEqual([[1, Buffer.alloc(0)]]);
  expect(storage.completion()).toMatchObject({ contentType: 'application/octet-stream' });
});

test('the states cover the whole upload, and count every byte', async () => {
  await using storage = await startStorage({ partSize: 100 });
  const task = upload(clientOf(storage), file, { collectionId, concurrency: 1 });
  const states: UploadState[] = [];
  for await (const state of task) states.push(state);

  const phases = states.map(({ phase }) => phase);
  expect(phases[0]).toBe('initiating');
  expect(phases).toContain('uploading');
  expect(phases.at(-1)).toBe('done');
  expect(states.every(({ totalBytes }) => totalBytes === 1050)).toBe(true);
  const loaded = states.map(({ loadedBytes }) => loadedBytes);
  expect(loaded).toEqual(loaded.toSorted((a, b) => a - b));
  expect(loaded.at(-1)).toBe(1050);
  expect(
    states.some(({ bytesPerSecond, secondsLeft }) => bytesPerSecond > 0 && secondsLeft !== null),
  ).toBe(true);
  expect(task.state).toBe(states.at(-1));
});

describe('a part', () => {
  test.each([
    ['with a 503', { status: 503 }],
    ['with a 500', { status: 500 }],
    ['by a broken connection', 'hang up' as const],
  ])('that fails twice %s is retried, and only that one', async (_what, reply) => {
    vi.spyOn(Math, 'random').mockReturnValue(0);
    await using storage = await startStorage({
      partSize: 100,
      beforePart: (part, attempt) => (part === 3 && attempt <= 2 ? reply : undefined),
    });
    await upload(clientOf(storage), file, { collectionId }).done;
    expect(join(storage.parts)).toEqual(Buffer.from(bytes));
    expect(storage.attempts.filter((part) => part === 3)).toHaveLength(3);
    expect(storage.attempts).toHaveLength(13);
  });

  test('that is rejected for good ends the upload without another attempt', async () => {
    await using storage = await startStorage({
      partSize: 100,
      beforePart: (part) => (part === 3 ? { status: 400 } : undefined),
    });
    const task = upload(clientOf(storage), file, { collectionId, concurrency: 1 });
    await expect(task.done).rejects.toMatchObject({
      name: 'UploadError',
      code: 'part_refused',
      partNumber: 3,
      status: 400,
    });
    expect(storage.attempts).toEqual([1, 2, 3]);
    expect(task.state).toMatchObject({ phase: 'failed', loadedBytes: 200 });
    expect(storage.completion()).toBeUndefined();
  });

  test('whose attempts are used up ends the upload, with the cause', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(0);
    await using storage = await startStorage({ partSize: 5000, beforePart: () => 'hang up' });
    const task = upload(clientOf(storage), file, { collectionId, maxRetries: 1 });
    const error: unknown = await task.done.catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(UploadError);
    expect(error).toMatchObject({ code: 'network', partNumber: 1, status: null });
    expect(error).toHaveProperty('cause');
    expect(storage.attempts).toEqual([1, 1]);
  });

  test('whose ETag is hidden ends the upload and names the fix', async () => {
    await using storage = await startStorage({ partSize: 5000, hidesETag: true });
    const task = upload(clientOf(storage), file, { collectionId });
    await expect(task.done).rejects.toThrow('Part 1: CORS must list ETag in ExposeHeaders');
    expect(storage.attempts).toEqual([1]);
  });
});

/** Four times the longest, so that also a busy machine pauses before it ends. */
const firstBackoffMs = 2_000;

describe('a pause', () => {
  test('aborts the parts being sent, and resuming sends only the missing ones', async () => {
    const never = gate();
    await using storage = await startStorage({
      partSize: 100,
      beforePart: async (part, attempt) => {
        if ((part === 5 || part === 6) && attempt === 1) await never.opened;
        return undefined;
      },
    });
    const task = upload(clientOf(storage), file, { collectionId, concurrency: 2 });
    await expect.poll(() => storage.attempts).toHaveLength(6);

    task.pause();
    await expect.poll(() => task.state.phase).toBe('paused');
    expect(task.state.loadedBytes).toBe(400);
    expect(storage.attempts.toSorted()).toEqual([1, 2, 3, 4, 5, 6]);

    task.resume();
    await task.done;
    expect(join(storage.parts)).toEqual(Buffer.from(bytes));
    const counts = Map.groupBy(storage.attempts, (part) => part);
    expect([...counts].filter(([, times]) => times.length > 1).map(([part]) => part)).toEqual([
      5, 6,
    ]);
  });

  test('ends the back-off of a part: it is sent once more, not twice', async () => {
    await using storage = await startStorage({
      partSize: 5000,
      beforePart: (_part, attempt) => (attempt === 1 ? { status: 503 } : undefined),
    });
    vi.spyOn(Math, 'random').mockReturnValue(4);
    const task = upload(clientOf(storage), file, { collectionId });
    await expect.poll(() => storage.attempts).toHaveLength(1);
    const pausedAt = performance.now();
    task.pause();
    await expect.poll(() => task.state.phase).toBe('paused');
    expect(performance.now() - pausedAt).toBeLessThan(firstBackoffMs - 100);
    task.resume();
    await task.done;
    // A part that survived the pause would arrive now.
    await new Promise((resolve) => setTimeout(resolve, firstBackoffMs + 100));
    expect(storage.attempts).toEqual([1, 1]);
  });

  test('that ends at once is a no-op', async () => {
    await using storage = await startStorage({ partSize: 100 });
    const task = upload(clientOf(storage), file, { collectionId });
    task.pause();
    task.resume();
    task.resume();
    await task.done;
    expect(storage.attempts).toHaveLength(11);
  });
});

describe('in Node', () => {
  const plainFetch: typeof fetch = (...request) => fetch(...request);
  const large = new Blob([Uint8Array.from({ length: 8_000_000 }, (_, index) => index % 251)]);

  test('progress counts the bytes of a part being sent, which has its length', async () => {
    await using storage = await startStorage({ partSize: large.size });
    const loaded = new Set<number>();
    const task = upload(clientOf(storage), large, { collectionId });
    for await (const { loadedBytes } of task) loaded.add(loadedBytes);
    await task.done;
    expect(join(storage.parts).equals(Buffer.from(await large.arrayBuffer()))).toBe(true);
    expect(loaded.size).toBeGreaterThan(4);
    const put = storage.requests.find(({ method }) => method === 'PUT');
    expect(put?.headers).toMatchObject({ 'content-length': String(large.size) });
    expect(put?.headers['transfer-encoding']).toBeUndefined();
  });

  test('a part that the connection loses halfway is sent again as a whole', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(0);
    await using storage = await startStorage({
      partSize: large.size,
      beforePart: (_part, attempt) => (attempt === 1 ? 'hang up' : undefined),
    });
    await upload(clientOf(storage), large, { collectionId }).done;
    expect(storage.attempts).toEqual([1, 1]);
    expect(join(storage.parts).equals(Buffer.from(await large.arrayBuffer()))).toBe(true);
  });

  test.each([
    ['after a minute without progress', {}, 60_000],
    ['with a fetch of your own after a time for its size', { fetch: plainFetch }, 1_060_000],
  ])('a part without a response is sent again %s', async (_when, options, silenceMs) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const never = gate();
    await using storage = await startStorage({
      partSize: large.size,
      beforePart: (_part, attempt) =>
        attempt === 1 ? never.opened.then(() => undefined) : undefined,
    });
    try {
      const task = upload(clientOf(storage), large, { collectionId, ...options });
      await expect.poll(() => storage.attempts).toEqual([1]);
      const sent = task.state;
      await vi.advanceTimersByTimeAsync(silenceMs - 1000);
      expect(task.state).toBe(sent);
      await vi.advanceTimersByTimeAsync(1000);
      await expect
        .poll(async () => {
          await vi.advanceTimersByTimeAsync(100);
          return storage.attempts;
        })
        .toEqual([1, 1]);
      await task.done;
      expect(join(storage.parts).equals(Buffer.from(await large.arrayBuffer()))).toBe(true);
    } finally {
      vi.useRealTimers();
    }
  });
});

describe('in a browser', () => {
  test('progress counts the bytes of parts being sent', async () => {
    vi.stubGlobal('XMLHttpRequest', requestOverHttp({ exposesETag: true }));
    const held = gate();
    await using storage = await startStorage({
      partSize: 5000,
      beforePart: () => held.opened.then(() => undefined),
    });
    const task = upload(clientOf(storage), file, { collectionId });
    await expect.poll(() => task.state.loadedBytes).toBe(525);
    expect(storage.parts.size).toBe(0);
    held.open();
    await task.done;
    expect(join(storage.parts)).toEqual(Buffer.from(bytes));
    expect(task.state.loadedBytes).toBe(1050);
  });

  test('progress drops the bytes of a paused part', async () => {
    vi.stubGlobal('XMLHttpRequest', requestOverHttp({ exposesETag: true }));
    const never = gate();
    await using storage = await startStorage({
      partSize: 5000,
      beforePart: (_part, attempt) =>
        attempt === 1 ? never.opened.then(() => undefined) : undefined,
    });
    const task = upload(clientOf(storage), file, { collectionId });
    await expect.poll(() => storage.attempts).toEqual([1]);
    expect(task.state.loadedBytes).toBe(525);
    task.pause();
    await expect.poll(() => task.state.phase).toBe('paused');
    expect(task.state.loadedBytes).toBe(0);
    task.resume();
    await task.done;
    expect(storage.attempts).toEqual([1, 1]);
  });

  test('a part is sent again after a minute without progress', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    vi.stubGlobal('XMLHttpRequest', requestOverHttp({ exposesETag: true }));
    const [read, never] = [gate(), gate()];
    await using storage = await startStorage({
      partSize: 5000,
      beforePart: (_part, attempt) =>
        attempt === 1 ? never.opened.then(() => undefined) : undefined,
    });
    const reading = vi.spyOn(Blob.prototype, 'arrayBuffer').mockImplementationOnce(async () => {
      await read.opened;
      return bytes.buffer;
    });
    try {
      const task = upload(clientOf(storage), file, { collectionId });
      await expect.poll(() => reading).toHaveBeenCalledOnce();
      await vi.advanceTimersByTimeAsync(50_000);
      read.open();
      await expect.poll(() => storage.attempts).toEqual([1]);
      await vi.advanceTimersByTimeAsync(59_000);
      expect(task.state.loadedBytes).toBe(525);
      await vi.advanceTimersByTimeAsync(1000);
      expect(task.state.loadedBytes).toBe(0);
      await expect
        .poll(async () => {
          await vi.advanceTimersByTimeAsync(100);
          return storage.attempts;
        })
        .toEqual([1, 1]);
      await task.done;
      expect(join(storage.parts)).toEqual(Buffer.from(bytes));
    } finally {
      vi.useRealTimers();
    }
  });

  test('an ETag that CORS hides is never read', async () => {
    vi.stubGlobal('XMLHttpRequest', requestOverHttp({ exposesETag: false }));
    await using storage = await startStorage({ partSize: 5000 });
    const task = upload(clientOf(storage), file, { collectionId });
    await expect(task.done).rejects.toMatchObject({ code: 'etag_hidden' });
  });

  test('a part that does not reach the storage is retried', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(0);
    vi.stubGlobal('XMLHttpRequest', requestOverHttp({ exposesETag: true }));
    await using storage = await startStorage({
      partSize: 5000,
      beforePart: (_part, attempt) => (attempt === 1 ? 'hang up' : undefined),
    });
    await upload(clientOf(storage), file, { collectionId }).done;
    expect(storage.attempts).toEqual([1, 1]);
  });
});

describe('abort', () => {
  test('aborts the parts being sent and discards the upload', async () => {
    const never = gate();
    await using storage = await startStorage({
      partSize: 100,
      beforePart: () => never.opened.then(() => undefined),
    });
    const task = upload(clientOf(storage), file, { collectionId });
    await expect.poll(() => storage.attempts).toHaveLength(4);
    await task.abort();
    await expect(task.done).rejects.toMatchObject({ name: 'AbortError' });
    expect(task.state.phase).toBe('aborted');
    expect(storage.aborted()).toBe(true);
    expect(storage.attempts).toHaveLength(4);
  });

  test('by the signal ends a paused upload with the reason of the signal', async () => {
    await using storage = await startStorage({ partSize: 100 });
    const controller = new AbortController();
    const task = upload(clientOf(storage), file, { collectionId, signal: controller.signal });
    task.pause();
    await expect.poll(() => task.state.phase).toBe('paused');
    controller.abort(new Error('page closed'));
    await expect(task.done).rejects.toThrow('page closed');
    await expect.poll(() => storage.aborted()).toBe(true);
    expect(storage.attempts).toEqual([]);
  });

  test('by a signal that lives on keeps nothing of an upload that is done', async () => {
    await using storage = await startStorage({ partSize: 100 });
    const { signal } = new AbortController();
    const combined = vi.spyOn(AbortSignal, 'any');
    await upload(clientOf(storage), file, { collectionId, signal }).done;
    const ofUpload = combined.mock.results[0]?.value as AbortSignal;
    expect(getEventListeners(ofUpload, 'abort')).toEqual([]);
  });

  test('after the end is a no-op', async () => {
    await using storage = await startStorage({ partSize: 100 });
    const task = upload(clientOf(storage), file, { collectionId });
    await task.done;
    await task.abort();
    expect(task.state.phase).toBe('done');
    expect(storage.aborted()).toBe(false);
  });
});

test('an upload that can not be initiated fails with its error', async () => {
  const task = upload(createClient({ baseUrl: 'http://127.0.0.1:1', maxRetries: 0 }), file, {
    collectionId,
  });
  const states: string[] = [];
  for await (const { phase } of task) states.push(phase);
  expect(states.at(-1)).toBe('failed');
  await expect(task.done).rejects.toMatchObject({ kind: 'network' });
});
