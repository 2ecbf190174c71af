import { binDays } from '@atelier/contract';

const binMs = binDays * 24 * 60 * 60 * 1000;

/** When a deletion expires. */
export function purgeDateOf(deletedAt: Date): Date {
  return new Date(deletedAt.getTime() + binMs);
}

/** Deletions at or before this timestamp have expired by `now`, whether or not they were purged yet. */
export function lastPurgedDeletion(now: Date): Date {
  return new Date(now.getTime() - binMs);
}
