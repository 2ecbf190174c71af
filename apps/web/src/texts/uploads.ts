import { withNames } from '../ui/with-names.ts';

type UploadState = 'active' | 'stopped' | 'done' | 'skipped';

/** Texts about uploads. */
export const texts = {
  tray: 'Uploads',
  summary: ({ active, stopped, done, skipped }: Record<UploadState, number>) => {
    if (active > 0) return `Uploading ${active} ${active === 1 ? 'file' : 'files'}`;
    if (stopped > 0) return `${stopped} not finished`;
    return skipped > 0 ? `${done} uploaded, ${skipped} skipped` : `${done} uploaded`;
  },
  expand: 'Show uploads',
  collapse: 'Hide uploads',
  clear: 'Clear finished uploads',
  abortStopped: 'Cancel unfinished uploads',
  pause: (name: string) => `Pause ${name}`,
  resume: (name: string) => `Resume ${name}`,
  abort: (name: string) => `Cancel ${name}`,
  retry: (name: string) => `Retry ${name}`,
  open: (name: string) => `Open ${name}`,
  openShort: 'Open',
  progress: (name: string) => `Progress of ${name}`,
  phases: {
    waiting: 'Waiting',
    initiating: 'Starting',
    uploading: 'Uploading',
    paused: 'Paused',
    completing: 'Finishing',
    done: 'Done',
    failed: 'Failed',
    aborted: 'Cancelled',
    interrupted: 'Interrupted. Choose the file again.',
    skipped: 'Skipped: the name is already in the collection',
  },
  decisions: { version: 'New version', both: 'Keeps both' },
  visibility: {
    public: 'Public link',
    members: 'Members only',
    explanation: {
      public: 'Once uploaded, anyone with the link can open this file.',
      members: 'Only members of the organization can open this file.',
    },
  },
  chooseAgain: 'Choose file',
  otherFiles: (count: number) =>
    count === 1
      ? 'This is a different file. Choose the one whose upload was interrupted.'
      : `${count} are different files. Choose those whose upload was interrupted.`,
  speed: (size: string) => `${size}/s`,
  secondsLeft: (text: string) => `${text} left`,
  drop: 'Drop to upload',
  dropInto: (collection: string) => `Into “${collection}”`,
  dropOnTask: (title: string) => `Attach to “${title}”`,
  dropAnywhere: 'You’ll choose a collection next',
  unreadable: 'The dropped files could not be read. Nothing was uploaded.',
  notAllowed: 'Viewers can’t upload files.',
  notAttached: (name: string, why: string) =>
    withNames`“${name}” was uploaded, but not attached: ${why}`,
  choose: 'Upload files',
  chooseFolder: 'Upload a folder',
  where: {
    title: 'Where should they go?',
    files: (count: number) => (count === 1 ? '1 file' : `${count} files`),
    attached: (count: number) =>
      count === 1
        ? '1 file, which will be attached to the task'
        : `${count} files, which will be attached to the task`,
    collection: 'Collection',
    newCollection: 'New collection…',
    newTitle: 'Title of the new collection',
    titleMissing: 'Give the collection a title.',
    upload: 'Upload',
  },
};
