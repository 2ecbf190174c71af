import { group } from './group.ts';

export const authGroup = group({
  description: 'Accounts, sign-in, sessions and their tokens.',
  toolset: null,
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
        change_password: { label: 'Password changed', sentence: 'changed the password of {name}' },
        add_passkey: { label: 'Passkey added', sentence: 'added a passkey to {name}' },
        remove_passkey: { label: 'Passkey removed', sentence: 'removed a passkey of {name}' },
        enable_totp: {
          label: 'One-time codes on',
          sentence: 'turned on one-time codes for {name}',
        },
        disable_totp: {
          label: 'One-time codes off',
          sentence: 'turned off one-time codes for {name}',
        },
        renew_recovery_codes: {
          label: 'Recovery codes renewed',
          sentence: 'renewed the recovery codes of {name}',
        },
        use_recovery_code: {
          label: 'Recovery code used',
          sentence: 'used a recovery code of {name}',
        },
        reset_second_factor: {
          label: 'Second factor removed',
          sentence: 'removed the second factor of {name}',
        },
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
        unlink_identity: {
          label: 'Provider disconnected',
          sentence: 'disconnected a sign-in provider from {name}',
        },
        request_email_change: {
          label: 'Email change requested',
          sentence: 'requested another email for {name}',
        },
        change_email: { label: 'Email changed', sentence: 'changed the email to {name}' },
        undo_email_change: {
          label: 'Email change undone',
          sentence: 'undid a change of the email {name}',
        },
        export: { label: 'Export requested', sentence: 'requested an export of {name}' },
        request_deletion: {
          label: 'Deletion requested',
          sentence: 'requested the deletion of the account {name}',
        },
        cancel_deletion: { label: 'Account kept', sentence: 'kept the account {name}' },
        delete: { label: 'Account deleted', sentence: 'deleted the account {name}' },
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
