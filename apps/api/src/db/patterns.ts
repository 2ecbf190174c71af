import { and, ilike, isNull, like, or, sql, type AnyColumn, type SQL } from 'drizzle-orm';

/** A text that names are searched for, as it was typed and as the database keeps names. */
export interface SearchedText {
  readonly typed: string;
  readonly folded: string;
}

/** A name, and the column with its folded form; null in rows of an earlier release. */
interface FoldedName {
  readonly name: AnyColumn;
  readonly folded: AnyColumn;
}

/** A text in folded columns. */
interface FoldedPattern {
  readonly folded: unknown;
  /** The text, if it is too short for an index of trigrams. */
  readonly short?: string | undefined;
}

/** Builds the condition for names that contain a text. Where a name isn't folded yet, only its case doesn't matter. */
export function nameContains(
  { name, folded }: FoldedName,
  pattern: FoldedPattern & { readonly typed: unknown },
): SQL | undefined {
  return or(
    foldedContains(folded, pattern),
    and(isNull(folded), ilike(name, sql`${pattern.typed}`)),
  );
}

/**
 * Builds the condition for a column that is folded and contains a text. It is false for null, which lets an index
 * without nulls serve it.
 *
 * Two letters or digits are no trigram, but with any letter, digit or end of a word behind them they are one: an index finds those.
 * Without, all names are read for two that are rare.
 */
export function foldedContains(folded: AnyColumn, { folded: pattern, short }: FoldedPattern): SQL {
  if (short === undefined) return like(folded, sql`${pattern}`);
  // Compared first and cheaper, without a share in what is estimated.
  return sql`(strpos(${folded}, ${short}) <> 0 and (${folded} ~ ${`${short}[\\x01-\\x7f]`} or ${folded} like ${`%${short}`}))`;
}

/** Returns the patterns of {@link nameContains}. */
export function patternsOf({ typed, folded }: SearchedText) {
  return {
    typed: containing(typed),
    folded: containing(folded),
    short: isShort.test(folded) ? folded : undefined,
  };
}

const isShort = /^[a-z0-9]{2}$/;

/** Builds a `like` or `ilike` pattern for values that contain a text, with its wildcards escaped. */
export function containing(text: string): string {
  return `%${escaped(text)}%`;
}

/** Builds a `like` or `ilike` pattern for values that start with a text, with its wildcards escaped. */
export function startingWith(text: string): string {
  return `${escaped(text)}%`;
}

function escaped(text: string): string {
  return text.replaceAll(/[\\%_]/g, '\\$&');
}
