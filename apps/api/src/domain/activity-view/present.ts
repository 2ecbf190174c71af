import { deletedPersonName, type Activity, type ResourceType } from '@atelier/contract';
import type { z } from 'zod';
import { displayNameOf } from '../person-view/present-user.ts';
import type { ActivityRow } from './queries/lists.ts';

/** Presents an activity as in the contract, with the actor's current name. */
export function presentActivity({ actor, ...row }: ActivityRow): z.infer<typeof Activity> {
  return {
    ...row,
    resourceName: shownNameOf(row),
    actor: actor && { id: actor.id, name: displayNameOf(actor) },
  };
}

const people: ReadonlySet<ResourceType> = new Set(['user', 'member', 'invitation']);

/** Returns the name of an activity's resource at that time, unless it was erased with an account. */
export function shownNameOf({
  resourceType,
  resourceName,
}: Pick<ActivityRow, 'resourceType' | 'resourceName'>): string {
  if (resourceName !== '') return resourceName;
  return people.has(resourceType) ? deletedPersonName : 'Erased';
}
