import { noProgress, type StartedUpload, type UploadItem } from './upload-list.ts';

const key = 'atelier_uploads';

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
  const records = uploadRecords();
  const saved = new Set(records.map(({ id }) => id));
  write([...records, ...items.filter(({ id }) => !saved.has(id)).map(recordOf)]);
  for (const { id } of items) holdLock(id);
}

function recordOf(item: UploadRecord): UploadRecord {
  const { id, name, sizeBytes, lastModified } = item;
  const { organizationId, collectionId, assetId, taskId, decision } = item;
  const target = { organizationId, collectionId, assetId, taskId, decision };
  return { id, name, sizeBytes, lastModified, ...target };
}

/** Adds what the service knows an upload by to its record. */
export function noteStarted(id: string, { uploadId, key: objectKey }: StartedUpload): void {
  const started = { uploadId, key: objectKey };
  write(uploadRecords().map((record) => (record.id === id ? { ...record, started } : record)));
}

/** Tells whether an upload of the service has a record, also as that of another tab. */
export function hasUploadRecord({ uploadId }: StartedUpload): boolean {
  return uploadRecords().some(({ started }) => started?.uploadId === uploadId);
}

export function forgetUploadRecord(id: string): void {
  write(uploadRecords().filter((item) => item.id !== id));
  releases.get(id)?.();
}

/** Deletes all records, including those of other tabs. */
export function forgetAllUploadRecords(): void {
  const records = uploadRecords();
  write([]);
  for (const { id } of records) releases.get(id)?.();
}

/** Returns the uploads of closed pages; uploads of other open tabs are left to them. */
export async function interruptedUploads(): Promise<readonly UploadItem[]> {
  const held = (await navigator.locks?.query())?.held ?? [];
  const names = new Set(held.map(({ name }) => name));
  return uploadRecords()
    .filter(({ id }) => !names.has(lockName(id)))
    .map((item) => ({ ...item, phase: 'interrupted', progress: noProgress }));
}

const releases = new Map<string, () => void>();
const lockName = (id: string) => `atelier_upload ${id}`;

/** Holds a lock while this page is open, so that other tabs know that the upload is not interrupted. */
function holdLock(id: string): void {
  if (releases.has(id)) return;
  const held = new Promise<void>((resolve) => releases.set(id, resolve));
  void navigator.locks?.request(lockName(id), () => held.finally(() => releases.delete(id)));
}

function uploadRecords(): readonly UploadRecord[] {
  try {
    // Only this module writes it.
    return JSON.parse(localStorage.getItem(key) ?? '[]') as readonly UploadRecord[];
  } catch {
    return [];
  }
}

function write(items: readonly UploadRecord[]): void {
  try {
    localStorage.setItem(key, JSON.stringify(items));
  } catch {
    // Without storage, uploads can't be resumed after a reload.
  }
}
