import { group } from './group.ts';

export const timelineGroup = group({
  description: 'Every recorded change.',
  resources: {},
});
