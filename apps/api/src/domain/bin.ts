import { binDays } from '@atelier/contract';
import { dayMs } from '../kernel/durations.ts';

const binMs = binDays * dayMs;

/** When a deletion expires. */
export function purgeDateOf(deletedAt: Date): Date {
  return new Date(deletedAt.getTime() + binMs);
}

/** Deletions at or before this timestamp have expired by `now`, whether or not they were purged yet. */
export function lastPurgedDeletion(now: Date): Date {
  return new Date(now.getTime() - binMs);
}

/** The timestamp of a deletion that is made to expire now. A day more than it takes: the clocks of processes differ. */
export function expiredDeletion(now: Date): Date {
  return new Date(now.getTime() - binMs - dayMs);
}
