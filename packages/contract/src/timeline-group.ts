import { group } from './group.ts';

export const timelineGroup = group({
  description: 'Recorded activity.',
  toolset: 'audit',
  resources: {},
});
