import { group } from './group.ts';

export const notificationsGroup = group({
  description: 'The inbox of a person over all organizations, and what they follow.',
  toolset: null,
  // What its activities are about; empty if it records none.
  resources: {},
});
