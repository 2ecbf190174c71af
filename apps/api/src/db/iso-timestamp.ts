import { sql, type SQL, type SQLWrapper } from 'drizzle-orm';

/**
 * Selects a timestamp for display only: ISO 8601 in UTC, as in the contract. It reformats the text from
 * Postgres: a list has hundreds of them, and each `Date` would only be created to be serialized again.
 */
export function isoTimestamp(column: SQLWrapper): SQL<string> {
  return sql<string>`${column}`.mapWith(isoOf);
}

/** `2026-01-02 03:04:05.6+00`: four-digit years, in UTC, with as many decimals as necessary. */
const plain = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d{1,3})?\+00$/;

/** @param text - a `timestamptz` in the ISO style of Postgres */
export function isoOf(text: string): string {
  if (!plain.test(text)) return new Date(text).toISOString();
  const decimals = text.slice(20, -3).padEnd(3, '0');
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${decimals}Z`;
}
