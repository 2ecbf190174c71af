import {
  actionCatalogue,
  activityActions,
  type ActivityAction,
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
}

/** Whether a member may see a change: they may read the resource, or it concerns them. */
export function maySee({ userId, role }: Viewer, { action, actorId }: Change): boolean {
  const { audience } = actionCatalogue[action];
  return audience === 'actor' || audience === 'account'
    ? actorId === userId
    : reachOf(role, audience) === 'any';
}

/**
 * Activities visible to the actor only, not even to an administrator. Activities of accounts are not among
 * them: they belong to no organization, and platform administrators need them.
 */
export const privateActions: readonly ActivityAction[] = activityActions.filter(
  (action) => actionCatalogue[action].audience === 'actor',
);
