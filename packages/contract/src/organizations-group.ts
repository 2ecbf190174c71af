import { group } from './group.ts';

export const organizationsGroup = group({
  description: 'Organizations, their members and invitations.',
  toolset: 'members',
  resources: {
    organization: {
      title: 'Organizations',
      icon: 'building-2',
      page: null,
      audience: 'organization:read',
      actions: {
        create: { label: 'Created', sentence: 'created the team {name}' },
        rename: { label: 'Renamed', sentence: 'renamed the organization to {name}' },
        update: { label: 'Settings changed', sentence: 'changed the settings of {name}' },
        change_security_policy: {
          label: 'Security policy changed',
          sentence: 'changed the security policy of {name}',
        },
        change_share_policy: {
          label: 'Share policy changed',
          sentence: 'changed the share policy of {name}',
        },
        empty_bin: { label: 'Bin emptied', sentence: 'emptied the bin of {name}' },
        delete: { label: 'Deleted', sentence: 'deleted the team {name}' },
      },
    },
    member: {
      title: 'Members',
      icon: 'users',
      page: null,
      audience: 'member:read',
      actions: {
        join: { label: 'Joined', sentence: 'joined as {name}' },
        update: { label: 'Changed', sentence: 'changed the membership of {name}' },
        remove: { label: 'Removed', sentence: 'ended the membership of {name}' },
      },
    },
    invitation: {
      title: 'Invitations',
      icon: 'mail',
      page: null,
      audience: 'invitation:manage',
      actions: {
        create: { label: 'Sent', sentence: 'invited {name}' },
        revoke: { label: 'Revoked', sentence: 'revoked the invitation for {name}' },
      },
    },
  },
});
