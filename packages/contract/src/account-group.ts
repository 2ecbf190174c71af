import { group } from './group.ts';

export const accountGroup = group({
  description: 'The email of the account, its export, and its deletion.',
  toolset: null,
  resources: {},
});
