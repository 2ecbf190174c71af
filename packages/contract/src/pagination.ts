import { z } from 'zod/v4';
import { documentedDefault, queryInteger, text } from './primitives.ts';

/** Default number of items on a page. */
export const defaultPageLimit = 20;
/** Maximum number of items on a page. */
export const maxPageLimit = 100;

const page = queryInteger({ min: 1, max: 1_000_000 })
  .optional()
  .meta({
    description: 'Page number from 1. Default 1. Not together with `cursor`.',
    ...documentedDefault(1),
  });
const limit = queryInteger({ min: 1, max: maxPageLimit })
  .default(defaultPageLimit)
  .meta({
    description: 'Items per page, 1 to 100. Default 20.',
    ...documentedDefault(defaultPageLimit),
  });
const cursor = z
  .string()
  .min(1)
  .max(4096)
  .optional()
  .describe(
    'Opaque `nextCursor` of the previous page. Stable under inserts and faster than `page`.',
  );

/** Free-text search by name. */
export const searchText = text({ max: 200 })
  .optional()
  .describe('Text to search for, at most 200 characters.');

/** Query fields of a small list. */
export const pageQuery = { page, limit };

/** Query fields of a list that can grow without bound. */
export const cursorQuery = { page, limit, cursor };

/**
 * Returns the query of a list that can grow without bound.
 *
 * @param fields - what the list takes besides page, limit and cursor
 */
export function cursorListOf<Fields extends z.ZodRawShape>(fields: Fields) {
  return z
    .object({ ...cursorQuery, ...fields })
    .refine(({ page, cursor }: CursorPosition) => page === undefined || cursor === undefined, {
      path: ['page'],
      error: 'Invalid page: not together with `cursor`',
    });
}

interface CursorPosition {
  readonly page?: unknown;
  readonly cursor?: unknown;
}

/** Query of a list that can grow without bound and takes nothing else. */
export const cursorList = cursorListOf({});

/**
 * The allowed orders of a list: a field ascends, and descends with `-` before it. The id breaks ties.
 *
 * @param orders - every allowed value; the first is the default
 */
export function sortQuery<const Order extends string>(orders: readonly [Order, ...Order[]]) {
  return z
    .enum(orders)
    .default(orders[0])
    .describe(`Order; \`-\` descends, the id breaks ties. Default \`${orders[0]}\`.`);
}

export const Pagination = z
  .object({
    page: z.int().min(1),
    limit: z.int().min(1).max(maxPageLimit),
    total: z.int().min(0),
    isTotalLowerBound: z
      .literal(true)
      .optional()
      .describe(
        'Present if counting stopped, as it does at 10,000 at the latest: the list is longer than `total`.',
      ),
    totalPages: z.int().min(0),
    hasNext: z.boolean(),
    nextCursor: z.string().optional(),
  })
  .meta({
    id: 'Pagination',
    description:
      'The position of a page in its list. `nextCursor` is present if there is a next page by cursor.',
    examples: [{ page: 1, limit: 20, total: 42, totalPages: 3, hasNext: true }],
  });
export type Pagination = z.infer<typeof Pagination>;

/** One page of a named resource: `{ items, pagination }`. */
export function pageOf<Item extends z.ZodType>(item: Item, name: string) {
  return z.object({ items: z.array(item), pagination: Pagination }).meta({
    id: name,
    description: 'One page: its items and its position in the list.',
    examples: [{ items: examplesOf(item), pagination: examplesOf(Pagination)[0] }],
  });
}

function examplesOf(schema: z.ZodType): unknown[] {
  const examples = schema.meta()?.examples;
  return Array.isArray(examples) ? examples : [];
}
