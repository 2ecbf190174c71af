import { generateKeyBetween, generateNKeysBetween } from 'fractional-indexing';

/**
 * Length at which a list is ranked anew: a list that grows at its ends needs five characters for 100,000 items,
 * and one that grows at a single gap needs one more with about every sixth item.
 */
export const longestRank = 50;

/** The gap between two neighbours; null is an end of the list. */
export interface Gap {
  readonly before: string | null;
  readonly after: string | null;
}

/**
 * Returns a rank that sorts bytewise between two neighbours.
 *
 * @throws Error when `before` doesn't sort before `after`
 */
export function rankIn({ before, after }: Gap): string {
  return generateKeyBetween(before, after);
}

/** Returns ranks for a whole list, ascending and as short as possible. */
export function freshRanks(count: number): string[] {
  return generateNKeysBetween(null, null, count);
}

/** The requested place of an item, as in the contract's position bodies. */
export type Anchor =
  | { readonly position: number }
  | { readonly beforeId: string }
  | { readonly afterId: string };

/** Returns the only anchor of a position body. */
export function anchorOf(body: {
  readonly position?: number | undefined;
  readonly beforeId?: string | undefined;
  readonly afterId?: string | undefined;
}): Anchor {
  if (body.position !== undefined) return { position: body.position };
  if (body.beforeId !== undefined) return { beforeId: body.beforeId };
  if (body.afterId !== undefined) return { afterId: body.afterId };
  throw new Error('unreachable: the contract asks for one anchor');
}
