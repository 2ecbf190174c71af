export const texts = {
  title: 'Bin',
  description: 'Deleted items stay here for 30 days and are then permanently deleted.',
  search: 'Search the bin',
  scope: 'Show',
  scopes: { everyone: 'All', mine: 'Added by me' },
  tabs: { assets: 'Assets', collections: 'Collections' },
  label: 'Contents of the bin',
  columns: { name: 'Name', deleted: 'Deleted', purge: 'Permanently deleted', actions: 'Actions' },
  contains: (count: number) =>
    count === 0
      ? 'Empty'
      : count === 1
        ? 'Contains 1 asset'
        : `Contains ${count.toLocaleString('en')} assets`,
  restore: 'Restore',
  restoreLabel: (name: string) => `Restore ${name}`,
  purgeLabel: (name: string) => `Delete ${name} permanently`,
  empty: 'Empty bin…',
  emptyMine: 'Empty my bin…',
  emptyAssets: 'No deleted assets',
  emptyCollections: 'No deleted collections',
  emptyHint: 'Deleted items stay here for 30 days in case you want them back.',
};
