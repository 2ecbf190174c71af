import type { Activity } from '@atelier/contract';
import type { z } from 'zod';
import { displayNameOf } from '../person-view/present-user.ts';
import type { ActivityRow } from './queries.ts';

/** An activity as the contract shows it; the actor under the name that they have now. */
export function presentActivity({ actor, ...row }: ActivityRow): z.infer<typeof Activity> {
  return {
    ...row,
    actor: actor && { id: actor.id, name: displayNameOf(actor) },
    createdAt: row.createdAt.toISOString(),
  };
}
