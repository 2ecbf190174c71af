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

/** Builds the condition for names that contain a text. Where a name isn't folded yet, only its case doesn't matter. */
export function nameContains(
  { name, folded }: FoldedName,
  pattern: { readonly typed: unknown; readonly folded: unknown },
): SQL | undefined {
  return or(
    like(folded, sql`${pattern.folded}`),
    and(isNull(folded), ilike(name, sql`${pattern.typed}`)),
  );
}

/**
 * Builds the condition for a column that is always folded and contains a text. It is false for null, which lets an index
 * without nulls serve it.
 */
export function foldedContains(folded: AnyColumn, pattern: { readonly folded: unknown }): SQL {
  return like(folded, sql`${pattern.folded}`);
}

/** Returns the patterns of {@link nameContains}. */
export function patternsOf({ typed, folded }: SearchedText) {
  return { typed: containing(typed), folded: containing(folded) };
}

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
