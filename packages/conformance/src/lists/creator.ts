import type { Probe } from '../probe.ts';

/** Who sends a request. */
export interface Caller {
  readonly token: string;
  readonly organizationId: string;
}

/** The two accounts that create what the lists hold, in their team. */
export interface Creator {
  readonly probe: Probe;
  /** The account that reads the lists. */
  readonly reader: Caller;
  readonly colleague: Caller;
  /** An API key of the reader that may change tasks and assets. */
  readonly program: Caller;
  /** Ids of the reader and of the colleague. */
  readonly userIds: readonly [string, string];
}
