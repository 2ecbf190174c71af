/** A test by the file it is in and its own title. */
export type Journey = readonly [file: string, title: string];

/** Every page of the router, with a journey that goes there and does what it is for. */
export const journeysOfPages: Readonly<Record<string, Journey>> = {
  '/login': ['shell', 'begins by the form and goes on to where somebody wanted to go'],
  '/register': [
    'accounts',
    'somebody registers, verifies by the mailed link and comes to the dashboard',
  ],
  '/verify-email': ['accounts', 'a verification link that was used says so and leads on'],
  '/forgot-password': ['accounts', 'a new password by mail ends every session and signs in'],
  '/reset-password': ['accounts', 'a new password by mail ends every session and signs in'],
  '/loading': [
    'accounts',
    'the button of %s signs in and goes on where somebody wanted to go, without a code left behind',
  ],
  '/invitations/$token': [
    'members',
    'several are invited at once; one joins as the right account, seen live by who invited',
  ],
  '/plans': ['keyboard', 'plan, activity, timeline and summary are read, narrowed and followed'],
  '/': ['accounts', 'somebody registers, verifies by the mailed link and comes to the dashboard'],
  '/collections': ['library', 'one is made, renamed, marked, deleted and taken back'],
  '/collections/$id': ['library', 'files that are dropped or chosen are uploaded and appear'],
  '/assets/$id': ['library-asset', 'versions are uploaded, downloaded and restored'],
  '/favorites': ['library', 'favorites show what is marked, until the mark is taken away'],
  '/bin': ['library', 'the bin gives back assets and collections, and says until when'],
  '/projects': [
    'projects',
    'are made, renamed, archived, brought back and deleted by their typed name',
  ],
  '/projects/$id': [
    'board',
    'a card that is dragged beside another one goes there in both browsers',
  ],
  '/my-tasks': [
    'projects',
    'my tasks are grouped by when they are due, and leave when they are done',
  ],
  '/settings/profile': ['accounts', 'name, picture and preferences are saved'],
  '/settings/organization': [
    'members',
    'a team is renamed, and deleted only when its name is typed',
  ],
  '/settings/members': [
    'members',
    'what a role may not do is not offered, and the last owner stays one',
  ],
  '/settings/plan': [
    'keyboard',
    'plan, activity, timeline and summary are read, narrowed and followed',
  ],
  '/activity': [
    'activity',
    'is told in sentences, narrowed by kind and action, and found again by its address',
  ],
  '/admin/timeline': [
    'activity',
    'in a team is for those who lead it, as a timeline and as figures',
  ],
  '/admin/timeline/$type/$id': [
    'activity',
    'in a team is for those who lead it, as a timeline and as figures',
  ],
  '/admin/summary': [
    'activity',
    'in a team is for those who lead it, as a timeline and as figures',
  ],
};

/** What surrounds every page, with the journey that uses it. */
export const journeysOfFrame: Readonly<Record<string, Journey>> = {
  'organization switcher': ['shell', 'a team is created by keyboard, and one changes back'],
  'command palette': ['shell', 'finds pages and things by keyboard alone'],
  'upload tray': [
    'uploads',
    'uploads go on while one walks through the app, and a folder comes with all its files',
  ],
  'drop overlay': ['uploads', 'a folder that is dropped comes with everything in it'],
  notices: ['board', 'a move that the service refuses is taken back, and told'],
  'task drawer': ['board', 'changes every field, and the service has them'],
};

/** Whether an address such as `/projects/019a` is of a page such as `/projects/$id`. */
export function isOfPage(path: string, page: string): boolean {
  const parts = page.split('/');
  const given = path.split('/');
  return (
    parts.length === given.length &&
    parts.every((part, index) =>
      part.startsWith('$') ? given[index] !== '' : part === given[index],
    )
  );
}
