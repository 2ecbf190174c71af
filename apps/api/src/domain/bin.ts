import { binDays } from '@atelier/contract';

const binMs = binDays * 24 * 60 * 60 * 1000;

/** When something that was deleted then will be gone for good. */
export function purgeMomentOf(deletedAt: Date): Date {
  return new Date(deletedAt.getTime() + binMs);
}

/** What was deleted at this moment or before it is gone for good by `now`, whether or not it was purged yet. */
export function lastPurgedDeletion(now: Date): Date {
  return new Date(now.getTime() - binMs);
}
