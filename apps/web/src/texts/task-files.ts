import { withNames } from '../ui/with-names.ts';

/** Texts about the files of a task. */
export const texts = {
  title: (count: number) => (count === 0 ? 'Files' : `Files (${count})`),
  none: 'No files.',
  drop: 'Drop files here, upload some, or add them from the library.',
  upload: 'Upload',
  fromLibrary: 'From the library',
  list: 'Files of this task',
  remove: (name: string) => `Remove “${name}” from this task`,
  removed: (name: string) =>
    withNames`“${name}” is no longer attached. It is still in the library.`,
  picker: {
    title: 'Add from the library',
    search: 'Search files',
    found: 'Files in the library',
    none: 'There are no files in the library yet.',
    noneFound: 'No file has this name.',
    attached: 'Attached',
    attach: 'Attach',
    add: (name: string) => `Attach “${name}”`,
  },
};
