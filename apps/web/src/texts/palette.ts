/** Texts of the command palette. */
export const texts = {
  title: 'Search and commands',
  placeholder: 'Search everything, or type a command…',
  results: 'Results',
  none: (query: string) => `Nothing found for “${query}”.`,
  groups: {
    actions: 'Actions',
    pages: 'Pages',
    recent: 'Recent',
    found: 'Results',
    others: 'In texts, or spelled similarly',
    search: 'Search',
    organizations: 'Switch organization',
  },
  everything: (query: string) => `Search everything for “${query}”`,
  within: (query: string, name: string) => `Search in ${name} for “${query}”`,
  searchPage: 'Search',
  failed: 'The search isn’t available at the moment.',
  found: (count: number) => (count === 1 ? '1 result' : `${count} results`),
};
