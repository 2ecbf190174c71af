import type { DigestSettings } from '@atelier/contract';

/** When a digest is due. */
export interface DueDigest {
  /** The day, in the time zone of the person. */
  readonly period: string;
  readonly at: Date;
}

/**
 * Tells which digest was due last. Its day is what counts: an hour that a change of the clock repeats is the same digest,
 * and one that it skips is due at the end of the gap.
 *
 * @returns null for a person who wants none
 */
export function lastDueDigest(
  { frequency, hour, weekday, timeZone }: DigestSettings,
  now: Date,
): DueDigest | null {
  if (frequency === 'OFF') return null;
  const instant = Temporal.Instant.fromEpochMilliseconds(now.getTime());
  const today = instant.toZonedDateTimeISO(timeZone).toPlainDate();
  const days = [0, 1, 2, 3, 4, 5, 6, 7].map((ago) => today.subtract({ days: ago }));
  for (const day of days) {
    if (frequency === 'WEEKLY' && day.dayOfWeek !== weekday) continue;
    const at = day.toZonedDateTime({ timeZone, plainTime: { hour } });
    if (at.epochMilliseconds <= now.getTime()) {
      return { period: day.toString(), at: new Date(at.epochMilliseconds) };
    }
  }
  return null;
}
