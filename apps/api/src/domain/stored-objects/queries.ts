import {
  and,
  eq,
  getTableColumns,
  inArray,
  isNull,
  notExists,
  sql,
  type SQL,
  type SQLWrapper,
} from 'drizzle-orm';
import type { Executor, Transaction } from '../../db/executor.ts';
import { assetVersions, storedObjects } from '../../db/generated/schema.ts';
import { newId } from '../../kernel/ids.ts';
import { changeUsage } from '../storage-usage/queries.ts';

export interface StoredObjectKey {
  readonly organizationId: string;
  readonly id: string;
}

export type StoredObjectRow = typeof storedObjects.$inferSelect;

const lockFunctions = {
  /** By what gives the object to another organization. */
  shared: sql.raw('pg_advisory_xact_lock_shared'),
  /** By what looks whether any organization still has it. */
  exclusive: sql.raw('pg_advisory_xact_lock'),
};

/**
 * Locks what organizations share of an object until the transaction ends. The locks of rows aren't enough: several
 * servers end a transaction one after the other.
 *
 * @param key - storage key of the object, or of its thumbnail, which is locked after it
 */
export async function lockObject(
  tx: Transaction,
  key: string,
  mode: keyof typeof lockFunctions,
): Promise<void> {
  await tx.execute(sql`select ${lockFunctions[mode]}(hashtextextended('object ' || ${key}, 0))`);
}

/** The condition of one row. @param id - itself, or the column that refers to it */
export function isStoredObject({
  organizationId,
  id,
}: Record<keyof StoredObjectKey, string | SQLWrapper>): SQL | undefined {
  return and(eq(storedObjects.organizationId, organizationId), eq(storedObjects.id, id));
}

export async function findStoredObject(
  db: Executor,
  object: StoredObjectKey,
): Promise<StoredObjectRow | null> {
  const [row] = await db
    .select(getTableColumns(storedObjects))
    .from(storedObjects)
    .where(isStoredObject(object));
  return row ?? null;
}

/** Sets the key of a thumbnail, unless there is one. */
export async function setThumbnailKey(
  tx: Transaction,
  object: StoredObjectKey,
  thumbnailKey: string,
): Promise<void> {
  await tx
    .update(storedObjects)
    .set({ thumbnailKey })
    .where(and(isStoredObject(object), isNull(storedObjects.thumbnailKey)));
}

/**
 * Gives an organization an object that another has, and counts it. Call it with the asset of the other and the usage of the
 * organization locked, before the version is inserted.
 *
 * @param source - what the other organization has
 * @returns what the organization has, and the added bytes: none when it had the object already
 */
export async function takeObject(
  tx: Transaction,
  { organizationId, source }: { organizationId: string; source: StoredObjectKey & { key: string } },
): Promise<{ object: StoredObjectRow; addedBytes: number }> {
  const [, found, [own]] = await Promise.all([
    lockObject(tx, source.key, 'shared'),
    findStoredObject(tx, source),
    tx
      .select(getTableColumns(storedObjects))
      .from(storedObjects)
      .where(
        and(eq(storedObjects.organizationId, organizationId), eq(storedObjects.key, source.key)),
      ),
  ]);
  if (own) return { object: own, addedBytes: 0 };
  if (!found) throw new Error('an asset without its content');
  const object = { ...found, organizationId, id: newId() };
  await Promise.all([
    object.thumbnailKey !== null && lockObject(tx, object.thumbnailKey, 'shared'),
    tx.insert(storedObjects).values(object),
    changeUsage(tx, { organizationId, bytes: object.sizeBytes }),
  ]);
  return { object, addedBytes: object.sizeBytes };
}

/**
 * Deletes objects of an organization that none of its versions refers to any more, and stops counting them. Call it after the
 * versions are deleted, with the usage locked.
 *
 * @returns their storage keys, which other organizations may still have
 */
export async function dropObjects(
  tx: Transaction,
  { organizationId, ids }: { organizationId: string; ids: string[] },
): Promise<Pick<StoredObjectRow, 'key' | 'thumbnailKey'>[]> {
  const referring = tx
    .select({ one: sql`1` })
    .from(assetVersions)
    .where(
      and(
        eq(assetVersions.organizationId, organizationId),
        // Qualified by hand: drizzle omits the table's name in a subquery on one table.
        sql`${assetVersions}.stored_object_id = ${storedObjects}.id`,
      ),
    );
  const ofOrganization = eq(storedObjects.organizationId, organizationId);
  // Locked: an inspection that ends meanwhile has noted its thumbnail before, or notices that the object is gone. A trigger
  // keeps the deletion from returning rows that others share.
  const unused = await tx
    .select(getTableColumns(storedObjects))
    .from(storedObjects)
    .where(and(ofOrganization, inArray(storedObjects.id, ids), notExists(referring)))
    .for('update');
  const unusedIds = unused.map(({ id }) => id);
  await tx.delete(storedObjects).where(and(ofOrganization, inArray(storedObjects.id, unusedIds)));
  const bytes = unused.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  await changeUsage(tx, { organizationId, bytes: -bytes });
  return unused.map(({ key, thumbnailKey }) => ({ key, thumbnailKey }));
}
