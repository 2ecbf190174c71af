import { permissionMatrix, type Permission } from './access.ts';
import { scopes, type Scope } from './scopes.ts';

/** What a key with each scope may do, for the people who choose. */
export const scopeDescriptions: Readonly<Record<Scope, string>> = {
  'account:read': 'Read the account behind the key, and the organizations that the key reaches',
  'timeline:read': 'Read the activities of teams that the account leads',
  'organization:read': 'Read the organization, and follow its live changes',
  'organization:rename': 'Rename the organization and change its settings',
  'member:read': 'List the members',
  'member:manage': 'Change roles, and suspend or reinstate members',
  'member:remove': 'Remove members',
  'invitation:manage': 'Invite, list and revoke invitations',
  'collection:read': 'List and read collections',
  'collection:favorite': 'Mark collections as favorites',
  'collection:create': 'Create collections',
  'collection:edit': 'Rename collections',
  'collection:delete': 'Delete and restore collections',
  'asset:read': 'List, read and download assets',
  'asset:favorite': 'Mark assets as favorites',
  'asset:create': 'Upload assets',
  'asset:publish': 'Publish assets of the personal organization to a team',
  'asset:edit': 'Change assets, upload and restore versions',
  'asset:delete': 'Delete and restore assets',
  'asset:review': 'Set the review status of assets',
  'upload:abort': 'Abort uploads',
  'project:read': 'List and read projects',
  'project:create': 'Create projects',
  'project:edit': 'Change and move projects',
  'project:delete': 'Delete projects',
  'task:read': 'List and read tasks',
  'task:create': 'Create tasks',
  'task:edit': 'Change, move, assign and label tasks, and attach assets to them',
  'task:delete': 'Delete tasks',
  'label:read': 'List and read labels',
  'label:create': 'Create labels',
  'label:edit': 'Change labels',
  'label:delete': 'Delete labels',
  'comment:read': 'Read comments',
  'comment:create': 'Write comments',
  'comment:edit': 'Edit own comments',
  'comment:delete': 'Delete comments',
  'asset-comment:read': 'Read comments on assets',
  'asset-comment:create': 'Write comments on assets',
  'asset-comment:edit': 'Edit own comments on assets',
  'asset-comment:delete': 'Delete comments on assets',
  'asset-comment:resolve': 'Resolve and reopen comments on assets',
  'webhook:manage': 'Read, change, test and delete webhooks, and send events again',
  'share:create': 'Share assets and collections by a link with people without an account',
  'share:read': 'Read shares with their links, and what their visitors did',
  'share:manage': 'Change, replace and end shares',
  'dashboard:read': 'Read the figures of the dashboard',
  'search:use': 'Search what the other scopes let it read',
};

export const presetNames = ['read-only', 'contributor', 'everything'] as const;
export type PresetName = (typeof presetNames)[number];

const isRead = (scope: Scope) => scope.endsWith(':read') || scope === 'search:use';

/** Lists of scopes under a name. A key keeps the list of the day on which it was made. */
export const scopePresets: Readonly<Record<PresetName, readonly Scope[]>> = {
  'read-only': scopes.filter(isRead),
  contributor: scopes.filter((scope) => isRead(scope) || isOfContributors(scope)),
  everything: scopes,
};

/** What a MEMBER may do with the content; members leave by themselves, not by a program. */
function isOfContributors(scope: Scope): boolean {
  if (scope.startsWith('member:') || !(scope in permissionMatrix)) return false;
  return permissionMatrix[scope as Permission & Scope].MEMBER !== 'none';
}
