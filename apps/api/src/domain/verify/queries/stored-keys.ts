import { and, eq, inArray, lte, or, sql } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import type { Database, Transaction } from '../../../db/executor.ts';
import {
  accountExports,
  avatarUploads,
  sharePictures,
  storedObjects,
  uploads,
  users,
} from '../../../db/generated/schema.ts';
import type { ObjectKind } from '../../stored-objects/kinds.ts';

/** The page size of the storage's listings. */
const batchRows = 1_000;

export interface ExpectedObject {
  readonly key: string;
  /** Null when the database doesn't know it. */
  readonly sizeBytes: number | null;
}

/** The columns that contain keys of objects, and whether there are the sizes of the objects beside them. */
const homes = {
  content: { table: storedObjects, key: storedObjects.key, isMeasured: true },
  thumbnail: { table: storedObjects, key: storedObjects.thumbnailKey, isMeasured: false },
  avatar: { table: users, key: users.avatarKey, isMeasured: false },
  export: { table: accountExports, key: accountExports.key, isMeasured: true },
  sharePicture: { table: sharePictures, key: sharePictures.key, isMeasured: false },
} satisfies Record<ObjectKind, { table: PgTable; key: PgColumn; isMeasured: boolean }>;

/** Selects the listed keys that the database refers to, with their known properties. */
export async function expectedAmong(
  db: Database,
  kind: ObjectKind,
  keys: readonly string[],
): Promise<ExpectedObject[]> {
  if (keys.length === 0) return [];
  const { table, key, isMeasured } = homes[kind];
  const sizeBytes = isMeasured ? sql<number>`size_bytes::float8` : sql<null>`null`;
  const rows = await db
    .select({ key, sizeBytes })
    .from(table)
    .where(inArray(key, [...keys]));
  return rows.flatMap((row) => (row.key === null ? [] : { ...row, key: row.key }));
}

/**
 * Lists every key that the database refers to when the first one is asked for, in the order of the storage's listings: by
 * their bytes.
 */
export async function* expectedKeys(
  tx: Transaction,
  kind: ObjectKind,
): AsyncGenerator<{ key: string }, void> {
  const { table, key } = homes[kind];
  const cursor = sql.identifier(`expected_${kind.toLowerCase()}`);
  // Most of the columns have no index in this order: a cursor sorts once.
  await tx.execute(
    sql`declare ${cursor} no scroll cursor for select distinct ${key} collate "C" as key from ${table} where ${key} is not null order by 1`,
  );
  for (;;) {
    const batch = await tx.execute<{ key: string }>(
      sql`fetch forward ${sql.raw(String(batchRows))} from ${cursor}`,
    );
    yield* batch;
    if (batch.length < batchRows) return;
  }
}

/** Whether the database currently refers to a key. */
export async function isExpected(db: Database, kind: ObjectKind, key: string): Promise<boolean> {
  return (await expectedAmong(db, kind, [key])).length > 0;
}

/**
 * Selects keys of unused pictures that a job still handles: an upload's own keys for
 * as long as it may take, and those that a job is to delete.
 */
export async function avatarsInHand(db: Database, keys: readonly string[]): Promise<string[]> {
  if (keys.length === 0) return [];
  const uploading = await db
    .select({ key: avatarUploads.key, avatarKey: avatarUploads.avatarKey })
    .from(avatarUploads)
    .where(
      or(
        inArray(avatarUploads.key, [...keys]),
        and(
          inArray(avatarUploads.avatarKey, [...keys]),
          inArray(avatarUploads.status, ['STARTED', 'REFUSED']),
        ),
      ),
    );
  const deleting = await db.execute<{ key: string }>(sql`
    select stored.payload ->> 'key' as key
    from graphile_worker._private_jobs as stored
    join graphile_worker.jobs as jobs on jobs.id = stored.id
    where jobs.task_identifier = 'delete_object' and stored.payload ->> 'key' in ${[...keys]}`);
  return [
    ...uploading.flatMap(({ key, avatarKey }) => [key, avatarKey]),
    ...deleting.map(({ key }) => key),
  ];
}

/** Selects expired uploads, which the janitor ends. */
export async function countExpiredUploads(db: Database): Promise<number> {
  return db.$count(uploads, and(eq(uploads.status, 'ACTIVE'), lte(uploads.expiresAt, sql`now()`)));
}
