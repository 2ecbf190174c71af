import { and, asc, desc, eq, gte, lte, sql, type Placeholder, type SQL } from 'drizzle-orm';
import type { AnyPgColumn, AnyPgTable } from 'drizzle-orm/pg-core';
import type { Executor, Transaction } from '../../db/executor.ts';
import { preparedRead, statement } from '../../db/session/statement.ts';
import { freshRanks, longestRank, rankIn, type Anchor, type Gap } from './ranks.ts';

/** The values that identify one list. */
interface Key {
  readonly organizationId: string;
}
type Given<ListKey> = { readonly [Name in keyof ListKey]: ListKey[Name] | Placeholder };

/** Rows of a table ordered by unique ranks, in one list per key. */
export interface Ranking<ListKey extends Key> {
  readonly table: AnyPgTable;
  readonly id: AnyPgColumn;
  readonly rank: AnyPgColumn;
  /** The rows of the list; their ranks are unique within it. */
  within(key: Given<ListKey>): SQL | undefined;
}

/** All lists of a ranking. */
export interface RankedLists<ListKey extends Key> {
  readonly ranking: Ranking<ListKey>;
  readonly statements: ReturnType<typeof statementsOf>;
}

/**
 * One list. The caller holds a lock that keeps others from ranking the same list, such as one
 * on the row that owns the list.
 */
export interface RankedList<ListKey extends Key> extends RankedLists<ListKey> {
  readonly key: ListKey;
}

/** A known rank of a list that is too long to be counted from its beginning. */
export interface Landmark {
  /** Sorts after exactly `position` ranks of the list; empty for its beginning. */
  readonly rank: string;
  readonly position: number;
}

/** A free rank of a list. */
export interface FreeRank {
  readonly rank: string;
  /** Whether all ranks of the list had to change for it: then the place is new, even if the item had this rank before. */
  readonly isRenewed: boolean;
}

/** @param anyKey - placeholders for the key's values, each with the name of its value */
export function rankedLists<ListKey extends Key>(
  ranking: Ranking<ListKey>,
  anyKey: Given<ListKey>,
): RankedLists<ListKey> {
  return { ranking, statements: statementsOf(ranking, anyKey) };
}

function statementsOf<ListKey extends Key>(ranking: Ranking<ListKey>, anyKey: Given<ListKey>) {
  const { table, id, rank } = ranking;
  const isItself = sql`${rank} = ${sql.placeholder('standing')}::text`;
  const others = and(ranking.within(anyKey), sql`(${isItself}) is not true`);
  const isNeighbour = and(others, eq(id, sql.placeholder('neighbourId')));
  const ranks = (executor: Executor) => executor.select({ rank: sql<string>`${rank}` }).from(table);
  const ranksAmong = (executor: Executor, among?: SQL) => ranks(executor).where(and(others, among));

  return {
    first: statement((tx) => ranksAmong(tx).orderBy(asc(rank)).limit(1)),
    last: statement((tx) => ranksAmong(tx).orderBy(desc(rank)).limit(1)),
    // The neighbour itself and the one beyond it.
    before: preparedRead((tx) =>
      ranksAmong(tx, lte(rank, ranks(tx).where(isNeighbour)))
        .orderBy(desc(rank))
        .limit(2),
    ),
    after: preparedRead((tx) =>
      ranksAmong(tx, gte(rank, ranks(tx).where(isNeighbour)))
        .orderBy(asc(rank))
        .limit(2),
    ),
    // The index has only ranks, so that skipping to the position reads nothing else.
    atPlace: statement((tx) =>
      ranks(tx)
        .where(and(others, gte(rank, sql.placeholder('from'))))
        .orderBy(asc(rank))
        .limit(2)
        .offset(sql.placeholder('skipped')),
    ),
  };
}

/** Returns a rank after all others of the list. */
export async function rankAtEnd<ListKey extends Key>(
  tx: Transaction,
  list: RankedList<ListKey>,
): Promise<FreeRank> {
  const rank = rankIn({ before: await lastRank(tx, list, null), after: null });
  if (rank.length <= longestRank) return { rank, isRenewed: false };
  await rankAnew(tx, list);
  return { rank: rankIn({ before: await lastRank(tx, list, null), after: null }), isRenewed: true };
}

/** The target of an item. */
interface Wish {
  readonly anchor: Anchor;
  /** The rank of the item in this list; null when it comes from another one. */
  readonly standing: string | null;
  /** One at or before the position ahead of the anchor's; without it, positions are counted from the beginning. */
  readonly landmark?: Landmark;
  /** The new neighbours, if the caller has read them. */
  readonly gap?: Gap;
}

