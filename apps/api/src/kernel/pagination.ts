import { createCipheriv, createDecipheriv, createHmac, randomFillSync } from 'node:crypto';
import type { Pagination } from '@atelier/contract';
import { Failure } from './errors.ts';

/** Where a keyset page goes on: the sort value and id of the last item. */
export interface CursorPosition {
  readonly sortValue: string;
  readonly id: string;
}

/**
 * Makes and reads cursors that nobody else can read or make. A cursor fits only the list and order it
 * was made for.
 */
export interface CursorCodec {
  encode(list: string, position: CursorPosition): string;
  /** @throws Failure `validation_failed` (400) for a cursor that is forged or of another list */
  decode(list: string, cursor: string): CursorPosition;
}

const cipherName = 'aes-256-gcm';
const ivBytes = 12;
const tagBytes = 16;

/** @param secret - any process with the same secret reads the cursors of the others */
export function createCursorCodec(secret: string): CursorCodec {
  const key = createHmac('sha256', secret).update('cursor').digest();
  const newIv = ivSource();

  return {
    encode(list, { sortValue, id }) {
      const iv = newIv();
      const cipher = createCipheriv(cipherName, key, iv).setAAD(Buffer.from(list));
      const sealed = [iv, cipher.update(JSON.stringify([sortValue, id])), cipher.final()];
      return Buffer.concat([...sealed, cipher.getAuthTag()]).toString('base64url');
    },
    decode(list, cursor) {
      const bytes = Buffer.from(cursor, 'base64url');
      if (bytes.length <= ivBytes + tagBytes) throw invalidCursor();
      const decipher = createDecipheriv(cipherName, key, bytes.subarray(0, ivBytes))
        .setAAD(Buffer.from(list))
        .setAuthTag(bytes.subarray(-tagBytes));
      const opened = decipher.update(bytes.subarray(ivBytes, -tagBytes));
      try {
        decipher.final();
      } catch {
        throw invalidCursor();
      }
      // Ours, as the tag has proven.
      const [sortValue, id] = JSON.parse(opened.toString()) as [string, string];
      return { sortValue, id };
    },
  };
}

/** Random ones, each given once. Drawn many at a time: for twelve bytes, most of the cost is to ask. */
function ivSource(): () => Buffer {
  const drawn = Buffer.alloc(ivBytes * 128);
  let used = drawn.length;
  return () => {
    if (used === drawn.length) {
      randomFillSync(drawn);
      used = 0;
    }
    used += ivBytes;
    return drawn.subarray(used - ivBytes, used);
  };
}

/** What a list was asked for, past the contract. */
export interface PageRequest {
  readonly page?: number | undefined;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/** Which rows a query is to fetch: `limit` already counts the one that proves there is a next page. */
export interface RowWindow {
  readonly limit: number;
  readonly offset: number;
  readonly after: CursorPosition | null;
}

/** `limit` of the windows that are asked for most: what a prepared statement may have in its text. */
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
 * Makes a page of the rows that a window fetched.
 *
 * @param positionOf - where a cursor goes on after a row
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

/** Where a numbered page stands in a list that takes no cursor. */
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
