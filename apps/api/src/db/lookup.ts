import { sql, type SQL } from 'drizzle-orm';

/**
 * Returns a column that tells whether a row is found, by one look-up for each row of the page. With `exists`, Postgres may
 * instead read all rows that any row of the page could have, such as all favorites of a person.
 *
 * @param rows - one row at most: `from … where …`
 */
export function isFound(rows: SQL): SQL<boolean> {
  return sql<boolean>`coalesce((select true ${rows}), false)`;
}
