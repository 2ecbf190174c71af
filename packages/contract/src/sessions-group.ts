import { group } from './group.ts';

export const sessionsGroup = group({
  description: 'Devices that the caller is signed in on.',
  toolset: null,
  resources: {},
});
