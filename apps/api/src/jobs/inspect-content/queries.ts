import { eq, sql } from 'drizzle-orm';
import type { Database } from '../../db/executor.ts';
import { storedObjects } from '../../db/generated/schema.ts';

export interface UnreadObject {
  readonly id: string;
  readonly key: string;
  readonly sizeBytes: number;
}

/** What the bytes of an object reveal. */
export interface Findings {
  /** SHA-256 in hexadecimal. */
  readonly checksum: string;
  readonly detectedType: string | null;
  readonly widthPixels: number | null;
  readonly heightPixels: number | null;
  readonly thumbnailKey: string | null;
}

/** @returns null if the object does not exist (any more); `checksum` null if it has not been read yet */
export async function findStoredObject(
  db: Database,
  id: string,
): Promise<(UnreadObject & Pick<typeof storedObjects.$inferSelect, 'checksum'>) | null> {
  const [row] = await db
    .select({
      id: storedObjects.id,
      key: storedObjects.key,
      sizeBytes: storedObjects.sizeBytes,
      checksum: storedObjects.checksum,
    })
    .from(storedObjects)
    .where(eq(storedObjects.id, id));
  return row ?? null;
}

/**
 * Records findings. A cover that the uploader has set stays.
 *
 * @returns false if the object does not exist any more
 */
export async function noteFindings(
  db: Database,
  id: string,
  { thumbnailKey, ...findings }: Findings,
): Promise<boolean> {
  const rows = await db
    .update(storedObjects)
    .set({
      ...findings,
      thumbnailKey: sql`coalesce(${thumbnailKey}, ${storedObjects.thumbnailKey})`,
    })
    .where(eq(storedObjects.id, id))
    .returning({ id: storedObjects.id });
  return rows.length > 0;
}