/**
 * Returns the rank for an item that moves within its list, or into it from another.
 *
 * @returns the rank `standing` itself, not renewed, when the position is unchanged; null when the neighbour isn't
 *   another item of the list
 */
export async function rankAt<ListKey extends Key>(
  tx: Transaction,
  list: RankedList<ListKey>,
  { gap: known, ...wish }: Wish,
): Promise<FreeRank | null> {
  const { anchor, standing } = wish;
  const gap = known ?? (await gapAt(tx, list, wish));
  if (gap === null) return null;
  if (standing !== null && isWithin(gap, standing)) return { rank: standing, isRenewed: false };
  const rank = rankIn(gap);
  if (rank.length <= longestRank) return { rank, isRenewed: false };
  const renewed = await rankAnew(tx, list);
  const freshStanding = standing === null ? null : (renewed.get(standing) ?? null);
  const freshGap = await gapAt(tx, list, { anchor, standing: freshStanding });
  return freshGap && { rank: rankIn(freshGap), isRenewed: true };
}

const beginning: Landmark = { rank: '', position: 0 };

/** The new neighbours of an item, without the item itself. */
async function gapAt<ListKey extends Key>(
  tx: Transaction,
  list: RankedList<ListKey>,
  { anchor, standing, landmark = beginning }: Omit<Wish, 'gap'>,
): Promise<Gap | null> {
  if ('position' in anchor) {
    return gapAtPosition(tx, list, { position: anchor.position, standing, landmark });
  }
  const isBefore = 'beforeId' in anchor;
  const { statements } = list;
  const [neighbour, other] = await (isBefore ? statements.before : statements.after)(tx, {
    ...list.key,
    standing,
    neighbourId: isBefore ? anchor.beforeId : anchor.afterId,
  });
  if (!neighbour) return null;
  const beyond = other?.rank ?? null;
  return isBefore
    ? { before: beyond, after: neighbour.rank }
    : { before: neighbour.rank, after: beyond };
}

async function gapAtPosition<ListKey extends Key>(
  tx: Transaction,
  list: RankedList<ListKey>,
  { position, standing, landmark }: Omit<Required<Wish>, 'anchor' | 'gap'> & { position: number },
): Promise<Gap> {
  const { statements, key } = list;
  if (position === 0) {
    const [first] = await statements.first(tx, { ...key, standing });
    return { before: null, after: first?.rank ?? null };
  }
  const knownIndex = landmark.position - (standing !== null && standing < landmark.rank ? 1 : 0);
  const [before, after] = await statements.atPlace(tx, {
    ...key,
    standing,
    from: landmark.rank,
    skipped: position - 1 - knownIndex,
  });
  if (before) return { before: before.rank, after: after?.rank ?? null };
  return { before: await lastRank(tx, list, standing), after: null };
}

async function lastRank<ListKey extends Key>(
  tx: Transaction,
  { statements, key }: RankedList<ListKey>,
  standing: string | null,
): Promise<string | null> {
  const [last] = await statements.last(tx, { ...key, standing });
  return last?.rank ?? null;
}

function isWithin({ before, after }: Gap, rank: string): boolean {
  return (before === null || before < rank) && (after === null || rank < after);
}

/**
 * Gives every item of a list a short rank, in the current order: the only statement that updates the
 * whole list.
 *
 * @returns the new rank of each old one
 */
async function rankAnew<ListKey extends Key>(
  tx: Transaction,
  { ranking, key }: RankedList<ListKey>,
): Promise<Map<string, string>> {
  const { table } = ranking;
  const within = ranking.within(key);
  const ordered = await tx
    .select({ rank: sql<string>`${ranking.rank}` })
    .from(table)
    .where(within)
    .orderBy(asc(ranking.rank));
  const old = ordered.map(({ rank }) => rank);
  const fresh = freshRanks(old.length);
  const rank = sql.identifier(ranking.rank.name);
  // Moved away first, since uniqueness is checked row by row: no rank of the library begins with `~`.
  await tx.execute(sql`update ${table} set ${rank} = '~' || ${ranking.rank} where ${within}`);
  await tx.execute(sql`
    update ${table} set ${rank} = renewed.fresh
    from unnest(${sql.param(old)}::text[], ${sql.param(fresh)}::text[]) as renewed (old, fresh)
    where ${within} and ${ranking.rank} = '~' || renewed.old`);
  return new Map(old.map((rankBefore, index) => [rankBefore, fresh[index] ?? rankBefore]));
}
