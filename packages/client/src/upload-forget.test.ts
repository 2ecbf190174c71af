import { afterEach, expect, test, vi } from 'vitest';
import { createClient } from './index.ts';
import { forgetLocalUploads, localStorageUploads, uploadsIn } from './resume.ts';
import { gate, type Service } from './testing/service.ts';
import { startStorage } from './testing/storage-service.ts';
import { upload } from './upload.ts';

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const collectionId = '019aa4f1-0a2b-7c3d-8e4f-5a6b7c8d9e0f';
const bytes = new Uint8Array(1050);
const file = new File([bytes], 'numbers.bin', { lastModified: 1_700_000_000_000 });
const clientOf = ({ url }: Service) => createClient({ baseUrl: url, maxRetries: 0 });

test('an upload that was aborted is forgotten', async () => {
  const never = gate();
  await using storage = await startStorage({
    partSize: 100,
    beforePart: () => never.opened.then(() => undefined),
  });
  const store = new Map<string, string>();
  const resume = { store: uploadsIn(store) };
  const task = upload(clientOf(storage), file, { collectionId, resume });
  await vi.waitFor(() => expect(storage.attempts).toHaveLength(4));
  expect(store.size).toBe(1);
  await task.abort();
  expect(store.size).toBe(0);
  expect(storage.aborted()).toBe(true);
});

test('an upload that failed and is aborted afterwards is discarded and forgotten', async () => {
  await using storage = await startStorage({
    partSize: 5000,
    beforePart: () => ({ status: 400 }),
  });
  const store = new Map<string, string>();
  const task = upload(clientOf(storage), file, {
    collectionId,
    resume: { store: uploadsIn(store) },
  });
  await expect(task.done).rejects.toThrow('400');
  expect([store.size, storage.aborted()]).toEqual([1, false]);
  await task.abort();
  expect([store.size, storage.aborted()]).toEqual([0, true]);
  expect(task.state.phase).toBe('failed');
  // It is over: once is enough.
  const { length } = storage.requests;
  await task.abort();
  expect(storage.requests).toHaveLength(length);
});

test('an upload that failed and was resumed by another one is no longer discarded', async () => {
  const held = gate();
  await using storage = await startStorage({
    partSize: 5000,
    beforePart: (_part, attempt) =>
      attempt === 1 ? { status: 400 } : held.opened.then(() => ({ status: 400 })),
  });
  const store = new Map<string, string>();
  const options = { collectionId, resume: { store: uploadsIn(store) } };
  const open = () => upload(clientOf(storage), file, options);
  const failed = open();
  await expect(failed.done).rejects.toThrow('400');
  const resuming = open();
  await vi.waitFor(() => expect(storage.attempts).toEqual([1, 1]));
  await failed.abort();
  expect([store.size, storage.aborted()]).toEqual([1, false]);

  held.open();
  await expect(resuming.done).rejects.toThrow('400');
  await resuming.abort();
  expect([store.size, storage.aborted()]).toEqual([0, true]);
});

test('an upload that is aborted while its file is compared reads no other part, and is discarded', async () => {
  await using storage = await startStorage({
    partSize: 100,
    beforePart: (part) => (part === 7 ? { status: 400 } : undefined),
  });
  const store = new Map<string, string>();
  const options = { collectionId, concurrency: 1, resume: { store: uploadsIn(store) } };
  await expect(upload(clientOf(storage), file, options).done).rejects.toThrow('400');
  const slices = vi.spyOn(file, 'slice').mockImplementation((start, end) => {
    void task.abort();
    return new Blob([bytes.slice(start, end)]);
  });
  const task = upload(clientOf(storage), file, options);
  await expect(task.done).rejects.toMatchObject({ name: 'AbortError' });
  await task.abort();
  expect([storage.aborted(), store.size, storage.attempts.length]).toEqual([true, 0, 7]);
  expect(slices.mock.calls).toEqual([[0, 100]]);
});

test('those in local storage can be forgotten, and nothing else is', async () => {
  await using storage = await startStorage({
    partSize: 5000,
    beforePart: () => ({ status: 400 }),
  });
  const removeItem = (key: string) => void Reflect.deleteProperty(kept, key);
  const setItem = (key: string, value: string) => void Reflect.set(kept, key, value);
  const getItem = (key: string) => kept[key] ?? null;
  const kept: Record<string, unknown> = { theme: 'dark', getItem, setItem, removeItem };
  vi.stubGlobal('localStorage', kept);
  const resume = { store: localStorageUploads() };
  const task = upload(clientOf(storage), file, { collectionId, resume });
  await expect(task.done).rejects.toThrow('400');
  const others = ['theme', 'getItem', 'setItem', 'removeItem'];
  expect(Object.keys(kept)).toEqual([...others, expect.stringContaining(file.name)]);
  forgetLocalUploads();
  expect(Object.keys(kept)).toEqual(others);
});

test('one in local storage can be forgotten, and the others stay', () => {
  const kept: Record<string, unknown> = {
    'svc_upload/one': '{"uploadId":"1"}',
    'svc_upload/two': '{"uploadId":"2"}',
    other: '{"uploadId":"1"}',
    getItem: (key: string) => kept[key],
    removeItem: (key: string) => void Reflect.deleteProperty(kept, key),
  };
  vi.stubGlobal('localStorage', kept);
  forgetLocalUploads('1');
  expect(Object.keys(kept)).toEqual(['svc_upload/two', 'other', 'getItem', 'removeItem']);
});

test('forgetting is no error where local storage is disabled or missing', () => {
  vi.stubGlobal('localStorage', undefined);
  expect(() => forgetLocalUploads()).not.toThrow();
});
