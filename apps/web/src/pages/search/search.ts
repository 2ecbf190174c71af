/** Search parameters of this page, as they are in the address; `filters.ts` reads them, in the chunk of the page. */
export interface SearchSearch {
  readonly q?: unknown;
  readonly type?: unknown;
  readonly scope?: unknown;
  readonly project?: unknown;
  readonly collection?: unknown;
  readonly by?: unknown;
  readonly assignee?: unknown;
  readonly status?: unknown;
  readonly from?: unknown;
  readonly to?: unknown;
}

export const validateSearch = (search: SearchSearch): SearchSearch => search;
