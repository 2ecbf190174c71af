export const texts = {
  title: 'Plan and usage',
  description: (organization: string) =>
    `What ${organization} has booked, and how much of it is used.`,
  current: 'Current plan',
  per: { MONTH: 'per month', YEAR: 'per year' },
  compare: 'Compare plans',
  changeHint: 'Plans are changed by the operator of this service.',
  usage: 'Usage',
  perFile: 'For each file',
  usedOf: (used: string, limit: string) => `${used} of ${limit}`,
  usedOnly: (used: string) => `${used}, without limit`,
  nearlyFull: 'Nearly full',
  full: 'Full',
  hints: {
    members: 'Everybody who belongs to it, suspended or not.',
    storageBytes: 'Every version of every file, the bin included.',
    projects: 'Active and archived.',
  },
  limits: {
    members: 'Members',
    storageBytes: 'Storage',
    maxFileBytes: 'Largest file',
    projects: 'Projects',
    versionsPerAsset: 'Versions of a file',
    teamsPerAccount: 'Teams you create',
  },
  unlimited: 'Unlimited',
};
