import { and, eq, ilike, isNull, sql, type SQL } from 'drizzle-orm';
import type { Database, Transaction } from '../../db/client.ts';
import { after, orderOf, type Keyset } from '../../db/keyset.ts';
import { assets, collectionFavorites, collections } from '../../db/schema/index.ts';
import type { RowWindow } from '../../kernel/pagination.ts';

const sortColumns = {
  createdAt: collections.createdAt,
  updatedAt: collections.updatedAt,
  title: collections.title,
} as const;

export type CollectionSort = keyof typeof sortColumns;

// Qualified by hand: in a select from one table drizzle leaves the table's name out, and inside of the
// subqueries a bare `id` would be another table's.
const collectionId = sql`${collections}.${sql.identifier(collections.id.name)}`;

const assetCount = sql<number>`(select count(*)::int from ${assets} where ${assets.collectionId} = ${collectionId} and ${assets.deletedAt} is null)`;

function viewedBy(userId: unknown) {
  return {
    id: collections.id,
    title: collections.title,
    organizationId: collections.organizationId,
    createdBy: collections.createdBy,
    createdAt: collections.createdAt,
    updatedAt: collections.updatedAt,
    assetCount,
    isFavorite: markedBy(userId),
  };
}

function markedBy(userId: unknown): SQL<boolean> {
  return sql<boolean>`exists (select 1 from ${collectionFavorites} where ${collectionFavorites.collectionId} = ${collectionId} and ${collectionFavorites.userId} = ${userId})`;
}

export interface CollectionFilter {
  readonly organizationId: string;
  readonly viewerId: string;
  /** Only this person's; null: everybody's. */
  readonly createdBy: string | null;
  readonly favorite?: boolean | undefined;
  readonly titleContains?: string | undefined;
}

export function collectionQueries(db: Database) {
  const one = db
    .select(viewedBy(sql.placeholder('viewerId')))
    .from(collections)
    .where(
      and(
        eq(collections.organizationId, sql.placeholder('organizationId')),
        eq(collections.id, sql.placeholder('id')),
        isNull(collections.deletedAt),
      ),
    )
    .prepare('collection_in_organization');

  return {
    async find(key: { organizationId: string; id: string; viewerId: string }) {
      const [row] = await one.execute(key);
      return row ?? null;
    },

    async list(
      filter: CollectionFilter,
      order: { by: CollectionSort; direction: Keyset['direction'] },
      window: RowWindow,
    ) {
      const keyset = {
        column: sortColumns[order.by],
        id: collections.id,
        direction: order.direction,
      };
      const matching = and(
        eq(collections.organizationId, filter.organizationId),
        isNull(collections.deletedAt),
        filter.createdBy === null ? undefined : eq(collections.createdBy, filter.createdBy),
        filter.favorite === undefined
          ? undefined
          : eq(markedBy(filter.viewerId), sql`${filter.favorite}`),
        filter.titleContains === undefined
          ? undefined
          : ilike(collections.title, containing(filter.titleContains)),
      );
      const [rows, [count]] = await Promise.all([
        db
          .select(viewedBy(filter.viewerId))
          .from(collections)
          .where(and(matching, window.after ? beyond(keyset, order.by, window.after) : undefined))
          .orderBy(...orderOf(keyset))
          .limit(window.limit)
          .offset(window.offset),
        db
          .select({ total: sql<number>`count(*)::int` })
          .from(collections)
          .where(matching),
      ]);
      return { rows, total: count?.total ?? 0 };
    },
  };
}

export type CollectionRow = NonNullable<
  Awaited<ReturnType<ReturnType<typeof collectionQueries>['find']>>
>;

export async function insertCollection(
  tx: Transaction,
  row: { id: string; organizationId: string; title: string; createdBy: string; createdAt: Date },
): Promise<void> {
  await tx.insert(collections).values({ ...row, updatedAt: row.createdAt });
}

function beyond(keyset: Keyset, by: CollectionSort, position: { sortValue: string; id: string }) {
  return after(
    keyset,
    by === 'title' ? position.sortValue : new Date(position.sortValue),
    position.id,
  );
}

function containing(text: string): string {
  return `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`;
}
