import { and, asc, desc, eq, gt, gte, lt, ne, sql, type SQL } from 'drizzle-orm';
import type { AnyPgColumn, AnyPgTable } from 'drizzle-orm/pg-core';
import type { Transaction } from '../../db/client.ts';
import { freshRanks, longestRank, rankIn, type Anchor, type Gap } from '../ranks.ts';

/**
 * Rows that are ordered by unique ranks. Whoever ranks holds a lock that keeps everybody else from
 * ranking the same list, such as one on the row that the list belongs to.
 */
export interface RankedList {
  readonly table: AnyPgTable;
  readonly id: AnyPgColumn;
  readonly rank: AnyPgColumn;
  /** Which rows of the table are the list; their ranks are unique among each other. */
  readonly within: SQL | undefined;
  /** For lists that may grow too long to be counted through. */
  readonly landmarks?: Landmarks;
}

/** Knows the rank of some positions of a list. */
export interface Landmarks {
  /** The last one that is known at or before a position. */
  atOrBefore(tx: Transaction, position: number): Promise<Landmark>;
  /** To be called when all ranks of the list have changed: what was known is wrong now. */
  forget(tx: Transaction): Promise<void>;
}

export interface Landmark {
  /** Sorts after exactly `position` ranks of the list; empty for its beginning. */
  readonly rank: string;
  readonly position: number;
}

/** A rank after all others of the list. */
export async function rankAtEnd(tx: Transaction, list: RankedList): Promise<string> {
  const rank = rankIn({ before: await lastRank(tx, list), after: null });
  if (rank.length <= longestRank) return rank;
  await rankAnew(tx, list);
  return rankIn({ before: await lastRank(tx, list), after: null });
}

/**
 * The rank for an item that moves within its list, or comes into it from another.
 *
 * @param standing - the rank that the item has in this very list; null when it comes from outside
 * @returns `standing` itself when the item stands there already; null when the neighbour isn't another
 *   item of the list
 */
export async function rankAt(
  tx: Transaction,
  list: RankedList,
  { anchor, standing }: { anchor: Anchor; standing: string | null },
): Promise<string | null> {
  const gap = await gapAt(tx, list, { anchor, standing });
  if (gap === null) return null;
  if (standing !== null && isWithin(gap, standing)) return standing;
  const rank = rankIn(gap);
  if (rank.length <= longestRank) return rank;
  const renewed = await rankAnew(tx, list);
  const freshStanding = standing === null ? null : (renewed.get(standing) ?? null);
  const freshGap = await gapAt(tx, list, { anchor, standing: freshStanding });
  return freshGap && rankIn(freshGap);
}

/** The neighbours an item would get, itself left out. */
async function gapAt(
  tx: Transaction,
  list: RankedList,
  { anchor, standing }: { anchor: Anchor; standing: string | null },
): Promise<Gap | null> {
  const others: RankedList = {
    ...list,
    within: and(list.within, standing === null ? undefined : ne(list.rank, standing)),
  };
  if ('position' in anchor) {
    return gapAtPosition(tx, others, { position: anchor.position, standing });
  }
  const [neighbour] = await tx
    .select({ rank: rankOf(list) })
    .from(list.table)
    .where(
      and(others.within, eq(list.id, 'beforeId' in anchor ? anchor.beforeId : anchor.afterId)),
    );
  if (!neighbour) return null;
  const { rank } = neighbour;
  return 'beforeId' in anchor
    ? { before: await lastRank(tx, others, lt(list.rank, rank)), after: rank }
    : { before: rank, after: await firstRank(tx, others, gt(list.rank, rank)) };
}

async function gapAtPosition(
  tx: Transaction,
  others: RankedList,
  { position, standing }: { position: number; standing: string | null },
): Promise<Gap> {
  if (position === 0) return { before: null, after: await firstRank(tx, others) };
  const index = position - 1;
  const known = (await others.landmarks?.atOrBefore(tx, index)) ?? { rank: '', position: 0 };
  const knownIndex = known.position - (standing !== null && standing < known.rank ? 1 : 0);
  // Ranks alone are in the index, so that skipping to the place reads nothing else.
  const [before, after] = await tx
    .select({ rank: rankOf(others) })
    .from(others.table)
    .where(and(others.within, gte(others.rank, known.rank)))
    .orderBy(asc(others.rank))
    .limit(2)
    .offset(index - knownIndex);
  if (before) return { before: before.rank, after: after?.rank ?? null };
  return { before: await lastRank(tx, others), after: null };
}

async function firstRank(tx: Transaction, list: RankedList, among?: SQL): Promise<string | null> {
  const [first] = await tx
    .select({ rank: rankOf(list) })
    .from(list.table)
    .where(and(list.within, among))
    .orderBy(asc(list.rank))
    .limit(1);
  return first?.rank ?? null;
}

async function lastRank(tx: Transaction, list: RankedList, among?: SQL): Promise<string | null> {
  const [last] = await tx
    .select({ rank: rankOf(list) })
    .from(list.table)
    .where(and(list.within, among))
    .orderBy(desc(list.rank))
    .limit(1);
  return last?.rank ?? null;
}

function rankOf({ rank }: RankedList): SQL<string> {
  return sql<string>`${rank}`;
}

function isWithin({ before, after }: Gap, rank: string): boolean {
  return (before === null || before < rank) && (after === null || rank < after);
}

/**
 * Gives every item of a list a short rank, in the order they are in: the one statement that touches the
 * whole list.
 *
 * @returns the new rank of each old one
 */
async function rankAnew(tx: Transaction, list: RankedList): Promise<Map<string, string>> {
  const ordered = await tx
    .select({ rank: rankOf(list) })
    .from(list.table)
    .where(list.within)
    .orderBy(asc(list.rank));
  const old = ordered.map(({ rank }) => rank);
  const fresh = freshRanks(old.length);
  const rank = sql.identifier(list.rank.name);
  // Out of the way first, since ranks are unique row by row: no rank of the library begins with `~`.
  await tx.execute(
    sql`update ${list.table} set ${rank} = '~' || ${list.rank} where ${list.within}`,
  );
  await tx.execute(sql`
    update ${list.table} set ${rank} = renewed.fresh
    from unnest(${sql.param(old)}::text[], ${sql.param(fresh)}::text[]) as renewed (old, fresh)
    where ${list.within} and ${list.rank} = '~' || renewed.old`);
  await list.landmarks?.forget(tx);
  return new Map(old.map((rankBefore, index) => [rankBefore, fresh[index] ?? rankBefore]));
}
