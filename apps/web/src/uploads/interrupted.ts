import { noProgress, type UploadItem } from './upload-list.ts';

const key = 'atelier_uploads';

/** What is remembered of an upload beside the client's own note, to offer going on after a reload. */
type Remembered = Pick<
  UploadItem,
  'id' | 'name' | 'sizeBytes' | 'lastModified' | 'organizationId' | 'collectionId' | 'assetId'
>;

export function rememberUpload(item: Remembered): void {
  const { id, name, sizeBytes, lastModified, organizationId, collectionId, assetId } = item;
  const others = remembered().filter((other) => other.id !== id);
  write([...others, { id, name, sizeBytes, lastModified, organizationId, collectionId, assetId }]);
  holdLock(id);
}

export function unrememberUpload(id: string): void {
  write(remembered().filter((item) => item.id !== id));
  releases.get(id)?.();
}

/** Forgets them all, those of other tabs too. */
export function forgetInterrupted(): void {
  for (const { id } of remembered()) unrememberUpload(id);
}

/** Uploads of pages that are gone; those of other tabs are still theirs. */
export async function interruptedUploads(): Promise<readonly UploadItem[]> {
  const held = (await navigator.locks?.query())?.held ?? [];
  const names = new Set(held.map(({ name }) => name));
  return remembered()
    .filter(({ id }) => !names.has(lockName(id)))
    .map((item) => ({ ...item, phase: 'interrupted', progress: noProgress }));
}

const releases = new Map<string, () => void>();
const lockName = (id: string) => `atelier_upload ${id}`;

/** As long as this page lives it holds the lock, by which other tabs see that the upload has a page. */
function holdLock(id: string): void {
  if (releases.has(id)) return;
  const held = new Promise<void>((resolve) => releases.set(id, resolve));
  void navigator.locks?.request(lockName(id), () => held.finally(() => releases.delete(id)));
}

function remembered(): readonly Remembered[] {
  try {
    // Written by this module alone.
    return JSON.parse(localStorage.getItem(key) ?? '[]') as readonly Remembered[];
  } catch {
    return [];
  }
}

function write(items: readonly Remembered[]): void {
  try {
    localStorage.setItem(key, JSON.stringify(items));
  } catch {
    // Without storage there is no going on after a reload.
  }
}
