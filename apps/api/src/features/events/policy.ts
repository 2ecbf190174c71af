import type { ActivityAction, Permission, ResourceType, Role } from '@atelier/contract';
import { reachOf } from '../../kernel/permissions.ts';

/** A member as far as it decides what they get to see. */
export interface Viewer {
  readonly userId: string;
  readonly role: Role;
}

interface Change {
  readonly action: ActivityAction;
  readonly actorId: string | null;
  readonly resourceType: ResourceType;
}

/** What a role needs to hear of a resource; `own` is nobody's business but the actor's. */
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
const privateActions: ReadonlySet<ActivityAction> = new Set([
  'asset.favorite',
  'asset.unfavorite',
  'collection.favorite',
  'collection.unfavorite',
]);

/** Whether a member may know of a change: they may read the resource, or it is about themselves. */
export function maySee({ userId, role }: Viewer, change: Change): boolean {
  const audience = privateActions.has(change.action) ? 'own' : audiences[change.resourceType];
  return audience === 'own' ? change.actorId === userId : reachOf(role, audience) === 'any';
}

/** Whether a change may end or alter what members see from then on. */
export function changesAccess({ action }: Pick<Change, 'action'>): boolean {
  return action.startsWith('member.') || action === 'organization.delete';
}
