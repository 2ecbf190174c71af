import { withNames } from '../ui/with-names.ts';

type DownloadState = 'active' | 'failed' | 'incomplete' | 'done';

/** Texts about downloads of several files as one ZIP. */
export const texts = {
  panel: 'Downloads',
  summary: ({ active, failed, incomplete, done }: Record<DownloadState, number>) => {
    if (active > 0) return active === 1 ? 'Downloading' : `Downloading ${active} ZIP files`;
    if (failed > 0) return `${failed} not downloaded`;
    return incomplete > 0 ? `${done} downloaded, ${incomplete} incomplete` : `${done} downloaded`;
  },
  progress: (name: string) => `Progress of ${name}`,
  cancel: (name: string) => `Cancel ${name}`,
  dismiss: (name: string) => `Remove ${name} from the list`,
  retry: 'Try again',
  retryLabel: (name: string) => `Download ${name} again`,
  files: (count: number) => (count === 1 ? '1 file' : `${count.toLocaleString('en')} files`),
  filesOf: (done: number, all: number) =>
    `${done.toLocaleString('en')} of ${all === 1 ? '1 file' : `${all.toLocaleString('en')} files`}`,
  failed: 'Nothing was saved.',
  notStarted: 'The download couldn’t be started.',
  nothingRead: 'Nothing was saved: none of the files could be read.',
  tooLargeForBrowser: (size: string) =>
    `This browser can put at most ${size} into a ZIP. Choose fewer files, or use Chrome or Edge, which take 4 GiB.`,
  tooLarge: 'A ZIP takes at most 4 GiB. Choose fewer files.',
  ended: 'Nothing was saved: the link has ended.',
  tooMany: 'A ZIP takes at most 2,000 files. Choose fewer.',
  broken: (name: string) => `Nothing was saved: “${name}” couldn’t be read completely.`,
  missing: (count: number) =>
    count === 1 ? '1 file is missing in the ZIP' : `${count} files are missing in the ZIP`,
  missingIn: (zip: string, names: readonly string[], more: number) =>
    withNames`“${zip}” lacks files that couldn’t be read: ${names}${more > 0 ? ` and ${more} more` : ''}.`,
};
