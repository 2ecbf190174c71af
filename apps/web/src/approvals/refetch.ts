import type { Approval } from '@atelier/client';

/** How often it is asked whether an approved call was made: its use is an activity of what it changes. */
const usePollMs = 3000;
/** How often it is asked whether a call was decided on, should an event be late. */
const decisionPollMs = 10_000;
/** The service ends an approval a little later than its time, as seen from here. */
const afterEndMs = 300;

type Ending = Pick<Approval, 'status' | 'expiresAt'>;

/** Returns in how many milliseconds one of these approvals may have changed without an event; false for those that ended. */
export function refetchInMs(approvals: readonly Ending[], nowMs: number): number | false {
  if (approvals.some(({ status }) => status === 'APPROVED')) return usePollMs;
  const ends = approvals
    .filter(({ status }) => status === 'WAITING')
    .map(({ expiresAt }) => Date.parse(expiresAt) - nowMs);
  if (ends.length === 0) return false;
  const nextMs = Math.min(...ends) + afterEndMs;
  // This clock may be ahead of that of the service.
  return nextMs > 0 ? Math.min(nextMs, decisionPollMs) : usePollMs;
}
