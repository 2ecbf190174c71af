import { group } from './group.ts';

export const healthGroup = group({
  description: 'Whether the service is alive and ready.',
  resources: {},
});
