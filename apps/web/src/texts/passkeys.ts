import { withNames } from '../ui/with-names.ts';

/** Texts of the browser's question for a passkey, and of the passkeys of the account. */
export const texts = {
  signIn: 'Continue with a passkey',
  confirm: 'Use a passkey',
  cancelled: 'No passkey was used. Try again, or choose another way.',
  known: 'This device already has a passkey for your account.',
  title: 'Passkeys',
  hint: 'Sign in with your fingerprint, face or device PIN, without a password.',
  unsupported: 'This browser has no passkeys.',
  none: 'You have no passkeys yet.',
  add: 'Add a passkey',
  name: 'Name',
  nameHint: 'Where it is kept, such as “My phone”.',
  missing: 'Enter a name.',
  added: 'Passkey added.',
  created: 'Added',
  neverUsed: 'never used',
  lastUsed: 'last used',
  synced: 'Synced',
  rename: 'Rename',
  renameLabel: (name: string) => `Rename ${name}`,
  renamed: 'Passkey renamed.',
  remove: 'Remove',
  removeLabel: (name: string) => `Remove ${name}`,
  removing: {
    title: (name: string) => withNames`Remove ${name}?`,
    text: 'It no longer opens your account. Delete it on the device too.',
    last: 'It no longer opens your account, and your recovery codes stop working. Delete it on the device too.',
    done: 'Passkey removed.',
  },
};
