import { and, asc, eq, gt, inArray, lte, sql, type SQL } from 'drizzle-orm';
import type { Database, Executor } from '../../db/executor.ts';
import {
  accountExports,
  sharePictures,
  storedObjects,
  uploads,
} from '../../db/generated/schema.ts';
import { uploadColumns, type UploadRow } from '../save-upload/queries.ts';
import type { ObjectKind } from '../stored-objects/kinds.ts';

const expiredUploadsOfBatch = 200;
/** The page size of the storage's listings. */
const storedObjectsOfBatch = 1_000;

/** Lists expired uploads of all organizations, the oldest expiry first, in batches. */
export async function* expiredUploads(db: Database, now: Date): AsyncGenerator<UploadRow> {
  let last: UploadRow | undefined;
  for (;;) {
    const batch: UploadRow[] = await db
      .select(uploadColumns)
      .from(uploads)
      .where(
        and(
          eq(uploads.status, 'ACTIVE'),
          lte(uploads.expiresAt, now),
          last &&
            sql`(${uploads.expiresAt}, ${uploads.id}) > (${last.expiresAt.toISOString()}::timestamptz, ${last.id}::uuid)`,
        ),
      )
      .orderBy(asc(uploads.expiresAt), asc(uploads.id))
      .limit(expiredUploadsOfBatch);
    yield* batch;
    last = batch.at(-1);
    if (batch.length < expiredUploadsOfBatch) return;
  }
}

/** Selects multipart uploads of the storage without an active upload in the database. */
export async function withoutUpload<Listed extends { storageUploadId: string }>(
  db: Database,
  listed: readonly Listed[],
): Promise<Listed[]> {
  if (listed.length === 0) return [];
  const ids = listed.map(({ storageUploadId }) => storageUploadId);
  const rows = await db
    .select({ storageUploadId: uploads.storageUploadId })
    .from(uploads)
    .where(and(eq(uploads.status, 'ACTIVE'), inArray(uploads.storageUploadId, ids)));
  const known = new Set(rows.map(({ storageUploadId }) => storageUploadId));
  return listed.filter(({ storageUploadId }) => !known.has(storageUploadId));
}

/** The statements for the keys of a list that the database refers to. Pictures of people have jobs of their own. */
const references = {
  // With their organizations, each server reads both tables with one snapshot.
  content: (keys) => sql`select referring.key from (
        select ${storedObjects.organizationId}, ${storedObjects.key} from ${storedObjects}
        where ${storedObjects.key} in ${keys}
        union all
        select ${uploads.organizationId}, ${uploads.key} from ${uploads}
        where ${uploads.key} in ${keys} and ${uploads.status} = 'ACTIVE') as referring`,
  thumbnail: (keys) => sql`select ${storedObjects.thumbnailKey} from ${storedObjects}
        where ${storedObjects.thumbnailKey} in ${keys}`,
  export: (
    keys,
  ) => sql`select ${accountExports.key} from ${accountExports} where ${accountExports.key} in ${keys}
        union all
        select ${accountExports.attemptKey} from ${accountExports} where ${accountExports.attemptKey} in ${keys}`,
  sharePicture: (keys) =>
    sql`select ${sharePictures.key} from ${sharePictures} where ${sharePictures.key} in ${keys}`,
} satisfies Record<Exclude<ObjectKind, 'avatar'>, (keys: readonly string[]) => SQL>;

/** The kinds of objects that the janitor removes once they are unreferenced. */
export type SweptKind = keyof typeof references;

// The keys of the record.
export const sweptKinds = Object.keys(references) as readonly SweptKind[];

/**
 * Selects keys that nothing refers to, not even an upload or export under way. Contents stay unreferenced: an ended upload
 * never restarts, and each has its own key.
 */
export async function unreferenced(
  db: Executor,
  kind: SweptKind,
  keys: readonly string[],
): Promise<string[]> {
  if (keys.length === 0) return [];
  // One statement has one snapshot: an upload is active, or its object stored.
  const rows = await db.execute<Record<string, string>>(references[kind](keys));
  const known = new Set(rows.flatMap((row) => Object.values(row)));
  return keys.filter((key) => !known.has(key));
}

export interface StoredKey {
  readonly id: string;
  readonly key: string;
}

/** Lists stored objects by the bytes of their keys. One of several organizations is listed once. */
export async function* storedKeys(db: Database): AsyncGenerator<StoredKey, void> {
  let after = '';
  for (;;) {
    const batch: StoredKey[] = await db
      .select({ id: storedObjects.id, key: storedObjects.key })
      .from(storedObjects)
      .where(gt(storedObjects.key, after))
      .orderBy(asc(storedObjects.key))
      .limit(storedObjectsOfBatch);
    // The same keys are neighbors.
    yield* batch.filter(({ key }, index) => key !== batch[index - 1]?.key);
    const last = batch.at(-1);
    if (!last || batch.length < storedObjectsOfBatch) return;
    after = last.key;
  }
}

/** Whether any organization has the object. */
export async function isStored(db: Database, key: string): Promise<boolean> {
  const [row] = await db
    .select({ id: storedObjects.id })
    .from(storedObjects)
    .where(eq(storedObjects.key, key))
    .limit(1);
  return row !== undefined;
}
