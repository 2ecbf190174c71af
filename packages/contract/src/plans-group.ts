import { group } from './group.ts';

export const plansGroup = group({
  description: 'Plans and their limits.',
  toolset: null,
  resources: {},
});
