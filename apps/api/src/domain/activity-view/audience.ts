import {
  actionCatalogue,
  activityActions,
  type ActivityAction,
  type Role,
  type Scope,
} from '@atelier/contract';
import { reachOf } from '../../kernel/permissions.ts';

/** A member, as far as it decides what they may see. */
export interface Viewer {
  readonly userId: string;
  readonly role: Role;
  /** What the API key of the request may do; null for a session. */
  readonly scopes: readonly Scope[] | null;
}

export interface Change {
  readonly action: ActivityAction;
  readonly actorId: string | null;
  /** The account whose record it is about, where the activity says so; null for any other. */
  readonly ownerId: string | null;
}

/** Whether a member may see a change: they may read the resource, or it concerns them. */
export function maySee(
  { userId, role, scopes }: Viewer,
  { action, actorId, ownerId }: Change,
): boolean {
  const { audience, alsoShows = audience } = actionCatalogue[action];
  if (audience === 'actor' || audience === 'account') return actorId === userId;
  // Keys are refused where a permission is no scope.
  if (scopes && ![audience, alsoShows].every((needed) => scopes.includes(needed as Scope))) {
    return false;
  }
  const reach = reachOf(role, audience);
  return reach === 'any' || (reach === 'own' && ownerId === userId);
}

/** The actions that a member may see: of anyone, of themselves, and about what is theirs. */
export function visibleActions(viewer: Viewer) {
  const { userId } = viewer;
  const visible = (by: Omit<Change, 'action'>) =>
    activityActions.filter((action) => maySee(viewer, { action, ...by }));
  return {
    ofAnyone: visible({ actorId: null, ownerId: null }),
    ofViewer: visible({ actorId: userId, ownerId: null }),
    aboutTheirs: visible({ actorId: null, ownerId: userId }),
  };
}

/**
 * Activities visible to the actor only, not even to an administrator. Activities of accounts are not among
 * them: they belong to no organization, and platform administrators need them.
 */
export const privateActions: readonly ActivityAction[] = activityActions.filter(
  (action) => actionCatalogue[action].audience === 'actor',
);
