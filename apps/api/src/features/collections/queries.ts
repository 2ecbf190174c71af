import { and, eq, ilike, isNull, max, ne, sql, type Placeholder, type SQL } from 'drizzle-orm';
import type { Database, Transaction } from '../../db/executor.ts';
import { placeholdersOf, statement, statementByShape } from '../../db/session/statement.ts';
import { containing } from '../../db/patterns.ts';
import { after, orderOf, type Keyset } from '../../db/keyset.ts';
import { isFound } from '../../db/lookup.ts';
import {
  assets,
  collectionFavorites,
  collections,
  collectionUsage,
  organizations,
  organizationUsage,
} from '../../db/generated/schema.ts';
import type { RowWindow } from '../../kernel/pagination.ts';

const sortColumns = {
  createdAt: collections.createdAt,
  updatedAt: collections.updatedAt,
  title: collections.title,
} as const;

export type CollectionSort = keyof typeof sortColumns;

// Qualified by hand: in a select from one table drizzle omits the table's name, and inside the
// subqueries a bare `id` would be another table's.
const collectionId = sql`${collections}.id`;

/** Who looks at the collections of which organization: the ids, or their placeholders. */
export interface Viewer {
  readonly organizationId: string | Placeholder;
  readonly viewerId: string | Placeholder;
}

const anyViewer: Viewer = {
  organizationId: sql.placeholder('organizationId'),
  viewerId: sql.placeholder('viewerId'),
};

function viewedBy(viewer: Viewer) {
  return {
    id: collections.id,
    title: collections.title,
    organizationId: collections.organizationId,
    createdBy: collections.createdBy,
    createdAt: collections.createdAt,
    updatedAt: collections.updatedAt,
    assetCount: sql<number>`coalesce((select ${collectionUsage.assetCount} from ${collectionUsage} where ${collectionUsage.organizationId} = ${viewer.organizationId} and ${collectionUsage.collectionId} = ${collectionId}), 0)`,
    isFavorite: isMarkedBy(viewer),
  };
}

/** Whether the collection of a row is a favorite. */
export function isMarkedBy(viewer: Viewer): SQL<boolean> {
  return isFound(sql`${marksOf(viewer)} and ${collectionFavorites.collectionId} = ${collectionId}`);
}

function marksOf({ organizationId, viewerId }: Viewer): SQL {
  return sql`from ${collectionFavorites} where ${collectionFavorites.organizationId} = ${organizationId} and ${collectionFavorites.userId} = ${viewerId}`;
}

const inOrganization = and(
  eq(collections.organizationId, anyViewer.organizationId),
  isNull(collections.deletedAt),
);

export interface CollectionFilter {
  readonly organizationId: string;
  readonly viewerId: string;
  /** This person's only; null: everyone's. */
  readonly createdBy: string | null;
  readonly favorite?: boolean | undefined;
  readonly titleContains?: string | undefined;
}

export interface CollectionOrder {
  readonly by: CollectionSort;
  readonly direction: Keyset['direction'];
}

/** The parts of a list that change its statement; everything else is a parameter. */
interface ListShape extends CollectionOrder {
  readonly filters: readonly (keyof typeof filterConditions)[];
  readonly isContinued: boolean;
}

const filterConditions = {
  createdBy: eq(collections.createdBy, sql.placeholder('createdBy')),
  // All marks are read once: the list may be long, and what is marked far apart.
  favorite: eq(
    sql`${collectionId} in (select ${collectionFavorites.collectionId} ${marksOf(anyViewer)})`,
    sql`${sql.placeholder('favorite')}::boolean`,
  ),
  titlePattern: ilike(collections.title, sql.placeholder('titlePattern')),
} as const;

const collectionInOrganization = statement((db) =>
  db
    .select(viewedBy(anyViewer))
    .from(collections)
    .where(and(inOrganization, eq(collections.id, sql.placeholder('id')))),
);

