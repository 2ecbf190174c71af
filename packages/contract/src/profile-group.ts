import { group } from './group.ts';

export const profileGroup = group({
  description: 'What the caller tells of themself.',
  resources: {},
});
