import { group } from './group.ts';

export const accountGroup = group({
  description: 'The email of the account, and its deletion.',
  resources: {},
});
