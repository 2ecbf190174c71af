import type { Batches } from '../../domain/batches/queries.ts';
import type { Clock } from '../../ports/clock.ts';

/** What a deletion needs. */
export interface DeletionDeps extends Batches {
  readonly clock: Clock;
}

/** An account that is being deleted, and the id that its activities share. */
export interface Leaving {
  readonly userId: string;
  readonly requestId: string;
}
