import { withNames } from '../ui/with-names.ts';

/** Texts about labels: the picker on a task, and the dialog that manages them. */
export const texts = {
  choose: 'Choose labels',
  none: 'None',
  find: 'Find or create a label',
  noneFound: 'No labels with this name',
  noneYet: 'No labels yet',
  create: (name: string) => `Create “${name}”`,
  max: 'A task can have at most 10 labels.',
  manage: 'Manage labels',
  title: 'Labels',
  description: 'Labels can be used in all projects of the organization.',
  name: 'Name',
  newName: 'New label',
  color: 'Colour',
  nameOf: (name: string) => `Name of “${name}”`,
  colorOf: (name: string) => `Colour of “${name}”`,
  add: 'Add',
  nameMissing: 'Give the label a name',
  tasks: (count: number) => (count === 1 ? '1 task' : `${count.toLocaleString('en')} tasks`),
  delete: (name: string) => `Delete “${name}”`,
  deleteTitle: (name: string) => withNames`Delete “${name}”?`,
  deleteHint: (count: number) =>
    count === 0
      ? 'No task has this label.'
      : `It will be removed from ${count === 1 ? '1 task' : `${count.toLocaleString('en')} tasks`}. This can’t be undone.`,
  deleteAction: 'Delete label',
  colors: {
    GRAY: 'Gray',
    BROWN: 'Brown',
    RED: 'Red',
    ORANGE: 'Orange',
    YELLOW: 'Yellow',
    GREEN: 'Green',
    TEAL: 'Teal',
    BLUE: 'Blue',
    PURPLE: 'Purple',
    PINK: 'Pink',
  },
};
