/** Identifies a test by its file and title. */
export type Journey = readonly [file: string, title: string];

/** Maps each page of the router to the journey that covers it. */
export const pageJourneys: Readonly<Record<string, Journey>> = {
  '/login': ['shell', 'starts with the form and continues to the requested page'],
  '/register': ['accounts', 'a new user signs up, verifies their email and gets to the dashboard'],
  '/verify-email': ['accounts', 'a used verification link shows what to do next'],
  '/forgot-password': ['accounts', 'a password reset ends every session and allows a new sign-in'],
  '/reset-password': ['accounts', 'a password reset ends every session and allows a new sign-in'],
  '/keep-account': [
    'accounts',
    'an account is deleted after typing its address, and kept by the mailed link',
  ],
  '/change-email': [
    'security',
    'an email is changed by a mailed link, and changed back by another',
  ],
  '/undo-email-change': [
    'security',
    'an email is changed by a mailed link, and changed back by another',
  ],
  '/loading': [
    'accounts',
    'the button of %s signs in and continues to the requested page, without a code in the history',
  ],
  '/invitations/$token': [
    'members',
    'several people are invited at once; one joins with the right account, which the inviter sees live',
  ],
  '/share': [
    'shares',
    'a visitor opens a link with its password, looks at the files and downloads them',
  ],
  '/plans': ['keyboard', 'opens and filters plan, activity, timeline and summary'],
  '/': ['accounts', 'a new user signs up, verifies their email and gets to the dashboard'],
  '/collections': ['library', 'creates, renames, stars, deletes and restores a collection'],
  '/collections/$id': ['library', 'uploads files that are dropped or chosen'],
  '/assets/$id': ['library-asset', 'uploads, downloads and restores versions'],
  '/favorites': ['library', 'favorites show starred items until the star is removed'],
  '/bin': ['library', 'the bin restores assets and collections and shows when they expire'],
  '/projects': [
    'projects',
    'are created, renamed, archived, reactivated, and deleted after typing their name',
  ],
  '/projects/$id': ['board', 'a dragged card moves in both browsers'],
  '/projects/$id/tasks/$taskId': ['task-panel', 'is duplicated, and opened as a page of its own'],
  '/notifications': [
    'notifications',
    'a mention arrives live at the bell of two tabs, and is opened and read in both',
  ],
  '/search': [
    'search',
    'finds, narrows by type and filters in the address, and is worked through by keyboard',
  ],
  '/my-tasks': ['projects', 'my tasks are grouped by due date and disappear when they are done'],
  '/settings/profile': ['accounts', 'saves name, picture and preferences'],
  '/settings/notifications': [
    'notification-settings',
    'reasons, the summary and teams are chosen and saved',
  ],
  '/unsubscribe': ['notification-settings', 'a mailed link asks before it switches anything off'],
  '/settings/security': [
    'security',
    'an authenticator app is set up, its recovery codes are replaced, and it is turned off',
  ],
  '/settings/api-keys': [
    'api-keys',
    'a key is created, shown once, used, renamed, replaced and revoked',
  ],
  '/approvals': [
    'approvals',
    'a call is opened from the list, approved, and made once by the assistant',
  ],
  '/approvals/$id': [
    'approvals',
    'a call is opened from the list, approved, and made once by the assistant',
  ],
  '/settings/organization': [
    'members',
    'a team is renamed, and deleted only after typing its name',
  ],
  '/settings/members': [
    'members',
    'actions that a role may not perform are hidden, and the last owner keeps the role',
  ],
  '/settings/public': [
    'shares',
    'what is public is listed and ended in the settings, and rules are set',
  ],
  '/settings/webhooks': [
    'webhooks',
    'a webhook is added, tested, sends what happens, shows its deliveries and is deleted',
  ],
  '/settings/webhooks/$id': [
    'webhooks',
    'a webhook is added, tested, sends what happens, shows its deliveries and is deleted',
  ],
  '/settings/service-accounts': [
    'service-accounts',
    'an account is created, works with its keys, is changed and deleted',
  ],
  '/settings/service-accounts/$id': [
    'service-accounts',
    'an account is created, works with its keys, is changed and deleted',
  ],
  '/settings/member-keys': [
    'service-accounts',
    'keys of members are excluded, and refused by the rules of the team',
  ],
  '/settings/plan': ['keyboard', 'opens and filters plan, activity, timeline and summary'],
  '/activity': [
    'activity',
    'is shown as sentences, filtered by type and action, and kept in the URL',
  ],
  '/admin/timeline': ['activity', 'of a team is shown to its admins as a timeline and as charts'],
  '/admin/timeline/$type/$id': [
    'activity',
    'of a team is shown to its admins as a timeline and as charts',
  ],
  '/admin/summary': ['activity', 'of a team is shown to its admins as a timeline and as charts'],
};

/** Maps each part of the shell to the journey that covers it. */
export const shellJourneys: Readonly<Record<string, Journey>> = {
  'organization switcher': [
    'shell',
    'a team is created by keyboard, and the personal organization selected again',
  ],
  'command palette': ['shell', 'finds pages and resources by keyboard alone'],
  'upload tray': [
    'uploads',
    'uploads continue during navigation, and a folder is uploaded with all its files',
  ],
  'drop overlay': ['uploads', 'a dropped folder is uploaded with all its files'],
  notices: ['board', 'a rejected move is rolled back and shows the error'],
  'task drawer': ['board', 'changes every field, and the API stores them'],
};

/** Tells whether a path such as `/projects/019a` matches a page such as `/projects/$id`. */
export function matchesPage(path: string, page: string): boolean {
  const pattern = page.split('/');
  const segments = path.split('/');
  return (
    pattern.length === segments.length &&
    pattern.every((part, index) =>
      part.startsWith('$') ? segments[index] !== '' : part === segments[index],
    )
  );
}
