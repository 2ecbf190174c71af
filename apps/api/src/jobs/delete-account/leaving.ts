import type { FastifyBaseLogger } from 'fastify';
import type { Database } from '../../db/executor.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Mailer } from '../../ports/mailer.ts';

/** What a deletion needs. */
export interface DeletionDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly mailer: Mailer;
  readonly log: FastifyBaseLogger;
}

/** An account that is being deleted, and the id that its activities share. */
export interface Leaving {
  readonly userId: string;
  readonly requestId: string;
}
