import { noProgress, type StartedUpload, type UploadItem } from './upload-list.ts';

/** Record of an upload, beside the client's own, to offer resuming it after a reload. */
type UploadRecord = Pick<
  UploadItem,
  | 'id'
  | 'name'
  | 'sizeBytes'
  | 'lastModified'
  | 'organizationId'
  | 'collectionId'
  | 'assetId'
  | 'taskId'
  | 'decision'
  | 'started'
>;

/** Saves the records of uploads, also of those that wait: a reload loses their files. */
export function saveUploadRecords(items: readonly UploadRecord[]): void {
  for (const item of items) {
    if (!uploadRecord(keyOf(item.id))) write(recordOf(item));
    holdLock(item.id);
  }
}

function recordOf(item: UploadRecord): UploadRecord {
  const { id, name, sizeBytes, lastModified } = item;
  const { organizationId, collectionId, assetId, taskId, decision } = item;
  const target = { organizationId, collectionId, assetId, taskId, decision };
  return { id, name, sizeBytes, lastModified, ...target };
}

/** Adds what the service knows an upload by to its record. */
export function noteStarted(id: string, { uploadId, key: objectKey }: StartedUpload): void {
  const record = uploadRecord(keyOf(id));
  if (record) write({ ...record, started: { uploadId, key: objectKey } });
}

/** Tells whether an upload of the service has a record, also as that of another tab. */
export function hasUploadRecord({ uploadId }: StartedUpload): boolean {
  return uploadRecords().some(({ started }) => started?.uploadId === uploadId);
}

export function forgetUploadRecord(id: string): void {
  forget(keyOf(id));
}

/** Deletes all records, including those of other tabs. */
export function forgetAllUploadRecords(): void {
  for (const key of keys()) forget(key);
}

/** Returns the uploads of closed pages, by name; uploads of other open tabs are left to them. */
export async function interruptedUploads(): Promise<readonly UploadItem[]> {
  const held = (await navigator.locks?.query())?.held ?? [];
  const names = new Set(held.map(({ name }) => name));
  return (
    uploadRecords()
      .filter(({ id }) => !names.has(keyOf(id)))
      // The storage keeps no order.
      .toSorted((one, other) => byName.compare(one.name, other.name))
      .map((item) => ({ ...item, phase: 'interrupted', progress: noProgress }))
  );
}

const byName = new Intl.Collator(undefined, { numeric: true });

/** By the keys of their records, which are the names of their locks. */
const releases = new Map<string, () => void>();

/** Holds a lock while this page is open, so that other tabs know that the upload is not interrupted. */
function holdLock(id: string): void {
  const key = keyOf(id);
  if (releases.has(key)) return;
  const held = new Promise<void>((resolve) => releases.set(key, resolve));
  void navigator.locks?.request(key, () => held.finally(() => releases.delete(key)));
}

/** Each upload has a record of its own: with one for all of them, each change would write all of them. */
const prefix = 'atelier_upload ';
const keyOf = (id: string) => prefix + id;

function keys(): readonly string[] {
  try {
    return Object.keys(localStorage).filter((key) => key.startsWith(prefix));
  } catch {
    return [];
  }
}

function uploadRecords(): readonly UploadRecord[] {
  return keys().flatMap((key) => uploadRecord(key) ?? []);
}

function uploadRecord(key: string): UploadRecord | undefined {
  try {
    const text = localStorage.getItem(key);
    // Only this module writes it.
    return text === null ? undefined : (JSON.parse(text) as UploadRecord);
  } catch {
    return undefined;
  }
}

function write(record: UploadRecord): void {
  try {
    localStorage.setItem(keyOf(record.id), JSON.stringify(record));
  } catch {
    // Without storage, uploads can't be resumed after a reload.
  }
}

function forget(key: string): void {
  try {
    localStorage.removeItem(key);
  } catch {
    // Without storage, nothing was stored.
  }
  releases.get(key)?.();
}
