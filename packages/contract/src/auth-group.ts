import { group } from './group.ts';

export const authGroup = group({
  description: 'Accounts, sign-in, sessions and their tokens.',
  resources: {
    user: {
      title: 'Accounts',
      icon: 'user',
      page: null,
      audience: 'account',
      actions: {
        register: { label: 'Registered', sentence: 'created the account {name}' },
        verify_email: { label: 'Email verified', sentence: 'verified the email of {name}' },
        request_password_reset: {
          label: 'Password reset requested',
          sentence: 'requested a password reset for {name}',
        },
        reset_password: { label: 'Password changed', sentence: 'changed the password of {name}' },
        login: { label: 'Signed in', sentence: 'signed in as {name}' },
        logout: { label: 'Signed out', sentence: 'signed out as {name}' },
        confirm: { label: 'Confirmed', sentence: 'confirmed to be {name}' },
        end_sessions: { label: 'Sessions ended', sentence: 'ended sessions of {name}' },
        token_replay: {
          label: 'Old session reused',
          sentence: 'ended every session of {name}, because an old one was reused',
        },
        update_profile: { label: 'Profile changed', sentence: 'changed the profile of {name}' },
        update_avatar: { label: 'Picture changed', sentence: 'changed the picture of {name}' },
        link_identity: {
          label: 'Provider connected',
          sentence: 'connected a sign-in provider to {name}',
        },
        suspend: { label: 'Suspended', sentence: 'suspended the account {name}' },
        reinstate: { label: 'Reinstated', sentence: 'reinstated the account {name}' },
        grant_admin: {
          label: 'Made an administrator',
          sentence: 'made {name} an administrator of the service',
        },
        revoke_admin: {
          label: 'Administrator role removed',
          sentence: 'removed {name} as an administrator of the service',
        },
      },
    },
  },
});
