import type { Activity } from '@atelier/client';
import { texts } from '../texts/activity.ts';

type Acted = Pick<Activity, 'actor' | 'metadata'>;

/** Says who did it: the reader, another person, a visitor of a share, or the service. */
export function actorName({ actor, metadata }: Acted, readerId: string | undefined): string {
  if (actor) return actor.id === readerId ? texts.you : actor.name;
  return typeof metadata['shareId'] === 'string' ? texts.guest : texts.service;
}
