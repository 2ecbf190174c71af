import {
  activityActions,
  type ActivityAction,
  type Permission,
  type ResourceType,
  type Role,
} from '@atelier/contract';
import { reachOf } from '../../kernel/permissions.ts';

/** A member, as far as it decides what they may see. */
export interface Viewer {
  readonly userId: string;
  readonly role: Role;
}

export interface Change {
  readonly action: ActivityAction;
  readonly actorId: string | null;
  readonly resourceType: ResourceType;
}

/** The permission to see changes of a resource; `own`: visible to the actor only. */
const audiences: Readonly<Record<ResourceType, Permission | 'own'>> = {
  user: 'own',
  organization: 'organization:read',
  member: 'member:read',
  invitation: 'invitation:manage',
  collection: 'collection:read',
  asset: 'asset:read',
  // Until it is completed, only the user who began it can read it.
  upload: 'own',
  project: 'project:read',
  task: 'task:read',
  comment: 'comment:read',
};

/** Favorites are private to each member. */
const favorites: ReadonlySet<ActivityAction> = new Set([
  'asset.favorite',
  'asset.unfavorite',
  'collection.favorite',
  'collection.unfavorite',
]);

/** Whether a member may see a change: they may read the resource, or it concerns them. */
export function maySee({ userId, role }: Viewer, change: Change): boolean {
  const audience = favorites.has(change.action) ? 'own' : audiences[change.resourceType];
  return audience === 'own' ? change.actorId === userId : reachOf(role, audience) === 'any';
}

/**
 * Activities visible to the actor only, not even to an administrator. Activities of accounts are not among
 * them: they belong to no organization, and platform administrators need them.
 */
export const privateActions: readonly ActivityAction[] = activityActions.filter(
  (action) => favorites.has(action) || action.startsWith('upload.'),
);
