import { maxSuggestedTags, type ReviewStatus } from '@atelier/contract';
import {
  and,
  arrayContains,
  desc,
  eq,
  getTableColumns,
  inArray,
  isNotNull,
  isNull,
  like,
  or,
  sql,
  type Placeholder,
  type SQL,
} from 'drizzle-orm';
import { countColumn, countedMatches, countedRows, totalIn } from '../../../db/count.ts';
import type { Database } from '../../../db/executor.ts';
import { statement, statementByShape } from '../../../db/session/statement.ts';
import { after, orderOf, type Keyset } from '../../../db/keyset.ts';
import {
  foldedContains,
  nameContains,
  patternsOf,
  startingWith,
  type SearchedText,
} from '../../../db/patterns.ts';
import {
  assetFavorites,
  assets,
  assetVersions,
  collections,
} from '../../../db/generated/schema.ts';
import { assetColumns, assetJoins } from '../../../domain/asset-view/queries.ts';
import { commonLimits, type CursorPosition, type RowWindow } from '../../../kernel/pagination.ts';

const sortColumns = {
  createdAt: assets.createdAt,
  updatedAt: assets.updatedAt,
  assetName: assets.name,
  fileSize: assets.fileSizeBytes,
} as const;

export type AssetSort = keyof typeof sortColumns;

export interface AssetFilter {
  readonly organizationId: string;
  readonly viewerId: string;
  /** This person's only. */
  readonly createdBy?: string | undefined;
  readonly collectionId?: string | undefined;
  /** Prefix of the media type. */
  readonly type?: string | undefined;
  readonly favorite?: boolean | undefined;
  /** Of the current version. */
  readonly reviewStatus?: ReviewStatus | undefined;
  /** All of these, as they are compared. */
  readonly tagKeys?: readonly string[] | undefined;
  /** Of name, description or tags. */
  readonly contains?: SearchedText | undefined;
  /** Whole names. */
  readonly names?: readonly string[] | undefined;
}

export interface AssetOrder {
  readonly by: AssetSort;
  readonly direction: Keyset['direction'];
}

/** The filter of a statement; a prepared one has parameters for the ids. */
type BoundFilter = {
  readonly [Name in keyof AssetFilter]:
    | AssetFilter[Name]
    | (Name extends `${string}Id` | 'createdBy' ? Placeholder : never);
};

/** The parts of a prepared list that change its text. */
interface PlainShape {
  readonly narrowedBy: 'createdBy' | 'collectionId' | null;
  readonly order: AssetOrder;
  readonly limit: number;
  readonly isContinued: boolean;
  readonly isCounted: boolean;
}

const existingCollection = statement((db) =>
  db
    .select({ id: collections.id })
    .from(collections)
    .where(
      and(
        eq(collections.organizationId, sql.placeholder('organizationId')),
        eq(collections.id, sql.placeholder('collectionId')),
        isNull(collections.deletedAt),
      ),
    ),
);

const plainPageOfAssets = statementByShape((db, shape: PlainShape) => {
  const { narrowedBy, order, limit, isContinued, isCounted } = shape;
  const filter = {
    organizationId: sql.placeholder('organizationId'),
    viewerId: sql.placeholder('viewerId'),
    ...(narrowedBy && { [narrowedBy]: sql.placeholder('narrowedTo') }),
  };
  const position = {
    sortValue: sql.param(sql.placeholder('sortValue'), sortColumns[order.by]),
    id: sql.placeholder('afterId'),
  };
  return pageOfAssets(db, {
    filter,
    order,
    // A literal: with a parameter, the generic plan would estimate far too many rows.
    rows: sql.raw(`limit ${limit}`),
    after: isContinued ? position : null,
    isByNumber: false,
    reach: limit,
    isCounted,
  });
});

/** Tagged assets that are examined for suggestions. */
const examinedAssets = 5_000;

