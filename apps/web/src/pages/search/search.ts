const names = [
  'q',
  'type',
  'scope',
  'project',
  'collection',
  'by',
  'assignee',
  'status',
  'from',
  'to',
] as const;

/** Search parameters of this page, as they are in the address; `filters.ts` reads them. */
export type SearchSearch = { readonly [Name in (typeof names)[number]]?: string | undefined };

export function validateSearch(search: Record<string, unknown>): SearchSearch {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = search[name];
      // The router parses digits as a number.
      const isText = (typeof value === 'string' && value !== '') || typeof value === 'number';
      return isText ? [[name, String(value).slice(0, 200)]] : [];
    }),
  );
}
