import { and, asc, eq, gt, inArray, lte, sql, type SQL } from 'drizzle-orm';
import type { Database, Executor } from '../../db/executor.ts';
import {
  accountExports,
  sharePictures,
  storedObjects,
  uploads,
} from '../../db/generated/schema.ts';
import { uploadColumns, type UploadRow } from '../save-upload/queries.ts';

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

/**
 * Selects keys of uploaded objects without a reference: no stored object, and no upload that can
 * still become one. They stay unreferenced: an ended upload never restarts, and each has its own key.
 */
export function unreferencedContents(db: Executor, keys: readonly string[]): Promise<string[]> {
  return unreferenced(
    db,
    keys,
    // With their organizations, each server reads both tables with one snapshot.
    (list) => sql`select referring.key from (
        select ${storedObjects.organizationId}, ${storedObjects.key} from ${storedObjects}
        where ${storedObjects.key} in ${list}
        union all
        select ${uploads.organizationId}, ${uploads.key} from ${uploads}
        where ${uploads.key} in ${list} and ${uploads.status} = 'ACTIVE') as referring`,
  );
}

/** Selects keys of thumbnails that no stored object refers to. */
export function unreferencedThumbnails(db: Executor, keys: readonly string[]): Promise<string[]> {
  return unreferenced(
    db,
    keys,
    (list) => sql`select ${storedObjects.thumbnailKey} from ${storedObjects}
        where ${storedObjects.thumbnailKey} in ${list}`,
  );
}

/** Selects keys of exports that no account has, or is to get. */
export function unreferencedExports(db: Database, keys: readonly string[]): Promise<string[]> {
  return unreferenced(
    db,
    keys,
    (
      list,
    ) => sql`select ${accountExports.key} from ${accountExports} where ${accountExports.key} in ${list}
        union all
        select ${accountExports.attemptKey} from ${accountExports} where ${accountExports.attemptKey} in ${list}`,
  );
}

/** Selects keys of pictures for visitors of shares that no organization has. */
export function unreferencedSharePictures(
  db: Database,
  keys: readonly string[],
): Promise<string[]> {
  return unreferenced(
    db,
    keys,
    (list) =>
      sql`select ${sharePictures.key} from ${sharePictures} where ${sharePictures.key} in ${list}`,
  );
}

/** @param references - selects the keys of a list that are referred to, as `key` */
async function unreferenced(
  db: Executor,
  keys: readonly string[],
  references: (list: readonly string[]) => SQL,
): Promise<string[]> {
  if (keys.length === 0) return [];
  // One statement has one snapshot: an upload is active, or its object stored.
  const rows = await db.execute<Record<string, string>>(references(keys));
  const known = new Set(rows.flatMap((row) => Object.values(row)));
  return keys.filter((key) => !known.has(key));
}

export interface StoredKey {
  readonly id: string;
  readonly key: string;
}

/**
 * Lists stored objects by the bytes of their keys, in batches. One of several organizations is listed once.
 *
 * @param span - the keys after one and up to another; null: to the end
 */
export async function* storedKeys(
  db: Database,
  span: { readonly after: string; readonly upTo: string | null },
): AsyncGenerator<StoredKey[]> {
  let { after } = span;
  for (;;) {
    const batch = await db
      .select({ id: storedObjects.id, key: storedObjects.key })
      .from(storedObjects)
      .where(
        and(
          gt(storedObjects.key, after),
          span.upTo === null ? undefined : lte(storedObjects.key, span.upTo),
        ),
      )
      .orderBy(asc(storedObjects.key))
      .limit(storedObjectsOfBatch);
    // The same keys are neighbors.
    yield batch.filter(({ key }, index) => key !== batch[index - 1]?.key);
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
