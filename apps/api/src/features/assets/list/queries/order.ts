import { sql, type SQL } from 'drizzle-orm';
import { assets } from '../../../../db/generated/schema.ts';
import { after, literalLimit, orderOf, type Keyset } from '../../../../db/keyset.ts';
import type { RowWindow } from '../../../../kernel/pagination.ts';

export const sortColumns = {
  createdAt: assets.createdAt,
  updatedAt: assets.updatedAt,
  assetName: assets.name,
  fileSize: assets.fileSizeBytes,
} as const;

export type AssetSort = keyof typeof sortColumns;

export interface AssetOrder {
  readonly by: AssetSort;
  readonly direction: Keyset['direction'];
}

/** The rows of a page in an ordered list. */
export interface PageRange extends Pick<RowWindow, 'limit' | 'offset'> {
  readonly order: AssetOrder;
  /** The last row of the page before. */
  readonly after: { readonly sortValue: unknown; readonly id: unknown } | null;
}

export function keysetOf({ by, direction }: AssetOrder): Keyset {
  return { column: sortColumns[by], id: assets.id, direction };
}

/** The condition for rows after the last asset of the previous page. */
export function beyond({ order, after: position }: PageRange): SQL | undefined {
  return position ? after(keysetOf(order), position.sortValue, position.id) : undefined;
}

export function inOrder(range: PageRange): SQL {
  return sql`${orderBy(range)} ${literalLimit(range)}`;
}

export function orderBy({ order }: PageRange): SQL {
  return sql`order by ${sql.join(orderOf(keysetOf(order)), sql`, `)}`;
}
