import { and, eq, getTableColumns, sql, type SQL } from 'drizzle-orm';
import type { Database } from '../../../../db/executor.ts';
import { assets } from '../../../../db/generated/schema.ts';
import { orderOf } from '../../../../db/keyset.ts';
import { assetColumns, assetJoins } from '../../../../domain/asset-view/queries.ts';
import { countOf, matching, type BoundFilter } from './filter.ts';
import { beyond, inOrder, keysetOf, type PageRange } from './order.ts';
import { searchOf } from './search.ts';

export interface PageOfAssets extends PageRange {
  readonly filter: BoundFilter;
  /** Whether the rows carry the total. */
  readonly isCounted: boolean;
}

/** Finds the page first, and then what else is displayed of its assets. */
export function pageOfAssets(db: Database, page: PageOfAssets) {
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
          ? countOf(filter, wanted)
          : sql<null>`null`,
    })
    .from(found)
    .innerJoin(joins.version.table, joins.version.on)
    .innerJoin(joins.content.table, joins.content.on)
    .orderBy(...orderOf(keysetOf(order)));
}

/** Skipped rows are only counted in the index. Where none are, each row is read in its order, and not once more by its id. */
function pageByIndex(db: Database, page: PageOfAssets, wanted: SQL | undefined) {
  const rows = sql`${and(wanted, beyond(page))} ${inOrder(page)}`;
  if (page.offset > 0) {
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
