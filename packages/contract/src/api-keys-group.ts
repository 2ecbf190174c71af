import { group } from './group.ts';

export const apiKeysGroup = group({
  description: 'Keys that programs use in place of a session.',
  toolset: null,
  resources: {
    api_key: {
      title: 'Keys',
      icon: 'key-round',
      page: null,
      audience: 'account',
      actions: {
        create: { label: 'Created', sentence: 'created the API key {name}' },
        rename: { label: 'Renamed', sentence: 'renamed the API key to {name}' },
        rotate: { label: 'Replaced', sentence: 'replaced the API key {name}' },
        revoke: { label: 'Revoked', sentence: 'revoked the API key {name}' },
        exclude: {
          label: 'Excluded',
          sentence: 'excluded the API key {name} from the organization',
          audience: 'service-account:manage',
        },
      },
    },
  },
});
