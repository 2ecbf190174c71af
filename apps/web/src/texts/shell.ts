/** Texts of the shell around the pages. */
export const texts = {
  skipToContent: 'Skip to content',
  navigation: 'Main navigation',
  openNavigation: 'Open navigation',
  search: 'Search',
  groups: { library: 'Library', work: 'Work', organization: 'Organization', service: 'Service' },
  pages: {
    dashboard: 'Dashboard',
    notifications: 'Notifications',
    myTasks: 'My tasks',
    activity: 'My activity',
    collections: 'Collections',
    favorites: 'Favorites',
    bin: 'Bin',
    projects: 'Projects',
    members: 'Members',
    plan: 'Plan and usage',
    organization: 'Settings',
    timeline: 'Timeline',
    summary: 'Summary',
    profile: 'Profile',
    notificationSettings: 'Notification settings',
    security: 'Security',
  },
  unread: 'unread',
  organizations: {
    label: 'Switch organization:',
    title: 'Organizations',
    personal: 'Personal',
    createTeam: 'Create a team',
    createTeamHint: 'A team shares collections and projects. You can invite others right away.',
    name: 'Team name',
    nameMissing: 'Give the team a name.',
    created: (name: string) => `You are now in ${name}.`,
  },
  account: {
    menu: 'Account menu for',
    theme: 'Appearance',
    themes: { system: 'System', light: 'Light', dark: 'Dark' },
    signOut: 'Sign out',
    signingOut: {
      title: (count: number) => (count === 0 ? 'Sign out?' : 'Sign out and lose unsent changes?'),
      lost: (count: number) => {
        if (count === 0) return 'Everything has been sent meanwhile.';
        return count === 1
          ? '1 change is only on this device. Signing out deletes it.'
          : `${count} changes are only on this device. Signing out deletes them.`;
      },
      action: (count: number) => (count === 0 ? 'Sign out' : 'Sign out and delete'),
    },
  },
  palette: {
    title: 'Search and commands',
    placeholder: 'Search pages, collections, projects, tasks…',
    results: 'Results',
    none: (query: string) => `Nothing found for “${query}”.`,
    groups: {
      actions: 'Actions',
      pages: 'Pages',
      collections: 'Collections',
      projects: 'Projects',
      tasks: 'Tasks',
      assets: 'Assets',
      organizations: 'Switch organization',
    },
    found: (count: number) => (count === 1 ? '1 result' : `${count} results`),
  },
  connection: {
    offline: 'Offline',
    unreachable: 'The server can’t be reached',
    unsent: (count: number) =>
      count === 1 ? '1 change waits to be sent' : `${count} changes wait to be sent`,
  },
  pageFailed: 'This page couldn’t be shown',
  reload: 'Reload',
  noPage: 'Page not found',
  noPageHint: 'The address may be mistyped, or the page has moved.',
};
