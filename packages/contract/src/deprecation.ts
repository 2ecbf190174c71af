/** The deprecation of an operation. Days are dates such as `2027-01-31`, in UTC. */
export interface Deprecation {
  /** The day from which it should not be used. */
  readonly since: string;
  /** The day from which it may be removed. */
  readonly sunset?: string;
  /** The operation to use instead, as `group.name`. */
  readonly use?: string;
}

/** Minimum time from the deprecation to the removal. */
const leastNoticeDays = 180;
const dayMs = 24 * 60 * 60 * 1000;

/**
 * Returns the headers `Deprecation` (RFC 9745), and `Sunset` (RFC 8594) if the removal has a date.
 *
 * @throws RangeError for an invalid date, and for a removal less than 180 days after `since`
 */
export function deprecationHeaders({ since, sunset }: Deprecation): Record<string, string> {
  const sinceMs = startOf(since);
  const headers: Record<string, string> = { deprecation: `@${sinceMs / 1000}` };
  if (sunset === undefined) return headers;
  const sunsetMs = startOf(sunset);
  if (sunsetMs - sinceMs < leastNoticeDays * dayMs) {
    throw new RangeError(`Sunset ${sunset} is less than ${leastNoticeDays} days after ${since}`);
  }
  return { ...headers, sunset: new Date(sunsetMs).toUTCString() };
}

/** Returns the deprecation as a sentence for the documentation. */
export function deprecationText({ since, sunset, use }: Deprecation): string {
  const end = sunset === undefined ? '' : `; ends on ${sunset}`;
  const replacement = use === undefined ? '' : `; use \`${use}\``;
  return `Since ${since}${end}${replacement}.`;
}

function startOf(day: string): number {
  const ms = /^\d{4}-\d{2}-\d{2}$/.test(day) ? Date.parse(day) : NaN;
  // Some engines parse 31 February as a day in March.
  if (Number.isNaN(ms) || !new Date(ms).toISOString().startsWith(day)) {
    throw new RangeError(`Not a day: ${day}`);
  }
  return ms;
}
