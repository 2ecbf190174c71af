import { withNames } from '../ui/with-names.ts';

const kinds = {
  'assets.favorite': (name: string) => `Change whether ${name} is a favorite`,
  'collections.favorite': (name: string) => `Change whether ${name} is a favorite`,
  'comments.create': (name: string) => `Write ${name}`,
  'comments.remove': (name: string) => `Delete ${name}`,
  'comments.update': (name: string) => `Edit ${name}`,
  'labels.set': (name: string) => `Change the labels of ${name}`,
  'notifications.follow': (name: string) => `Follow ${name}, or stop following it`,
  'notifications.read': (_: string) => 'Mark notifications as read',
  'notifications.update': (_: string) => 'Mark a notification',
  'taskAssets.attach': (name: string) => `Attach ${name}`,
  'tasks.assign': (name: string) => `Assign ${name}`,
  'tasks.create': (name: string) => `Add ${name}`,
  'tasks.move': (name: string) => `Move ${name}`,
  'tasks.remove': (name: string) => `Delete ${name}`,
  'tasks.update': (name: string) => `Change ${name}`,
};

/** Texts about the list of changes that wait for the network. */
export const texts = {
  title: 'Waiting to be sent',
  hint: 'They are sent in this order as soon as the server can be reached. Until then they are only on this device.',
  list: 'Changes that wait',
  none: 'Everything has been sent.',
  takeBack: 'Undo',
  takeBackOf: (change: string) => `Undo: ${change}`,
  takenBack: (change: string) => withNames`Undone: ${change}`,
  something: 'something',
  quoted: (name: string) => `“${name}”`,
  kinds,
};

/** The kinds of changes that survive a lost network. */
export type ChangeName = keyof typeof kinds;
