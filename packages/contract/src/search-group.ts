import { group } from './group.ts';

export const searchGroup = group({
  description: 'One search across everything that the caller may read.',
  toolset: 'search',
  resources: {},
});
