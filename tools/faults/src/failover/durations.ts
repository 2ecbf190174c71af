import type { Durations } from './client-connection.ts';

export interface SlowRequest {
  readonly milliseconds: number;
  readonly what: string;
  readonly attempts: readonly string[];
}

/** Keeps the slowest request since the last look. */
export interface SlowestRequest extends Durations {
  /** Returns the slowest request and forgets it. */
  take(): SlowRequest;
}

export function createDurations(): SlowestRequest {
  const none: SlowRequest = { milliseconds: 0, what: 'none', attempts: [] };
  let slowest = none;
  return {
    note(milliseconds, what, attempts) {
      if (milliseconds > slowest.milliseconds) slowest = { milliseconds, what, attempts };
    },
    take() {
      const taken = slowest;
      slowest = none;
      return taken;
    },
  };
}
