/** What a search finds. */
export const searchTypes = ['task', 'comment', 'asset', 'collection', 'project', 'person'] as const;
export type SearchTypeName = (typeof searchTypes)[number];

/** Returns the types that a valid `types` of a request names, each once; all of them without one. */
export function searchTypesOf(types: string | undefined): readonly SearchTypeName[] {
  if (types === undefined) return searchTypes;
  const named = types.split(',');
  return searchTypes.filter((type) => named.includes(type));
}

/** What `is:` asks for: tasks past their due date, neither DONE nor CANCELLED; tasks with DONE; and those with neither. */
export const searchStates = ['overdue', 'open', 'done'] as const;
export type SearchState = (typeof searchStates)[number];

/** Maximum number of words of a query; more are cut. */
export const maxSearchWords = 12;
/** Minimum number of letters, after folding, of a word that may be a beginning. */
export const minBeginningLength = 2;

/** A word, or words that occur next to each other in this order. */
export interface SearchTerm {
  /** As typed: not folded. At least one. */
  readonly words: readonly string[];
  /** The last word may go on: it is still being typed. */
  readonly isBeginning: boolean;
}

/** Each filter has the values of which one must apply. Values are as typed. */
export interface SearchFilters {
  readonly types: readonly SearchTypeName[];
  /** Keys or names of projects, or titles of collections. */
  readonly in: readonly string[];
  /** `me`, or the name or email of a person, or the start of it. */
  readonly by: readonly string[];
  readonly assignee: readonly string[];
  readonly is: readonly SearchState[];
  /** Changed before the start of this day in UTC, `2026-12-01`; null without one. */
  readonly before: string | null;
  /** Changed at or after the start of this day in UTC; null without one. */
  readonly after: string | null;
}

/** A query of `search.find`, taken apart. */
export interface SearchQuery {
  /** All of them occur in what is found. At most one is a beginning: the last. */
  readonly terms: readonly SearchTerm[];
  /** None of them occurs. */
  readonly excluded: readonly SearchTerm[];
  readonly filters: SearchFilters;
  /** `WEB-12`, or `#12` with null for the key; it is among the terms as well. */
  readonly taskNumber: { readonly projectKey: string | null; readonly number: number } | null;
  /** It had more than {@link maxSearchWords}. */
  readonly isCut: boolean;
  /** It has neither a term nor a filter: `search_query_invalid`. */
  readonly isEmpty: boolean;
}

/**
 * Returns the words of a text: runs of letters, marks and numbers. Invisible signs of format are no border.
 *
 * The index and the query take texts apart by it, each before folding and again after it.
 */
export function searchWordsOf(text: string): string[] {
  return text.replaceAll(/\p{Cf}/gu, '').match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
}

/** Takes a query apart. It accepts every string, and never throws. */
export function parseSearchQuery(text: string): SearchQuery {
  const filters = noFilters();
  const terms: SearchTerm[] = [];
  const excluded: SearchTerm[] = [];
  let taskNumber: SearchQuery['taskNumber'] = null;
  let hasFilter = false;
  let left = maxSearchWords;
  let isCut = false;
  for (const token of tokensOf(text)) {
    if (left > 0 && addFilter(filters, token)) {
      hasFilter = true;
      left -= 1;
      continue;
    }
    const all = searchWordsOf(token.text);
    const words = all.slice(0, left);
    const isWhole = words.length === all.length;
    left -= words.length;
    if (!isWhole) isCut = true;
    if (words.length === 0) continue;
    const isBeginning = token.isOpen && isWhole && !token.isExcluded;
    (token.isExcluded ? excluded : terms).push({ words, isBeginning });
    taskNumber ??= token.isExcluded ? null : taskNumberIn(token.text);
  }
  const isEmpty = terms.length === 0 && !hasFilter;
  return { terms, excluded, filters, taskNumber, isCut, isEmpty };
}

interface Token {
  /** Without its quotes and its minus. */
  readonly text: string;
  readonly isExcluded: boolean;
  /** What is before a colon, and the value after it without its quotes; null without one. */
  readonly filter: { readonly name: string; readonly value: string } | null;
  /** The query ends in it, with neither a space nor a quote after it. */
  readonly isOpen: boolean;
}

// A value in quotes may have spaces. Without the closing quote, it goes on to the end.
const tokenPattern =
  /(?<minus>(?<!\S)-)?(?:(?<name>[A-Za-z]{1,8}):)?(?:["“”„](?<quoted>[^"“”„]*)(?<close>["“”„]?)|(?<plain>[^\s"“”„]+))/gu;

function tokensOf(text: string): Token[] {
  return [...text.matchAll(tokenPattern)].map(({ 0: whole, index, groups = {} }) => {
    const { minus, name, quoted, close, plain } = groups;
    const value = quoted ?? plain ?? '';
    return {
      text: name === undefined ? value : `${name}:${value}`,
      isExcluded: minus !== undefined,
      filter: name === undefined ? null : { name: name.toLowerCase(), value },
      isOpen: index + whole.length === text.length && !close && !/\s$/u.test(value),
    };
  });
}

type Writable<Type> = {
  -readonly [Key in keyof Type]: Type[Key] extends readonly (infer Item)[] ? Item[] : Type[Key];
};

function noFilters(): Writable<SearchFilters> {
  return { types: [], in: [], by: [], assignee: [], is: [], before: null, after: null };
}

/** Adds the filter that a token is. @returns whether it is one; an unknown name or value makes it a word */
function addFilter(filters: Writable<SearchFilters>, { filter, isExcluded }: Token): boolean {
  if (filter === null || isExcluded) return false;
  const { name, value } = filter;
  switch (name) {
    case 'type':
      return addKnown(filters.types, searchTypes, value);
    case 'is':
      return addKnown(filters.is, searchStates, value);
    case 'in':
    case 'by':
    case 'assignee':
      if (searchWordsOf(value).length === 0) return false;
      filters[name].push(value);
      return true;
    case 'before':
    case 'after':
      if (!isDay(value)) return false;
      filters[name] = value;
      return true;
    default:
      return false;
  }
}

function addKnown<Name extends string>(
  values: Name[],
  names: readonly Name[],
  value: string,
): boolean {
  const known = names.find((name) => name === value.toLowerCase());
  if (known === undefined) return false;
  values.push(known);
  return true;
}

function isDay(value: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(value)) return false;
  const day = new Date(value);
  // A day that its month doesn't have becomes one of the next.
  return day.getTime() >= 0 && day.toISOString().startsWith(value);
}

function taskNumberIn(text: string): SearchQuery['taskNumber'] {
  const [, projectKey, number] =
    /^(?:([A-Za-z][A-Za-z\d]{0,15})-|#)([1-9]\d{0,8})$/.exec(text) ?? [];
  if (number === undefined) return null;
  return { projectKey: projectKey?.toUpperCase() ?? null, number: Number(number) };
}
