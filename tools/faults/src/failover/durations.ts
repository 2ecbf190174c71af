import type { Durations } from './client-connection.ts';

/** Keeps the slowest request since the last look. */
export interface SlowestRequest extends Durations {
  /** Returns the slowest request and forgets it. */
  take(): { readonly milliseconds: number; readonly what: string };
}

export function createDurations(): SlowestRequest {
  let slowest = { milliseconds: 0, what: 'none' };
  return {
    note(milliseconds, what) {
      if (milliseconds > slowest.milliseconds) slowest = { milliseconds, what };
    },
    take() {
      const taken = slowest;
      slowest = { milliseconds: 0, what: 'none' };
      return taken;
    },
  };
}
