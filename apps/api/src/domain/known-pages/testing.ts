import type { PageOfList, ReadPage } from './known-pages.ts';

/** A list whose pages are numbered as they are read. */
export function numberedList(
  organizationId: string,
  { people = [] as ReadPage<object>['people'] } = {},
) {
  let reads = 0;
  const page: PageOfList<{ text: string }> = {
    organizationId,
    key: 'a list',
    async read() {
      reads += 1;
      return { shown: { text: `read ${reads}` }, people };
    },
  };
  return { page, reads: () => reads };
}
