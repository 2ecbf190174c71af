import { group } from './group.ts';

export const dashboardGroup = group({
  description: 'Where an organization stands.',
  resources: {},
});
