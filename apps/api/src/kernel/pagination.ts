import type { Pagination } from '@atelier/contract';
import { Failure } from './errors.ts';
import type { KeySet } from './keys.ts';
import { createSeal } from './seal.ts';

/** The position after which a keyset page continues: the sort value and id of the last item. */
export interface CursorPosition {
  readonly sortValue: string;
  readonly id: string;
}

/**
 * Encrypts and decrypts cursors that clients can neither read nor forge. A cursor is valid only for the list and order
 * that it was created for.
 */
export interface CursorCodec {
  encode(list: string, position: CursorPosition): string;
  /** @throws Failure `validation_failed` (400) for a cursor that is forged or from another list */
  decode(list: string, cursor: string): CursorPosition;
}

/** @param keys - processes with the same keys read each other's cursors */
export function createCursorCodec(keys: KeySet): CursorCodec {
  const { seal, open } = createSeal(keys);

  return {
    encode: (list, { sortValue, id }) =>
      seal(JSON.stringify([sortValue, id]), list).toString('base64url'),
    decode(list, cursor) {
      const opened = open(Buffer.from(cursor, 'base64url'), list);
      if (!opened) throw invalidCursor();
      // The seal proves that the service wrote it.
      const [sortValue, id] = JSON.parse(opened.toString()) as [string, string];
      return { sortValue, id };
    },
  };
}

/** The page parameters of a list, after validation by the contract. */
export interface PageRequest {
  readonly page?: number | undefined;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/** The rows that a query fetches: `limit` includes the extra row that indicates a next page. */
export interface RowWindow {
  readonly limit: number;
  readonly offset: number;
  readonly after: CursorPosition | null;
}

/** `limit` of the most common windows: a prepared statement may have these in its text. */
export const commonLimits: readonly number[] = [21, 51, 101];

/** @throws Failure `validation_failed` (400) for a forged cursor */
export function rowWindowOf(request: PageRequest, list: string, cursors: CursorCodec): RowWindow {
  const limit = request.limit + 1;
  if (request.cursor !== undefined) {
    return { limit, offset: 0, after: cursors.decode(list, request.cursor) };
  }
  return { limit, offset: ((request.page ?? 1) - 1) * request.limit, after: null };
}

/**
 * Builds a page from the rows that a window fetched.
 *
 * @param positionOf - returns the position after a row, for the cursor
 */
export function pageOf<Row, Item>(
  {
    rows,
    total,
    isTotalLowerBound = false,
  }: { rows: readonly Row[]; total: number; isTotalLowerBound?: boolean },
  request: PageRequest,
  {
    list,
    cursors,
    positionOf,
    present,
  }: {
    list: string;
    cursors: CursorCodec;
    positionOf: (row: Row) => CursorPosition;
    present: (row: Row) => Item;
  },
): { items: Item[]; pagination: Pagination } {
  const shown = rows.slice(0, request.limit);
  const last = shown.at(-1);
  const hasNext = rows.length > request.limit;
  return {
    items: shown.map(present),
    pagination: {
      page: request.page ?? 1,
      limit: request.limit,
      total,
      ...(isTotalLowerBound && { isTotalLowerBound }),
      totalPages: Math.ceil(total / request.limit),
      hasNext,
      ...(hasNext && last && { nextCursor: cursors.encode(list, positionOf(last)) }),
    },
  };
}

/** The position of a numbered page in a list without cursors. */
export function paginationOf(
  { page = 1, limit }: Pick<PageRequest, 'page' | 'limit'>,
  total: number,
): Pagination {
  const totalPages = Math.ceil(total / limit);
  return { page, limit, total, totalPages, hasNext: page < totalPages };
}

function invalidCursor(): Failure {
  const message = 'Invalid cursor: pass nextCursor of the page before, with the same sort';
  return new Failure('validation_failed', {
    errors: [{ in: 'query', path: ['cursor'], code: 'invalid_cursor', message }],
  });
}
