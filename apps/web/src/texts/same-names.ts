import { withNames } from '../ui/with-names.ts';

/** Texts of the question about files whose names a collection already has. */
export const texts = {
  one: (name: string) => withNames`“${name}” is already in this collection`,
  several: (count: number) => `${count} files are already in this collection`,
  hint: 'They wait for your decision. Other files are uploaded meanwhile.',
  question: 'What should happen with it?',
  questionForAll: 'What should happen with them?',
  choices: {
    version: {
      label: 'Add as a new version',
      hint: 'The earlier version is kept and can be restored.',
    },
    both: { label: 'Keep both', hint: 'The collection then has the name more than once.' },
    skip: { label: 'Skip', hint: 'Nothing is uploaded; what is there stays as it is.' },
    each: { label: 'Decide for each file', hint: 'Choose for every file below.' },
  },
  foreign: (count: number) =>
    count === 1
      ? 'You may not change 1 of them: it is kept beside your file.'
      : `You may not change ${count} of them: they are kept beside your files.`,
  files: 'Files with the same name',
  inCollection: (size: string) => `In the collection: ${size},`,
  yours: (size: string) => `Yours: ${size}, changed`,
  go: 'Continue',
};