/** In the spelling of the asset that changed last. */
const suggestedTags = statement((db) => {
  const recent = db
    .select({ tags: assets.tags, tagKeys: assets.tagKeys, updatedAt: assets.updatedAt })
    .from(assets)
    .where(
      and(
        eq(assets.organizationId, sql.placeholder('organizationId')),
        isNull(assets.deletedAt),
        isNotNull(assets.tagKeys),
      ),
    )
    .orderBy(desc(assets.updatedAt))
    .limit(examinedAssets)
    .as('recent');
  return db
    .select({
      tag: sql<string>`(array_agg(each.tag order by ${recent.updatedAt} desc))[1]`,
      assetCount: sql<number>`count(*)::int`,
    })
    .from(recent)
    .crossJoinLateral(sql`unnest(${recent.tags}, ${recent.tagKeys}) as each(tag, key)`)
    .where(like(sql`each.key`, sql.placeholder('pattern')))
    .groupBy(sql`each.key`)
    .orderBy(sql`count(*) desc, each.key`)
    .limit(maxSuggestedTags);
});

export function assetListQueries(db: Database) {
  async function rowsOf(filter: AssetFilter, order: AssetOrder, window: RowWindow) {
    const position = window.after && positionIn(order, window.after);
    const shape = plainShapeOf(filter, order, window);
    if (!shape) {
      const rows = sql`limit ${window.limit} offset ${window.offset}`;
      return pageOfAssets(db, {
        filter,
        order,
        rows,
        after: position,
        isByNumber: window.offset > 0,
        reach: window.offset + window.limit,
        isCounted: window.total === null,
      });
    }
    const { organizationId, viewerId, createdBy, collectionId } = filter;
    return plainPageOfAssets(db, shape, {
      organizationId,
      viewerId,
      narrowedTo: collectionId ?? createdBy,
      sortValue: position?.sortValue,
      afterId: position?.id,
    });
  }

  return {
    async list(filter: AssetFilter, order: AssetOrder, window: RowWindow) {
      const rows = await rowsOf(filter, order, window);
      const isWholeList = window.offset === 0 && !window.after;
      const total = await totalIn(
        window,
        // Past the end of a list, no row carries the total.
        async () => rows[0]?.count ?? (isWholeList ? 0 : countAssets(db, filter)),
        mostCountedOf(filter),
      );
      return { rows, ...total };
    },

    /** The most frequent first. */
    async listTags({ organizationId, keyPrefix }: { organizationId: string; keyPrefix: string }) {
      return suggestedTags(db, { organizationId, pattern: startingWith(keyPrefix) });
    },

    async hasCollection(key: { organizationId: string; collectionId: string }): Promise<boolean> {
      const [row] = await existingCollection(db, key);
      return row !== undefined;
    },
  };
}

/**
 * Chooses the lists to prepare, whose plan doesn't depend on their values: one index contains exactly the rows, in their
 * order. All others are planned for each set of values; a plan for a rare name is ruinous for a common one.
 */
function plainShapeOf(
  filter: AssetFilter,
  order: AssetOrder,
  window: RowWindow,
): PlainShape | null {
  const { createdBy, collectionId, type, favorite, reviewStatus, tagKeys, names } = filter;
  const others = [type, favorite, reviewStatus, tagKeys, filter.contains, names];
  if (others.some((value) => value !== undefined)) return null;
  if (createdBy !== undefined && collectionId !== undefined) return null;
  const narrowedBy =
    createdBy !== undefined ? 'createdBy' : collectionId !== undefined ? 'collectionId' : null;
  if (narrowedBy !== null && order.by !== 'createdAt') return null;
  if (window.offset > 0 || !commonLimits.includes(window.limit)) return null;
  return {
    narrowedBy,
    order,
    limit: window.limit,
    isContinued: window.after !== null,
    isCounted: window.total === null,
  };
}

