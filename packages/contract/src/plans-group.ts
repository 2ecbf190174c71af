import { group } from './group.ts';

export const plansGroup = group({
  description: 'What can be booked, and its limits.',
  resources: {},
});
