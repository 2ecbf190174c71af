import { group } from './group.ts';

export const serviceAccountsGroup = group({
  description: 'Accounts of programs, which belong to an organization and not to a person.',
  toolset: null,
  resources: {
    service_account: {
      title: 'Service accounts',
      icon: 'bot',
      page: null,
      audience: 'service-account:manage',
      actions: {
        create: { label: 'Created', sentence: 'created the service account {name}' },
        update: { label: 'Changed', sentence: 'changed the service account {name}' },
        delete: { label: 'Deleted', sentence: 'deleted the service account {name}' },
      },
    },
  },
});
