import { eq, inArray, sql } from 'drizzle-orm';
import type { Database } from '../../db/executor.ts';
import { storedObjects } from '../../db/generated/schema.ts';
import { isStoredObject, type StoredObjectKey } from '../../domain/stored-objects/queries.ts';

/** What the bytes of an object reveal. */
export interface Findings {
  /** SHA-256 in hexadecimal. */
  readonly checksum: string;
  readonly detectedType: string | null;
  readonly widthPixels: number | null;
  readonly heightPixels: number | null;
  readonly thumbnailKey: string | null;
}

/** Finds an object of any organization, and its copies in others, for a job of an earlier release. */
export function findEverywhere(db: Database, id: string): Promise<StoredObjectKey[]> {
  const keys = db
    .select({ key: storedObjects.key })
    .from(storedObjects)
    .where(eq(storedObjects.id, id));
  return db
    .select({ organizationId: storedObjects.organizationId, id: storedObjects.id })
    .from(storedObjects)
    .where(inArray(storedObjects.key, keys));
}

/**
 * Records findings. A cover that the uploader has set stays.
 *
 * @returns false if the object does not exist any more
 */
export async function noteFindings(
  db: Database,
  { organizationId, id }: StoredObjectKey,
  { thumbnailKey, ...findings }: Findings,
): Promise<boolean> {
  const rows = await db
    .update(storedObjects)
    .set({
      ...findings,
      thumbnailKey: sql`coalesce(${thumbnailKey}, ${storedObjects.thumbnailKey})`,
    })
    .where(isStoredObject({ organizationId, id }))
    .returning({ id: storedObjects.id });
  return rows.length > 0;
}