const pageOfCollections = statementByShape((db, shape: ListShape) => {
  const { by, direction, isContinued } = shape;
  const keyset = { column: sortColumns[by], id: collections.id, direction };
  const sortValue = sql.param(sql.placeholder('sortValue'), keyset.column);
  const rest = isContinued ? after(keyset, sortValue, sql.placeholder('afterId')) : undefined;
  return db
    .select(viewedBy(anyViewer))
    .from(collections)
    .where(and(matching(shape.filters), rest))
    .orderBy(...orderOf(keyset))
    .limit(sql.placeholder('limit'))
    .offset(sql.placeholder('offset'));
});

const collectionCount = statementByShape((db, filters: ListShape['filters']) =>
  db
    .select({ total: sql<number>`count(*)::int` })
    .from(collections)
    .where(matching(filters)),
);

/** Of all collections of an organization; no row without any. */
const keptCount = statement((db) =>
  db
    .select({ total: organizationUsage.collectionCount })
    .from(organizationUsage)
    .where(eq(organizationUsage.organizationId, sql.placeholder('organizationId'))),
);

function matching(filters: ListShape['filters']): SQL | undefined {
  return and(inOrganization, ...filters.map((filter) => filterConditions[filter]));
}

export function collectionQueries(db: Database) {
  async function countOf(
    filters: ListShape['filters'],
    parameters: { readonly organizationId: string },
  ): Promise<number> {
    if (filters.length === 0) {
      const [kept] = await keptCount(db, parameters);
      if (typeof kept?.total === 'number') return kept.total;
    }
    const [count] = await collectionCount(db, filters, parameters);
    return count?.total ?? 0;
  }

  return {
    async find(key: { organizationId: string; id: string; viewerId: string }) {
      const [row] = await collectionInOrganization(db, key);
      return row ?? null;
    },

    async list(filter: CollectionFilter, order: CollectionOrder, window: RowWindow) {
      const { organizationId, viewerId, createdBy, favorite, titleContains } = filter;
      const values = {
        ...(createdBy !== null && { createdBy }),
        ...(favorite !== undefined && { favorite }),
        ...(titleContains !== undefined && { titlePattern: containing(titleContains) }),
      };
      const filters = Object.keys(values) as (keyof typeof values)[];
      const { limit, offset } = window;
      const parameters = { organizationId, viewerId, limit, offset, ...values };
      const [rows, total] = await Promise.all([
        pageOfCollections(
          db,
          { by: order.by, direction: order.direction, filters, isContinued: window.after !== null },
          { ...parameters, ...positionOf(window, order.by) },
        ),
        window.total?.total ?? countOf(filters, parameters),
      ]);
      return { rows, total };
    },
  };
}

export type CollectionRow = NonNullable<
  Awaited<ReturnType<ReturnType<typeof collectionQueries>['find']>>
>;

/**
 * Locks a collection against changes and new assets until the transaction ends.
 *
 * @returns its locked state
 */
export async function lockCollection(
  tx: Transaction,
  key: { organizationId: string; id: string; viewerId: string },
): Promise<CollectionRow | null> {
  const existing = and(
    eq(collections.organizationId, key.organizationId),
    eq(collections.id, key.id),
    isNull(collections.deletedAt),
  );
  // A separate statement: the next one sees what was committed while this one waited.
  await tx.select({ id: collections.id }).from(collections).where(existing).for('no key update');
  const [row] = await tx.select(viewedBy(key)).from(collections).where(existing);
  return row ?? null;
}

export async function renameCollection(
  tx: Transaction,
  row: { organizationId: string; id: string; title: string; updatedAt: Date },
): Promise<void> {
  const { title, updatedAt } = row;
  await tx
    .update(collections)
    .set({ title, updatedAt })
    .where(and(eq(collections.organizationId, row.organizationId), eq(collections.id, row.id)));
}

interface FavoriteKey {
  readonly organizationId: string;
  readonly userId: string;
  readonly collectionId: string;
}

export async function markFavorite(
  tx: Transaction,
  mark: FavoriteKey & { createdAt: Date },
): Promise<void> {
  await tx.insert(collectionFavorites).values(mark);
}