interface PageOfAssets {
  readonly filter: BoundFilter;
  readonly order: AssetOrder;
  /** The range of the ordered rows: `limit`, optionally `offset`. */
  readonly rows: SQL;
  readonly after: { readonly sortValue: unknown; readonly id: unknown } | null;
  /** Whether rows are skipped. */
  readonly isByNumber: boolean;
  /** The rows that are skipped and shown. */
  readonly reach: number;
  /** Whether the rows carry the total. */
  readonly isCounted: boolean;
}

/** Finds the page first, and then what else is displayed of its assets. */
function pageOfAssets(db: Database, page: PageOfAssets) {
  const { filter, order } = page;
  const wanted = matching(filter);
  const isSearch = filter.contains !== undefined;
  const joins = assetJoins(filter);
  const found = isSearch
    ? assetsIn(db, page, searchOf(page, wanted))
    : pageByIndex(db, page, wanted);
  return db
    .select({
      ...assetColumns(filter),
      count: isSearch
        ? sql<number | null>`${found.count}`
        : page.isCounted
          ? countColumn(assets, wanted)
          : sql<null>`null`,
    })
    .from(found)
    .innerJoin(joins.version.table, joins.version.on)
    .innerJoin(joins.content.table, joins.content.on)
    .orderBy(...orderOf(keysetOf(order)));
}

function keysetOf({ by, direction }: AssetOrder): Keyset {
  return { column: sortColumns[by], id: assets.id, direction };
}

/** Skipped rows are only counted in the index. Where none are, each row is read in its order, and not once more by its id. */
function pageByIndex(db: Database, page: PageOfAssets, wanted: SQL | undefined) {
  const rows = sql`${and(wanted, beyond(page))} ${inOrder(page)}`;
  if (page.isByNumber) {
    const ids = sql`select ${assets.id}, null::int as count from ${assets} where ${rows}`;
    return assetsIn(db, page, ids);
  }
  return db
    .select({ ...getTableColumns(assets), count: sql<number | null>`null::int`.as('count') })
    .from(assets)
    .where(rows)
    .as('assets');
}

/** @param found - ids of assets, with a count */
function assetsIn(db: Database, { filter }: PageOfAssets, found: SQL) {
  return db
    .select({ ...getTableColumns(assets), count: sql<number | null>`found.count`.as('count') })
    .from(sql`(${found}) found`)
    .innerJoin(
      assets,
      and(eq(assets.organizationId, filter.organizationId), sql`${assets.id} = found.id`),
    )
    .as('assets');
}

/** Of so many rows of a list, so many matches are frequent. */
const triedRows = 4_000;
const frequentMatches = 60;
/** Where rare matches are no longer read and sorted all. */
const sortedMatches = 10_000;

/**
 * Finds the page and the count of a search. Names that are frequent where the page begins are found there, in the order of the
 * list, and few more rows count them; an index would have to find them all. All others are found by it, once for both. Statistics
 * can't tell one from the other: a name in one of two hundred assets is in none of those that Postgres looks at.
 */
function searchOf(page: PageOfAssets, wanted: SQL | undefined): SQL {
  const { column } = keysetOf(page.order);
  const [tried, sorted] = [triedRows, sortedMatches].map((most) => sql.raw(String(most)));
  const leastFrequent = sql.raw(String(frequentMatches));
  const reported = sql.raw(String(countedMatches + 1));
  const { organizationId } = page.filter;
  const living = and(eq(assets.organizationId, organizationId), isNull(assets.deletedAt));
  return sql`
    with tried as materialized (
      select ${assets.id}, ${column} from (
        select ${assets}.* from ${assets} where ${and(living, beyond(page))} ${orderBy(page)} limit ${tried}
      ) as ${assets} where ${wanted}
    ), frequency as materialized (
      select count(*) >= greatest(${leastFrequent}, ${page.reach}::int) as is_frequent from tried
    ), matches as materialized (
      select ${assets.id}, ${column} from ${assets}
      where not (select is_frequent from frequency) and ${wanted} limit ${sorted} + 1
    ), counted as materialized (
      select count(*)::int as count from matches
    )
    select page.id, case when frequency.is_frequent
        then (select count(*)::int from (select from ${assets} where ${wanted} ${orderBy(page)} limit ${reported}) as counted)
        else counted.count end as count
    from frequency, counted, lateral (
      (select ${assets.id} from tried as ${assets} where frequency.is_frequent ${inOrder(page)})
      union all
      (select ${assets.id} from matches as ${assets}
        where ${and(sql`not frequency.is_frequent and counted.count <= ${sorted}`, beyond(page))} ${inOrder(page)})
      union all
      (select ${assets.id} from ${assets}
        where ${and(sql`not frequency.is_frequent and counted.count > ${sorted}`, wanted, beyond(page))} ${inOrder(page)})
    ) page`;
}

