import { afterAll, beforeEach, expect, test, vi } from 'vitest';
import {
  forgetAllUploadRecords,
  forgetUploadRecord,
  hasUploadRecord,
  interruptedUploads,
  noteStarted,
  saveUploadRecords,
} from './interrupted.ts';

/** Characters that were written or read. */
let moved = 0;

/** As in browsers, the keys are properties. */
function newStorage(): Record<string, string> {
  const storage: Record<string, string> = {};
  const methods = {
    getItem(key: string) {
      moved += storage[key]?.length ?? 0;
      return storage[key] ?? null;
    },
    setItem(key: string, value: string) {
      moved += value.length;
      storage[key] = value;
    },
    removeItem: (key: string) => delete storage[key],
  };
  for (const [name, value] of Object.entries(methods)) {
    Object.defineProperty(storage, name, { value });
  }
  return storage;
}

beforeEach(() => {
  moved = 0;
  vi.stubGlobal('localStorage', newStorage());
  // As after a reload, which ends the locks.
  vi.stubGlobal('navigator', {});
});
afterAll(() => void vi.unstubAllGlobals());

function record(number: number) {
  const id = `${1_000_000 + number}`;
  const target = { organizationId: null, collectionId: 'desk' };
  return { ...target, id, name: `${number}.txt`, sizeBytes: 3, lastModified: 1 };
}

const records = (count: number) => Array.from({ length: count }, (_, at) => record(at + 1));
const startedAs = (id: string) => ({ uploadId: `upload-${id}`, key: `key-${id}` });

test('the work of an upload doesn’t grow with the number of those that wait', () => {
  function movedPerUpload(count: number): number {
    const before = moved;
    const all = records(count);
    saveUploadRecords(all);
    for (const { id } of all) {
      noteStarted(id, startedAs(id));
      forgetUploadRecord(id);
    }
    return (moved - before) / count;
  }
  const few = movedPerUpload(10);
  expect(few).toBeGreaterThan(0);
  expect(movedPerUpload(1000)).toBeLessThan(2 * few);
});

test('what is not finished is found after a reload, in the order of the names', async () => {
  saveUploadRecords(records(12).toReversed());
  forgetUploadRecord(record(3).id);
  noteStarted(record(2).id, startedAs('2'));
  // An upload that is no longer listed isn't noted again.
  noteStarted(record(3).id, startedAs('3'));
  const found = await interruptedUploads();
  expect(found.map(({ name }) => name)).toEqual(
    [1, 2, 4, 5, 6, 7, 8, 9, 10, 11, 12].map((number) => `${number}.txt`),
  );
  expect(found[1]).toMatchObject({ phase: 'interrupted', started: startedAs('2') });
  expect([hasUploadRecord(startedAs('2')), hasUploadRecord(startedAs('3'))]).toEqual([true, false]);
});

test('a file that is chosen again keeps what its upload has stored', async () => {
  saveUploadRecords([record(1)]);
  noteStarted(record(1).id, startedAs('1'));
  saveUploadRecords([record(1)]);
  expect(await interruptedUploads()).toMatchObject([{ started: startedAs('1') }]);
});

test('nothing is left for the next user, and other keys stay', async () => {
  saveUploadRecords(records(3));
  localStorage.setItem('svc_token', 'x.y.z');
  forgetAllUploadRecords();
  expect(Object.keys(localStorage)).toEqual(['svc_token']);
  expect(await interruptedUploads()).toEqual([]);
});
