import { withNames } from '../ui/with-names.ts';

/** Texts of the members’ API keys that reach an organization, and of its rules for them. */
export const texts = {
  title: 'API keys of members',
  description: (organization: string) => `Personal API keys that reach ${organization}`,
  forbidden: 'Only owners and admins see the API keys of members',
  personal: 'Only teams have rules for API keys',
  list: 'Keys',
  listLabel: 'API keys of members',
  none: 'No member’s API key reaches this team',
  noneHint: 'A member’s key appears here as soon as they create one for this team.',
  refused: 'Refused by the rules',
  owner: (name: string, email: string) => `${name} (${email})`,
  excludeLabel: (name: string) => `Exclude ${name}`,
  exclude: 'Exclude',
  excluding: {
    title: (name: string) => withNames`Exclude “${name}”?`,
    text: (owner: string) =>
      `The key no longer reaches this team. It keeps working elsewhere, and ${owner} gets an email.`,
    action: 'Exclude key',
    done: (name: string) => withNames`${name} no longer reaches this team.`,
  },
  policy: {
    title: 'Rules',
    hint: 'They apply to existing keys too, from their next request.',
    personalKeys: 'Personal API keys',
    choices: { ALLOWED: 'Allowed', REFUSED: 'Not allowed' },
    explanations: {
      ALLOWED: 'Members can create keys that reach this team.',
      REFUSED: 'Only keys of service accounts work here.',
    },
    maxLifetime: 'Maximum age of keys',
    maxLifetimeHint: 'Older keys stop working here, those of service accounts too.',
    noLimit: 'No limit',
    days: (count: number) => (count === 1 ? '1 day' : count === 365 ? '1 year' : `${count} days`),
    submit: 'Save rules',
    saved: 'Rules saved.',
    changedByOther: 'Someone else just changed the rules. Check them and try again.',
  },
};
