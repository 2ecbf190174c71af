/** Texts about the keys that work everywhere. */
export const texts = {
  title: 'Keyboard shortcuts',
  singleKeys: 'Single keys',
  singleKeysHint:
    'Letters and signs do something outside of fields. Switch them off if you dictate.',
  everywhere: 'Everywhere',
  goTo: 'Go to',
  lists: 'In lists',
  search: 'Search and commands',
  create: 'Create what the page is about',
  help: 'Show these shortcuts',
  next: 'Next item',
  previous: 'Previous item',
  select: 'Select a task',
  open: 'Open a task, or archive a notification',
  followedBy: 'then',
  close: 'Close',
};
