import { generateKeyBetween, generateNKeysBetween } from 'fractional-indexing';

/**
 * Characters after which a list is ranked anew: one that grows at its ends needs five for 100,000 items,
 * and one that grows at a single gap gets a further character with about every sixth item.
 */
export const longestRank = 50;

/** The place between two neighbours; null is an end of the list. */
export interface Gap {
  readonly before: string | null;
  readonly after: string | null;
}

/**
 * A rank that sorts bytewise between two neighbours.
 *
 * @throws Error when `before` doesn't sort before `after`
 */
export function rankIn({ before, after }: Gap): string {
  return generateKeyBetween(before, after);
}

/** Ranks for a whole list, ascending and as short as they can be. */
export function freshRanks(count: number): string[] {
  return generateNKeysBetween(null, null, count);
}

/** Where the caller wants an item, as the contract's position bodies say it. */
export type Anchor =
  | { readonly position: number }
  | { readonly beforeId: string }
  | { readonly afterId: string };

/** The one anchor that a position body of the contract holds. */
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
