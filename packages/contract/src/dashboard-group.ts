import { group } from './group.ts';

export const dashboardGroup = group({
  description: 'Key figures of an organization.',
  toolset: 'work',
  resources: {},
});
