import { gt, sql, type SQL } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';

/** Rows in the order of their ids. */
export interface SealedPage {
  /** The last row of the page before; null for the first page. */
  readonly after: string | null;
  readonly limit: number;
}

/** The condition that another key than the current one has sealed a column. Null is sealed by none. */
export function isSealedOtherwise(sealed: PgColumn, currentKey: Buffer): SQL {
  return sql`substr(${sealed}, 1, ${currentKey.length}) <> ${currentKey}`;
}

/** The condition that a row comes after the page before. */
export function isAfter(id: PgColumn, { after }: SealedPage): SQL | undefined {
  return after === null ? undefined : gt(id, after);
}
