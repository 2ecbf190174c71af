import { checksumOf } from './checksum.ts';
import type { DescribedUpload, ResumeStore, UploadMemory } from './upload-resume.ts';

export type {
  DescribedUpload,
  Resume,
  ResumeStore,
  Started,
  UploadMemory,
} from './upload-resume.ts';

/**
 * Keeps texts by a key, such as a `Map`. Its errors are ignored: an upload that can't be remembered continues.
 */
export interface KeyValueStore {
  get(key: string): string | null | undefined | Promise<string | null | undefined>;
  set(key: string, value: string): unknown;
  delete(key: string): unknown;
}

/** Remembers uploads in memory. */
export function memoryUploads(): ResumeStore {
  return uploadsIn(new Map());
}

/** Remembers uploads in the browser's local storage. */
export function localStorageUploads(): ResumeStore {
  return uploadsIn(inLocalStorage);
}

/** One object, so that all uploads of a page know each other. */
const inLocalStorage: KeyValueStore = {
  get: (key) => localStorage.getItem(key),
  set: (key, value) => localStorage.setItem(key, value),
  delete: (key) => localStorage.removeItem(key),
};

/**
 * Forgets what {@link localStorageUploads} remembers without a `key` of yours, which includes the names of files: for the end of
 * a session, after its uploads.
 *
 * @param uploadId - forgets this one only, such as one that is aborted without its file
 */
export function forgetLocalUploads(uploadId = ''): void {
  try {
    for (const key of Object.keys(localStorage)) {
      const isMeant = key.startsWith(keyPrefix) && localStorage.getItem(key)?.includes(uploadId);
      if (isMeant) localStorage.removeItem(key);
    }
  } catch {
    // Where it is disabled or missing, nothing was remembered.
  }
}

/** Remembers uploads in a store of your own. */
export function uploadsIn(store: KeyValueStore): ResumeStore {
  return { open: (upload) => memoryOf(store, upload) };
}

const keyPrefix = 'svc_upload/';

/** An upload as the store keeps it. */
interface Entry {
  readonly target: string;
  readonly uploadId: string;
  readonly key: string;
  readonly partSize: number;
  /** By part number. */
  readonly checksums: Record<string, string>;
}

type UploadProgress = DescribedUpload['progress'];

/** The progress of the latest upload of each key that a store remembers. */
const latest = new WeakMap<KeyValueStore, Map<string, UploadProgress>>();

function memoryOf(
  store: KeyValueStore,
  { file, identity, key, progress, signal }: DescribedUpload,
): UploadMemory {
  const target = JSON.stringify(identity);
  const storeKey = key ?? keyPrefix + target;
  const uploads = latest.get(store) ?? new Map<string, UploadProgress>();
  latest.set(store, uploads);
  const phase = uploads.get(storeKey)?.state().phase ?? 'done';
  // Another one of this page.
  if (!/done|failed|aborted/.test(phase)) return inert;
  uploads.set(storeKey, progress);
  let entry: Entry | undefined;
  let kept = store;

  async function attempt<T>(task: () => T | Promise<T>): Promise<T | undefined> {
    try {
      return await task();
    } catch {
      return undefined;
    }
  }

  async function write(next: Entry): Promise<void> {
    entry = next;
    await attempt(() => kept.set(storeKey, JSON.stringify(next)));
  }

  /**
   * Tells whether each part that was sent has the content that the file still has. What is aborted needs no check: it is
   * discarded.
   */
  async function isUnchanged({ checksums, partSize }: Entry): Promise<boolean> {
    for (const [number, checksum] of Object.entries(checksums)) {
      if (signal.aborted) break;
      const end = Number(number) * partSize;
      if ((await checksumOf(file.slice(end - partSize, end))) !== checksum) return false;
    }
    return true;
  }

  return {
    async recall(read) {
      // Both would complete, or abort, the same upload.
      const isElsewhere =
        store === inLocalStorage && (await attempt(() => isHeldElsewhere(storeKey, progress)));
      if (isElsewhere) kept = new Map();
      const known = await attempt(async () => parse(await kept.get(storeKey)));
      if (known?.target !== target) return null;
      const result = await read(known.uploadId).result();
      const { code = '' } = result.ok ? {} : result.error;
      if (/not_|validation/.test(code)) return null;
      // Its response was lost.
      const isCompleted = code === 'upload_already_completed';
      if (!result.ok && !isCompleted) throw result.error;
      const { checksums, partSize } = known;
      const isKnown = result.ok
        ? result.data.uploadedParts.every(({ partNumber }) => partNumber in checksums)
        : Object.keys(checksums).length * partSize >= file.size;
      if (!isKnown || !(await isUnchanged(known))) return null;
      entry = known;
      if (result.ok) return result.data;
      // Completing it again returns the asset, with any parts.
      const uploadedParts = [{ partNumber: 1, eTag: 'stored', size: file.size }];
      return { ...known, parts: [], uploadedParts, expiresAt: '' };
    },
    begin: ({ uploadId, key: objectKey, partSize }) =>
      write({ target, uploadId, key: objectKey, partSize, checksums: {} }),
    async note(partNumber, part) {
      const checksum = await checksumOf(part);
      if (!entry || entry.checksums[partNumber] === checksum) return;
      await write({ ...entry, checksums: { ...entry.checksums, [partNumber]: checksum } });
    },
    async forget() {
      if ((uploads.get(storeKey) ?? progress) !== progress) return true;
      uploads.delete(storeKey);
      await attempt(() => kept.delete(storeKey));
      return false;
    },
  };
}

/** What resolves when this page has released a lock, by its name. */
const releases = new Map<string, Promise<unknown>>();

/**
 * Takes a Web Lock until the upload ends, unless another tab holds it.
 *
 * @returns whether another tab holds it
 * @throws if there are no Web Locks
 */
async function isHeldElsewhere(name: string, { states }: UploadProgress): Promise<boolean> {
  // An upload of this page ends a little earlier than its lock.
  await releases.get(name);
  return new Promise((resolve, reject) => {
    const released = navigator.locks
      .request(name, { ifAvailable: true }, async (lock) => {
        resolve(!lock);
        for await (const _ of lock ? states() : []);
      })
      .then(() => releases.delete(name), reject);
    releases.set(name, released);
  });
}

/** The memory of an upload that is not remembered. */
const inert: UploadMemory = {
  recall: async () => null,
  async begin() {},
  async note() {},
  async forget() {},
};

/** Returns null for a text that this version has not written. */
function parse(text: string | null | undefined): Entry | null {
  const entry = JSON.parse(text ?? 'null') as Partial<Entry> | null;
  return entry?.checksums ? (entry as Entry) : null;
}
