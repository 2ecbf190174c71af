import { sql, type SQL, type SQLWrapper } from 'drizzle-orm';

/**
 * A timestamp that is shown and never computed with: ISO 8601 in UTC, as the contract writes it. Cut out of what
 * Postgres says: a list has hundreds of them, and each `Date` is made only to be written again.
 */
export function shownMoment(column: SQLWrapper): SQL<string> {
  return sql<string>`${column}`.mapWith(isoOf);
}

/** `2026-01-02 03:04:05.6+00`: the years of four digits, in UTC, with as many decimals as are needed. */
const plain = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d{1,3})?\+00$/;

/** @param text - a `timestamptz` as Postgres writes it in its ISO style */
export function isoOf(text: string): string {
  if (!plain.test(text)) return new Date(text).toISOString();
  const decimals = text.slice(20, -3).padEnd(3, '0');
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${decimals}Z`;
}
