import { withNames } from '../ui/with-names.ts';

/** Texts of the dialogs that delete permanently. */
export const texts = {
  purgeTitle: (name: string) => withNames`Delete “${name}” permanently?`,
  purgeHint: 'It can’t be restored after that.',
  purgeCollectionHint:
    'The assets that were deleted with it are deleted too. They can’t be restored after that.',
  purgeAction: 'Delete permanently',
  purged: (name: string) => withNames`Deleted “${name}” permanently.`,
  keptOthers: (name: string) =>
    withNames`“${name}” contains assets of others. Only yours were deleted permanently.`,
  emptyTitle: 'Empty the bin?',
  emptyCount: (assets: string, collections: string | null) =>
    `${assets}${collections === null ? '' : ` and ${collections} with their contents`} will be deleted permanently. This can’t be undone.`,
  emptyScope: {
    everyone: 'This includes what others have deleted.',
    mine: 'Only what you have added is deleted.',
  },
  emptyAlready: 'There is nothing in the bin.',
  emptyAction: 'Empty bin',
  assetCount: (count: number, isMore: boolean) =>
    count === 1 ? '1 asset' : `${count.toLocaleString('en')}${isMore ? '+' : ''} assets`,
  collectionCount: (count: number, isMore: boolean) =>
    count === 1 ? '1 collection' : `${count.toLocaleString('en')}${isMore ? '+' : ''} collections`,
  emptied: 'The bin is being emptied.',
};
