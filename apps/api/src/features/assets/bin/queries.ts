import { and, eq, gt, ilike, sql, type SQL } from 'drizzle-orm';
import { countColumn, totalIn } from '../../../db/count.ts';
import type { Database, Transaction } from '../../../db/executor.ts';
import { after, orderOf } from '../../../db/keyset.ts';
import { containing } from '../../../db/patterns.ts';
import { assets, collections, organizations } from '../../../db/generated/schema.ts';
import { assetColumns, assetJoins } from '../../../domain/asset-view/queries.ts';
import type { RowWindow } from '../../../kernel/pagination.ts';

export interface BinFilter {
  readonly organizationId: string;
  readonly viewerId: string;
  /** Deletions up to this timestamp have expired. */
  readonly deletedAfter: Date;
  /** This person's only. */
  readonly createdBy?: string | undefined;
  /** All assets of this collection; without it, assets that were deleted along with a collection are left out. */
  readonly collectionId?: string | undefined;
  readonly nameContains?: string | undefined;
}

const newestDeletion = {
  column: assets.deletedAt,
  id: assets.id,
  direction: 'descending',
} as const;

/** Latest deletion first. */
export async function listBin(db: Database, filter: BinFilter, window: RowWindow) {
  const wanted = matching(filter);
  // With the organization, so that only its collections are scanned.
  const inItsCollection = and(
    eq(collections.organizationId, filter.organizationId),
    eq(collections.id, assets.collectionId),
  );
  const assetsInCollections = sql`${assets} inner join ${collections} on ${inItsCollection}`;
  const joins = assetJoins(filter);
  const rest = window.after
    ? after(newestDeletion, new Date(window.after.sortValue), window.after.id)
    : undefined;
  const count = countColumn(assetsInCollections, wanted);
  const rows = await db
    .select({
      ...assetColumns(filter),
      // The filter excludes assets that are not deleted.
      deletedAt: sql<Date>`${assets.deletedAt}`.mapWith(assets.deletedAt),
      count: window.total ? sql<null>`null` : count,
    })
    .from(assets)
    .innerJoin(collections, inItsCollection)
    .innerJoin(joins.version.table, joins.version.on)
    .innerJoin(joins.content.table, joins.content.on)
    .where(and(wanted, rest))
    .orderBy(...orderOf(newestDeletion))
    .limit(window.limit)
    .offset(window.offset);
  const total = await totalIn(window, async () => {
    if (rows[0]) return rows[0].count ?? 0;
    // Past the end of the list, no row carries the total.
    const [row] = await db.execute<{ count: number }>(sql`select ${count} as count`);
    return row?.count ?? 0;
  });
  return { rows, ...total };
}

export type BinRow = Awaited<ReturnType<typeof listBin>>['rows'][number];

function matching(filter: BinFilter): SQL | undefined {
  const { createdBy, collectionId, nameContains } = filter;
  return and(
    eq(assets.organizationId, filter.organizationId),
    gt(assets.deletedAt, filter.deletedAfter),
    createdBy === undefined ? undefined : eq(assets.createdBy, createdBy),
    collectionId === undefined
      ? sql`${collections.deletedAt} is distinct from ${assets.deletedAt}`
      : eq(assets.collectionId, collectionId),
    nameContains === undefined ? undefined : ilike(assets.name, containing(nameContains)),
  );
}

/** An organization as its activities name it. */
export async function findOrganization(tx: Transaction, id: string) {
  const [row] = await tx
    .select({ id: organizations.id, name: organizations.name })
    .from(organizations)
    .where(eq(organizations.id, id));
  return row ?? { id, name: '' };
}
