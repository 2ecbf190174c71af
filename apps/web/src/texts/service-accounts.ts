import { withNames } from '../ui/with-names.ts';

/** Texts of service accounts: the list, one account and its keys. */
export const texts = {
  title: 'Service accounts',
  description: (organization: string) =>
    `Programs that work in ${organization} with keys of their own`,
  create: 'Create service account',
  none: 'No service accounts yet',
  noneHint: 'Create one for your CI, a bot or an integration. It keeps working when people leave.',
  forbidden: 'Only owners and admins manage service accounts',
  personal: 'Only teams have service accounts',
  listLabel: 'Service accounts',
  back: 'Service accounts',
  missing: 'This service account no longer exists',
  keys: (count: number) => (count === 0 ? 'no keys' : count === 1 ? '1 key' : `${count} keys`),
  lastUsed: 'last used',
  neverUsed: 'never used',
  createdBy: (name: string) => `created by ${name}`,
  form: {
    create: 'Create service account',
    edit: 'Edit service account',
    name: 'Name',
    nameHint: 'What uses it, such as “Build server”. Members see this name.',
    missing: 'Enter a name.',
    tooLong: 'Use at most 80 characters.',
    role: 'Role',
    roleHint: 'Its keys can never do more than this role.',
    submit: 'Create account',
    saved: 'Service account saved.',
  },
  actionsFor: (name: string) => `Actions for ${name}`,
  edit: 'Edit',
  delete: 'Delete',
  deleting: {
    title: (name: string) => withNames`Delete “${name}”?`,
    text: 'Its keys stop working immediately. What it created stays. This can’t be undone.',
    action: 'Delete service account',
    done: (name: string) => withNames`${name} has been deleted.`,
  },
  keyList: {
    title: 'API keys',
    label: 'API keys of this account',
    none: 'No API keys yet',
    noneHint: 'Create a key for each program that works as this account.',
    accessHint: 'A key can never do more than the account’s role.',
  },
};