function mostCountedOf({ contains }: BoundFilter): number {
  return contains === undefined ? countedRows : countedMatches;
}

/** The condition for rows after the last asset of the previous page. */
function beyond({ order, after: position }: PageOfAssets): SQL | undefined {
  return position ? after(keysetOf(order), position.sortValue, position.id) : undefined;
}

function inOrder(page: PageOfAssets): SQL {
  return sql`${orderBy(page)} ${page.rows}`;
}

function orderBy({ order }: PageOfAssets): SQL {
  return sql`order by ${sql.join(orderOf(keysetOf(order)), sql`, `)}`;
}

function matching(filter: BoundFilter): SQL | undefined {
  const { organizationId, viewerId, createdBy, collectionId } = filter;
  const { type, favorite, reviewStatus, tagKeys, contains, names } = filter;
  const marks = sql`(select ${assetFavorites.assetId} from ${assetFavorites} where ${assetFavorites.organizationId} = ${organizationId} and ${assetFavorites.userId} = ${viewerId})`;
  return and(
    eq(assets.organizationId, organizationId),
    isNull(assets.deletedAt),
    createdBy === undefined ? undefined : eq(assets.createdBy, createdBy),
    collectionId === undefined ? undefined : eq(assets.collectionId, collectionId),
    type === undefined ? undefined : like(assets.contentType, startingWith(type)),
    favorite === undefined
      ? undefined
      : sql`${assets.id} ${favorite ? sql`in` : sql`not in`} ${marks}`,
    reviewStatus === undefined ? undefined : hasReview(organizationId, reviewStatus),
    tagKeys === undefined ? undefined : arrayContains(assets.tagKeys, [...tagKeys]),
    contains && containsText(patternsOf(contains)),
    names === undefined ? undefined : inArray(assets.name, [...names]),
  );
}

function containsText(pattern: ReturnType<typeof patternsOf>): SQL | undefined {
  return or(
    nameContains({ name: assets.name, folded: assets.nameFolded }, pattern),
    foldedContains(assets.detailsFolded, pattern),
  );
}

function hasReview(organizationId: BoundFilter['organizationId'], status: ReviewStatus): SQL {
  const reviewed = sql`
    select from ${assetVersions} where ${assetVersions.organizationId} = ${organizationId}
      and ${assetVersions.assetId} = ${assets.id} and ${assetVersions.versionNumber} = ${assets.currentVersion}
      and ${assetVersions.reviewStatus}`;
  return status === 'NONE'
    ? sql`not exists (${reviewed} is not null)`
    : sql`exists (${reviewed} = ${status})`;
}

async function countAssets(db: Database, filter: AssetFilter): Promise<number> {
  const count = countColumn(assets, matching(filter), mostCountedOf(filter));
  const [row] = await db.execute<{ count: number }>(sql`select ${count} as count`);
  return row?.count ?? 0;
}

function positionIn(order: AssetOrder, { sortValue, id }: CursorPosition) {
  switch (order.by) {
    case 'assetName':
      return { sortValue, id };
    case 'fileSize':
      return { sortValue: Number(sortValue), id };
    case 'createdAt':
    case 'updatedAt':
      return { sortValue: new Date(sortValue), id };
  }
}
