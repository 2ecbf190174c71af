import { hash } from 'node:crypto';
import type { Pagination } from '@atelier/contract';
import { Failure } from './errors.ts';
import type { KeySet } from './keys.ts';
import { createSeal } from './seal.ts';

/** The position after which a keyset page continues: the sort value and id of the last item. */
export interface CursorPosition {
  readonly sortValue: string;
  readonly id: string;
}

/** The number of rows of a list; a lower bound for one that is too long to be counted. */
export interface Total {
  readonly total: number;
  readonly isTotalLowerBound: boolean;
}

/** A total that a cursor carries, so that only the first page counts. */
interface CarriedTotal extends Total {
  /** A hash of all that the total depends on. */
  readonly of: string;
}

/** Null in a cursor of a list that counts on each page, or of an earlier release. */
type Carried = CarriedTotal | null;

/**
 * Encrypts and decrypts cursors that clients can neither read nor forge. A cursor is valid only for the list and order
 * that it was created for.
 */
export interface CursorCodec {
  encode(list: string, position: CursorPosition, carried?: Carried): string;
  /** @throws Failure `validation_failed` (400) for a cursor that is forged or from another list */
  decode(list: string, cursor: string): CursorPosition & { readonly carried: Carried };
}

/** @param keys - processes with the same keys read each other's cursors */
export function createCursorCodec(keys: KeySet): CursorCodec {
  const { seal, open } = createSeal(keys);

  return {
    encode(list, { sortValue, id }, carried = null) {
      const total = carried ? [carried.total, carried.isTotalLowerBound, carried.of] : [];
      return seal(JSON.stringify([sortValue, id, ...total]), list).toString('base64url');
    },
    decode(list, cursor) {
      const opened = open(Buffer.from(cursor, 'base64url'), list);
      if (!opened) throw invalidCursor();
      // The seal proves that the service wrote it.
      const [sortValue, id, ...total] = JSON.parse(opened.toString()) as [
        string,
        string,
        ...([] | [number, boolean, string]),
      ];
      const carried =
        total.length === 0 ? null : { total: total[0], isTotalLowerBound: total[1], of: total[2] };
      return { sortValue, id, carried };
    },
  };
}

/** The page parameters of a list, after validation by the contract. */
export interface PageRequest {
  readonly page?: number | undefined;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

type NumberedPageRequest = Pick<PageRequest, 'page' | 'limit'>;

/** The rows that a query fetches: `limit` includes the extra row that indicates a next page. */
export interface RowWindow {
  readonly limit: number;
  readonly offset: number;
  readonly after: CursorPosition | null;
  /** What an earlier page counted; null: this one counts. */
  readonly total: Total | null;
}

/** A list as its cursors know it. */
export interface CursorList {
  /** Its name with its order. */
  readonly list: string;
  readonly cursors: CursorCodec;
  /** All that its total depends on. Without it, each page counts. */
  readonly countedFor?: object;
}

/** `limit` of the most common windows: a prepared statement may have these in its text. */
export const commonLimits: readonly number[] = [21, 51, 101];

/** @throws Failure `validation_failed` (400) for a forged cursor */
export function rowWindowOf(
  request: PageRequest,
  { list, cursors, countedFor }: CursorList,
): RowWindow {
  const limit = request.limit + 1;
  if (request.cursor === undefined) {
    return { limit, offset: ((request.page ?? 1) - 1) * request.limit, after: null, total: null };
  }
  const { carried, ...after } = cursors.decode(list, request.cursor);
  // A cursor also continues the same order with other filters, which have another total.
  const total = carried && countedFor && carried.of === hashOf(countedFor) ? carried : null;
  return { limit, offset: 0, after, total };
}

function hashOf(countedFor: object): string {
  return hash('sha256', JSON.stringify(countedFor), 'base64url').slice(0, 16);
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
    countedFor,
    positionOf,
    present,
  }: CursorList & {
    positionOf: (row: Row) => CursorPosition;
    present: (row: Row) => Item;
  },
): { items: Item[]; pagination: Pagination } {
  const shown = rows.slice(0, request.limit);
  const last = shown.at(-1);
  const hasNext = rows.length > request.limit;
  const carried = countedFor ? { total, isTotalLowerBound, of: hashOf(countedFor) } : null;
  return {
    items: shown.map(present),
    pagination: {
      page: request.page ?? 1,
      limit: request.limit,
      total,
      ...(isTotalLowerBound && { isTotalLowerBound }),
      totalPages: Math.ceil(total / request.limit),
      hasNext,
      ...(hasNext && last && { nextCursor: cursors.encode(list, positionOf(last), carried) }),
    },
  };
}

/** The rows of a numbered page in a list without cursors. */
export function numberedWindowOf({ page = 1, limit }: NumberedPageRequest): {
  limit: number;
  offset: number;
} {
  return { limit, offset: (page - 1) * limit };
}

/** The position of a numbered page in a list without cursors. */
export function paginationOf({ page = 1, limit }: NumberedPageRequest, total: number): Pagination {
  const totalPages = Math.ceil(total / limit);
  return { page, limit, total, totalPages, hasNext: page < totalPages };
}

/** The order that a list's `sort` names: descending with a minus. */
export function orderIn<By extends string>(
  sort: By | `-${By}`,
): { by: By; direction: 'ascending' | 'descending' } {
  // The compiler knows what the minus stands before, but not how to take it off.
  return sort.startsWith('-')
    ? { by: sort.slice(1) as By, direction: 'descending' }
    : { by: sort as By, direction: 'ascending' };
}

function invalidCursor(): Failure {
  const message = 'Invalid cursor: pass nextCursor of the page before, with the same sort';
  return new Failure('validation_failed', {
    errors: [{ in: 'query', path: ['cursor'], code: 'invalid_cursor', message }],
  });
}