export async function unmarkFavorite(tx: Transaction, mark: FavoriteKey): Promise<void> {
  await tx
    .delete(collectionFavorites)
    .where(
      and(
        eq(collectionFavorites.organizationId, mark.organizationId),
        eq(collectionFavorites.userId, mark.userId),
        eq(collectionFavorites.collectionId, mark.collectionId),
      ),
    );
}

/**
 * Locks the assets of a locked collection until the transaction ends.
 *
 * @returns the latest deletion among those in the bin; null without any
 */
export async function lockAssetsIn(
  tx: Transaction,
  collection: { organizationId: string; id: string },
): Promise<Date | null> {
  const inside = and(
    eq(assets.organizationId, collection.organizationId),
    eq(assets.collectionId, collection.id),
  );
  // A separate statement: the next one sees the deletions that this one waited for.
  await tx
    .select({ one: sql`1` })
    .from(assets)
    .where(and(inside, isNull(assets.deletedAt)))
    .for('no key update');
  const [row] = await tx
    .select({ latest: max(assets.deletedAt) })
    .from(assets)
    .where(inside);
  return row?.latest ?? null;
}

/**
 * Counts the assets of a collection that belong to others. Its assets are locked.
 *
 * @param collection - `deletedAt`: null for live assets, otherwise the timestamp of their deletion along with it
 */
export async function countAssetsOfOthers(
  tx: Transaction,
  collection: { organizationId: string; id: string; deletedAt: Date | null },
  userId: string,
): Promise<number> {
  const { organizationId, id, deletedAt } = collection;
  const [row] = await tx
    .select({ count: sql<number>`count(*)::int` })
    .from(assets)
    .where(
      and(
        eq(assets.organizationId, organizationId),
        eq(assets.collectionId, id),
        deletedAt === null ? isNull(assets.deletedAt) : eq(assets.deletedAt, deletedAt),
        ne(assets.createdBy, userId),
      ),
    );
  return row?.count ?? 0;
}

/** Moves a collection and its assets into the bin, with the same timestamp on both. */
export async function binCollection(
  tx: Transaction,
  row: { organizationId: string; id: string; deletedAt: Date },
): Promise<void> {
  const { organizationId, id, deletedAt } = row;
  await tx
    .update(collections)
    .set({ deletedAt })
    .where(and(eq(collections.organizationId, organizationId), eq(collections.id, id)));
  await tx
    .update(assets)
    .set({ deletedAt })
    .where(
      and(
        eq(assets.organizationId, organizationId),
        eq(assets.collectionId, id),
        isNull(assets.deletedAt),
      ),
    );
}

/**
 * Adds a collection to an organization. The proof of the caller's membership keeps the organization from being deleted.
 *
 * @returns whether the organization still exists; if not, roll back
 */
export async function insertCollection(
  tx: Transaction,
  row: { id: string; organizationId: string; title: string; createdBy: string; createdAt: Date },
): Promise<boolean> {
  // Sent together, in this order.
  const [, existing] = await Promise.all([
    inserted(tx, { ...row, updatedAt: row.createdAt }),
    existingOrganization(tx, { organizationId: row.organizationId }),
  ]);
  // Deleting an organization bins its collections; a later one would be left out.
  return existing.length > 0;
}

const existingOrganization = statement((db) =>
  db
    .select({ id: organizations.id })
    .from(organizations)
    .where(
      and(eq(organizations.id, sql.placeholder('organizationId')), isNull(organizations.deletedAt)),
    ),
);

const inserted = statement((db) =>
  db
    .insert(collections)
    .values(
      placeholdersOf(collections, [
        'id',
        'organizationId',
        'title',
        'createdBy',
        'createdAt',
        'updatedAt',
      ]),
    ),
);

function positionOf({ after: position }: RowWindow, by: CollectionSort) {
  if (position === null) return {};
  const { sortValue, id } = position;
  return { sortValue: by === 'title' ? sortValue : new Date(sortValue), afterId: id };
}
