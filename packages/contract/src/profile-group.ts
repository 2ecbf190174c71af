import { group } from './group.ts';

export const profileGroup = group({
  description: 'The profile of the caller.',
  toolset: null,
  resources: {},
});
