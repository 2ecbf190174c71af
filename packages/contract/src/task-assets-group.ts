import { group } from './group.ts';

export const taskAssetsGroup = group({
  description: 'Assets that are attached to tasks.',
  toolset: 'work',
  resources: {},
});
