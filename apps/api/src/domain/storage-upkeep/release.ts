import type { Database, Transaction } from '../../db/executor.ts';
import type { ObjectStore } from '../../ports/object-store.ts';
import { lockObject } from '../stored-objects/queries.ts';
import { unreferenced } from './queries.ts';

/**
 * Removes an object and its thumbnail from the storage, as far as no organization has them any more. What is unreferenced
 * under the lock stays so: only what an organization has is given to another, under the same lock.
 *
 * @throws Failure `storage_unavailable` (503)
 * @see docs/decisions/0108-objects-by-organization.md
 */
export async function releaseObject(
  { db, store }: { db: Database; store: ObjectStore },
  { key, thumbnailKey }: { key: string; thumbnailKey: string | null },
): Promise<void> {
  const unused = await db.transaction(async (tx) => {
    await lockObject(tx, key, 'exclusive');
    return [
      ...(await unreferenced(tx, 'content', [key])),
      ...(thumbnailKey === null ? [] : await releasedThumbnails(tx, thumbnailKey)),
    ];
  });
  for (const unusedKey of unused) await store.deleteObject(unusedKey);
}

/** Does the same for a thumbnail whose object isn't known. */
export async function releaseThumbnail(
  { db, store }: { db: Database; store: ObjectStore },
  thumbnailKey: string,
): Promise<void> {
  const unused = await db.transaction((tx) => releasedThumbnails(tx, thumbnailKey));
  for (const unusedKey of unused) await store.deleteObject(unusedKey);
}

async function releasedThumbnails(tx: Transaction, thumbnailKey: string): Promise<string[]> {
  await lockObject(tx, thumbnailKey, 'exclusive');
  return unreferenced(tx, 'thumbnail', [thumbnailKey]);
}
