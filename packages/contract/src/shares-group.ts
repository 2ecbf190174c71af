import { group } from './group.ts';

export const sharesGroup = group({
  description: 'Links that show an asset or a collection to people without an account.',
  toolset: null,
  resources: {
    share: {
      title: 'Shares',
      icon: 'share-2',
      page: null,
      audience: 'share:manage',
      actions: {
        create: { label: 'Shared', sentence: 'shared {name}' },
        update: { label: 'Changed', sentence: 'changed the share {name}' },
        rotate: { label: 'Link replaced', sentence: 'replaced the link of the share {name}' },
        revoke: { label: 'Ended', sentence: 'ended the share {name}' },
      },
    },
  },
});
