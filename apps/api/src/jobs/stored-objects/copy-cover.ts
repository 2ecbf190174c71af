import type { Database } from '../../db/executor.ts';
import {
  findStoredObject,
  lockObject,
  setThumbnailKey,
  type StoredObjectKey,
} from '../../domain/stored-objects/queries.ts';
import { findUncovered } from './queries.ts';

/**
 * Sets the cover of a stored object where it was published to, unless there is one. Each organization has a transaction
 * of its own: they may be on different servers.
 */
export async function copyCover(db: Database, source: StoredObjectKey): Promise<void> {
  const covered = await findStoredObject(db, source);
  if (!covered?.thumbnailKey) return;
  const { key, thumbnailKey } = covered;
  for (const copy of await findUncovered(db, key)) {
    await db.transaction(async (tx) => {
      // Until the end, so that the picture isn't deleted with the source.
      await lockObject(tx, key, 'shared');
      await lockObject(tx, thumbnailKey, 'shared');
      if (await findStoredObject(tx, source)) await setThumbnailKey(tx, copy, thumbnailKey);
    });
  }
}
