import { group } from './group.ts';

export const eventsGroup = group({
  description: 'Live updates.',
  toolset: null,
  resources: {},
});
