import { and, eq, isNull, sql, type SQL } from 'drizzle-orm';
import { countedMatches } from '../../../../db/count.ts';
import { assets } from '../../../../db/generated/schema.ts';
import type { BoundFilter } from './filter.ts';
import { beyond, inOrder, keysetOf, orderBy, type PageRange } from './order.ts';

interface SearchedPage extends PageRange {
  readonly filter: Pick<BoundFilter, 'organizationId'>;
  readonly isCounted: boolean;
}

/** Of so many rows of a list, so many matches are frequent: counting on in the order of the list is faster than the index. */
const triedRows = 4_000;
const frequentMatches = 120;
/** Where rare matches are no longer read and sorted all. */
const sortedMatches = 10_000;

/**
 * Finds the page and the count of a search. Names that are frequent where the page begins are found and counted there, in the
 * order of the list; an index would have to find them all. All others are found by it: for the count, and for the page where
 * there are too few. Statistics can't tell one from the other: a name in one of two hundred assets is in none of those that
 * Postgres looks at.
 */
export function searchOf(page: SearchedPage, wanted: SQL | undefined): SQL {
  const { column } = keysetOf(page.order);
  const [tried, frequent, sorted, reported, reached] = [
    triedRows,
    frequentMatches,
    sortedMatches,
    countedMatches + 1,
    page.offset + page.limit,
  ].map((rows) => sql.raw(String(rows)));
  const { organizationId } = page.filter;
  const living = and(eq(assets.organizationId, organizationId), isNull(assets.deletedAt));
  const countOf = (rows: SQL) =>
    sql`(select count(*)::int from (select from ${assets} where ${wanted} ${rows} limit ${reported}) as counted)`;
  const count = sql`case when not frequency.has_page then counted.count
    when frequency.is_frequent then ${countOf(orderBy(page))} else ${countOf(sql``)} end`;
  return sql`
    with tried as materialized (
      select ${assets.id}, ${column} from (
        select ${assets}.* from ${assets} where ${and(living, beyond(page))} ${orderBy(page)} limit ${tried}
      ) as ${assets} where ${wanted}
    ), frequency as materialized (
      select count(*) >= ${reached}::int as has_page, count(*) >= ${frequent} as is_frequent from tried
    ), matches as materialized (
      select ${assets.id}, ${column} from ${assets}
      where not (select has_page from frequency) and ${wanted} limit ${sorted} + 1
    ), counted as materialized (
      select count(*)::int as count from matches
    )
    select page.id, ${page.isCounted ? count : sql`null::int`} as count
    from frequency, counted, lateral (
      (select ${assets.id} from tried as ${assets} where frequency.has_page ${inOrder(page)})
      union all
      (select ${assets.id} from matches as ${assets}
        where ${and(sql`not frequency.has_page and counted.count <= ${sorted}`, beyond(page))} ${inOrder(page)})
      union all
      (select ${assets.id} from ${assets}
        where ${and(sql`not frequency.has_page and counted.count > ${sorted}`, wanted, beyond(page))} ${inOrder(page)})
    ) page`;
}
