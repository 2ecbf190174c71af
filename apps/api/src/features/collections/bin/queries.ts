import { and, eq, gt, ilike, sql } from 'drizzle-orm';
import { countColumn, totalIn } from '../../../db/count.ts';
import type { Database, Transaction } from '../../../db/executor.ts';
import { after, orderOf } from '../../../db/keyset.ts';
import { containing } from '../../../db/patterns.ts';
import { assets, collections } from '../../../db/generated/schema.ts';
import type { RowWindow } from '../../../kernel/pagination.ts';
import { isMarkedBy } from '../queries.ts';

export interface BinFilter {
  readonly organizationId: string;
  readonly viewerId: string;
  /** Deletions up to this timestamp have expired. */
  readonly deletedAfter: Date;
  /** This person's only. */
  readonly createdBy?: string | undefined;
  readonly titleContains?: string | undefined;
}

const newestDeletion = {
  column: collections.deletedAt,
  id: collections.id,
  direction: 'descending',
} as const;

// Qualified by hand: in a select from one table drizzle omits the table's name.
const collectionId = sql`${collections}.id`;
const deletedAt = sql`${collections}.deleted_at`;

type Viewer = Pick<BinFilter, 'organizationId' | 'viewerId'>;

/** A collection with the assets that have the same deletion timestamp: those deleted along with it. */
function viewedBy(viewer: Viewer) {
  const { organizationId } = viewer;
  return {
    id: collections.id,
    title: collections.title,
    organizationId: collections.organizationId,
    createdBy: collections.createdBy,
    createdAt: collections.createdAt,
    updatedAt: collections.updatedAt,
    deletedAt: collections.deletedAt,
    assetCount: sql<number>`(select count(*)::int from ${assets} where ${assets.organizationId} = ${organizationId} and ${assets.collectionId} = ${collectionId} and ${assets.deletedAt} is not distinct from ${deletedAt})`,
    isFavorite: isMarkedBy(viewer),
  };
}

/** Latest deletion first. */
export async function listBin(db: Database, filter: BinFilter, window: RowWindow) {
  const { createdBy, titleContains } = filter;
  const wanted = and(
    eq(collections.organizationId, filter.organizationId),
    gt(collections.deletedAt, filter.deletedAfter),
    createdBy === undefined ? undefined : eq(collections.createdBy, createdBy),
    titleContains === undefined ? undefined : ilike(collections.title, containing(titleContains)),
  );
  const rest = window.after
    ? after(newestDeletion, new Date(window.after.sortValue), window.after.id)
    : undefined;
  const [rows, total] = await Promise.all([
    db
      .select({
        ...viewedBy(filter),
        // The filter excludes collections that are not deleted.
        deletedAt: sql<Date>`${collections.deletedAt}`.mapWith(collections.deletedAt),
      })
      .from(collections)
      .where(and(wanted, rest))
      .orderBy(...orderOf(newestDeletion))
      .limit(window.limit)
      .offset(window.offset),
    totalIn(window, async () => {
      const count = countColumn(collections, wanted);
      const [row] = await db.execute<{ count: number }>(sql`select ${count} as count`);
      return row?.count ?? 0;
    }),
  ]);
  return { rows, ...total };
}

export type BinRow = Awaited<ReturnType<typeof listBin>>['rows'][number];

/**
 * Locks a collection, deleted or not, against changes until the transaction ends.
 *
 * @returns its locked state, with its live assets or those deleted along with it
 */
export async function lockBinned(
  tx: Transaction,
  key: { organizationId: string; id: string; viewerId: string },
) {
  const wanted = and(
    eq(collections.organizationId, key.organizationId),
    eq(collections.id, key.id),
  );
  // A separate statement: the next one sees what was committed while this one waited.
  await tx.select({ id: collections.id }).from(collections).where(wanted).for('no key update');
  const [row] = await tx.select(viewedBy(key)).from(collections).where(wanted);
  return row ?? null;
}

/** Restores a collection, and the assets that were deleted along with it. */
export async function unbinCollection(
  tx: Transaction,
  row: { organizationId: string; id: string; deletedAt: Date },
): Promise<void> {
  const { organizationId, id } = row;
  await tx
    .update(collections)
    .set({ deletedAt: null })
    .where(and(eq(collections.organizationId, organizationId), eq(collections.id, id)));
  await tx
    .update(assets)
    .set({ deletedAt: null })
    .where(
      and(
        eq(assets.organizationId, organizationId),
        eq(assets.collectionId, id),
        eq(assets.deletedAt, row.deletedAt),
      ),
    );
}
