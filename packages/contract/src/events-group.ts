import { group } from './group.ts';

export const eventsGroup = group({
  description: 'What changes, while it happens.',
  resources: {},
});
