import { withNames } from '../ui/with-names.ts';

const days = (count: number) =>
  count === 1 ? '1 day' : count === 365 ? '1 year' : `${count} days`;

/** Texts of the page that lists what outsiders can see of an organization. */
export const texts = {
  title: 'Public',
  description: (organization: string) =>
    `What people without an account can see of ${organization}`,
  forbidden: 'Viewers see no links',
  shares: {
    title: 'Share links',
    hint: 'Owners and admins see all, members their own.',
    label: 'Share links',
    none: 'There are no share links',
    noneHint: 'Choose “Share…” in the menu of an asset or a collection.',
    deleted: 'Deleted',
    of: {
      ASSET: (title: string) => `Asset “${title}”`,
      COLLECTION: (title: string) => `Collection “${title}”`,
    },
  },
  links: {
    title: 'Public links of assets',
    hint: 'They work for anyone, without conditions.',
    label: 'Public links of assets',
    none: 'No asset has a public link.',
    end: 'End',
    endLabel: (name: string) => `End the public link of ${name}`,
    ended: (name: string) => withNames`The public link of “${name}” no longer works.`,
  },
  policy: {
    title: 'Rules for share links',
    hint: 'Stricter rules also end, shorten or limit the links that there are, at once.',
    allowed: 'Share links are allowed',
    requirePassword: 'Each needs a password',
    allowDownload: 'They may allow downloads',
    maxDays: 'They end at the latest',
    noLimit: 'No limit',
    after: (count: number) => `After ${days(count)}`,
    submit: 'Save rules',
    saved: 'Rules saved.',
    changedByOther: 'Someone else just changed the rules. Check them and try again.',
  },
};
