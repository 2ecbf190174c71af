import {
  activityActions,
  type ActivityAction,
  type Permission,
  type ResourceType,
  type Role,
} from '@atelier/contract';
import { reachOf } from '../../kernel/permissions.ts';

/** A member as far as it decides what they get to see. */
export interface Viewer {
  readonly userId: string;
  readonly role: Role;
}

export interface Change {
  readonly action: ActivityAction;
  readonly actorId: string | null;
  readonly resourceType: ResourceType;
}

/** What a role needs to learn of a change to a resource; `own`: visible to the actor only. */
const audiences: Readonly<Record<ResourceType, Permission | 'own'>> = {
  user: 'own',
  organization: 'organization:read',
  member: 'member:read',
  invitation: 'invitation:manage',
  collection: 'collection:read',
  asset: 'asset:read',
  // Until it is completed, only who began it can read it.
  upload: 'own',
  project: 'project:read',
  task: 'task:read',
  comment: 'comment:read',
};

/** What one member marks as a favorite, no other member can read. */
const favorites: ReadonlySet<ActivityAction> = new Set([
  'asset.favorite',
  'asset.unfavorite',
  'collection.favorite',
  'collection.unfavorite',
]);

/** Whether a member may know of a change: they may read the resource, or it is about themselves. */
export function maySee({ userId, role }: Viewer, change: Change): boolean {
  const audience = favorites.has(change.action) ? 'own' : audiences[change.resourceType];
  return audience === 'own' ? change.actorId === userId : reachOf(role, audience) === 'any';
}

/**
 * What nobody but the actor sees, not even an administrator. What accounts do to themselves is none of
 * it: no organization has that, and those who run the platform have to.
 */
export const privateActions: readonly ActivityAction[] = activityActions.filter(
  (action) => favorites.has(action) || action.startsWith('upload.'),
);
