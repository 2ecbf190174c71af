import { group } from './group.ts';

export const timelineGroup = group({
  description: 'Recorded activity.',
  resources: {},
});
