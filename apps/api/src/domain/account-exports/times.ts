import { exportAttemptHours, exportDays } from '@atelier/contract';

const hourMs = 60 * 60 * 1000;

/** How long the file of an export is kept, and the week in which exports are counted, in milliseconds. */
export const exportMs = exportDays * 24 * hourMs;

/** How long an export is attempted before it counts as failed, in milliseconds. */
export const exportAttemptMs = exportAttemptHours * hourMs;

/** Returns when the file of an export expires. */
export function expiryOf(readyAt: Date): Date {
  return new Date(readyAt.getTime() + exportMs);
}
