/** Words that collections, assets, favorites and the bin share. */
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
  nothingFits: 'Nothing fits',
  nothingFitsHint: 'No name contains what you search for, or the filter leaves nothing.',
  showAll: 'Show everything',
  columns: { name: 'Name', type: 'Type', size: 'Size', added: 'Added', actions: 'Actions' },
  select: (name: string) => `Select ${name}`,
  selectAll: 'Select all that are shown',
  rename: 'Rename…',
  move: 'Move…',
  publish: 'Publish to a team…',
  download: 'Download',
  undone: 'It is back.',
  deletedAsset: (name: string) => `“${name}” is in the bin.`,
  deletedAssets: (count: number) =>
    count === 1 ? '1 asset is in the bin.' : `${count} assets are in the bin.`,
  deletedCollection: (title: string, assets: number) =>
    assets === 0
      ? `“${title}” is in the bin.`
      : `“${title}” is in the bin, along with ${assets === 1 ? 'its asset' : `its ${assets} assets`}.`,
  restored: (name: string) => `“${name}” is back.`,
  moved: (name: string, collection: string) => `“${name}” is now in “${collection}”.`,
  movedSeveral: (count: number, collection: string) =>
    `${count} assets are now in “${collection}”.`,
  published: (name: string, team: string) => `“${name}” is published to ${team}.`,
  publishedSeveral: (count: number, team: string) => `${count} assets are published to ${team}.`,
  someFailed: (failed: number, all: number, reason: string) => `${failed} of ${all}: ${reason}`,
  renameDialog: {
    title: 'Rename asset',
    name: 'Name',
    missing: 'Give the asset a name.',
    tooLong: 'A name has at most 255 characters.',
  },
  moveDialog: {
    title: (count: number) => (count === 1 ? 'Move asset' : `Move ${count} assets`),
    collection: 'To',
    action: 'Move',
    noOther: 'There is no other collection to move to. Create one first.',
  },
  publishDialog: {
    title: (count: number) => (count === 1 ? 'Publish asset' : `Publish ${count} assets`),
    hint: 'The team gets its own copy. Yours stays private; publish again to send a new version.',
    team: 'Team',
    collection: 'Collection',
    own: 'Your collection “Published”',
    action: 'Publish',
    noTeam: 'You are in no team that you could publish to. Create one, or ask for an invitation.',
  },
  collectionDialog: {
    create: 'New collection',
    rename: 'Rename collection',
    title: 'Title',
    missing: 'Give the collection a title.',
    tooLong: 'A title has at most 120 characters.',
  },
};
