import { withTimeout } from '../kernel/timeout.ts';

/**
 * Waits for work, but not longer than a time. What this process is late itself doesn't count: on a busy machine, that says
 * nothing about the work.
 */
export function inTime<Result>(ms: number, work: Promise<Result>): Promise<Result> {
  return withTimeout(ms, work, () => new Error(`it isn't done after ${ms} ms`));
}
