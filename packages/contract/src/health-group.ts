import { group } from './group.ts';

export const healthGroup = group({
  description: 'Liveness and readiness of the service.',
  toolset: null,
  resources: {},
});
