export const texts = {
  title: 'Bin',
  description: 'What is deleted stays here for 30 days, then it is gone for good.',
  search: 'Search the bin',
  scope: 'Whose deletions',
  scopes: { everyone: 'Everyone’s', mine: 'Mine' },
  tabs: { assets: 'Assets', collections: 'Collections' },
  label: 'What is in the bin',
  columns: { name: 'Name', deleted: 'Deleted', purge: 'Gone for good', actions: 'Actions' },
  along: (count: number) =>
    count === 0
      ? 'Empty'
      : count === 1
        ? 'With 1 asset'
        : `With ${count.toLocaleString('en')} assets`,
  restore: 'Restore',
  restoreLabel: (name: string) => `Restore ${name}`,
  emptyAssets: 'No deleted assets',
  emptyCollections: 'No deleted collections',
  emptyHint: 'What you delete waits here for 30 days, in case you want it back.',
};
