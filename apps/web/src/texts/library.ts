import { withNames } from '../ui/with-names.ts';

/** Texts that collections, assets, favorites and the bin share. */
export const texts = {
  kinds: {
    image: 'Image',
    video: 'Video',
    audio: 'Audio',
    pdf: 'PDF',
    text: 'Text',
    archive: 'Archive',
    other: 'File',
  },
  assets: (count: number) => (count === 1 ? '1 asset' : `${count.toLocaleString('en')} assets`),
  collections: (count: number) =>
    count === 1 ? '1 collection' : `${count.toLocaleString('en')} collections`,
  favorite: (name: string) => `Favorite: ${name}`,
  more: (name: string) => `More actions for ${name}`,
  clearSearch: 'Clear search',
  sort: 'Sort',
  noMatches: 'No matches',
  noMatchesHint: 'Try another search or clear the filters.',
  showAll: 'Show all',
  columns: { name: 'Name', type: 'Type', size: 'Size', added: 'Added', actions: 'Actions' },
  select: (name: string) => `Select ${name}`,
  selectAll: 'Select all shown',
  rename: 'Rename…',
  move: 'Move…',
  publish: 'Publish to a team…',
  share: 'Share…',
  download: 'Download',
  undone: 'Undone.',
  deletedAsset: (name: string) => withNames`Moved “${name}” to the bin.`,
  deletedAssets: (count: number) =>
    count === 1 ? 'Moved 1 asset to the bin.' : `Moved ${count} assets to the bin.`,
  deletedCollection: (title: string, assets: number) =>
    assets === 0
      ? withNames`Moved “${title}” to the bin.`
      : withNames`Moved “${title}” and its ${assets === 1 ? 'asset' : `${assets} assets`} to the bin.`,
  restored: (name: string) => withNames`Restored “${name}”.`,
  moved: (name: string, collection: string) => withNames`Moved “${name}” to “${collection}”.`,
  movedSeveral: (count: number, collection: string) =>
    withNames`Moved ${String(count)} assets to “${collection}”.`,
  published: (name: string, team: string) => withNames`Published “${name}” to ${team}.`,
  publishedSeveral: (count: number, team: string) =>
    withNames`Published ${String(count)} assets to ${team}.`,
  someFailed: (failed: number, all: number, reason: string) =>
    `${failed} of ${all} failed: ${reason}`,
  renameDialog: {
    title: 'Rename asset',
    name: 'Name',
    missing: 'Give the asset a name.',
    tooLong: 'Use at most 255 characters.',
  },
  moveDialog: {
    title: (count: number) => (count === 1 ? 'Move asset' : `Move ${count} assets`),
    collection: 'To',
    action: 'Move',
    noOther: 'There is no other collection. Create one first.',
  },
  publishDialog: {
    title: (count: number) => (count === 1 ? 'Publish asset' : `Publish ${count} assets`),
    hint: 'The team gets its own copy. Yours stays private; publish again to send a new version.',
    team: 'Team',
    collection: 'Collection',
    own: 'Your collection “Published”',
    action: 'Publish',
    noTeam: 'You are not in a team that you can publish to. Create one or ask for an invitation.',
  },
  collectionDialog: {
    create: 'New collection',
    rename: 'Rename collection',
    title: 'Title',
    missing: 'Give the collection a title.',
    tooLong: 'Use at most 120 characters.',
  },
};
