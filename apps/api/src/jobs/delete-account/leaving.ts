import type { Database } from '../../db/executor.ts';
import type { Clock } from '../../ports/clock.ts';

/** What a deletion needs. */
export interface DeletionDeps {
  readonly db: Database;
  readonly clock: Clock;
  /** Aborts between two steps, or two parts of one that takes long. */
  readonly signal?: AbortSignal;
}

/** An account that is being deleted, and the id that its activities share. */
export interface Leaving {
  readonly userId: string;
  readonly requestId: string;
}
