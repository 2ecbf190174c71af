import type { Activity } from '@atelier/contract';
import type { z } from 'zod';
import { displayNameOf } from '../person-view/present-user.ts';
import type { ActivityRow } from './queries.ts';

/** Presents an activity as in the contract, with the actor's current name. */
export function presentActivity({ actor, ...row }: ActivityRow): z.infer<typeof Activity> {
  return {
    ...row,
    actor: actor && { id: actor.id, name: displayNameOf(actor) },
    createdAt: row.createdAt.toISOString(),
  };
}
