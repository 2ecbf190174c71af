import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import type { Deps } from '../deps.ts';
import type { Clock } from '../ports/clock.ts';

/** The service of a test, assembled as in production and not listening yet. */
export interface AssembledService {
  readonly app: FastifyInstance;
  readonly deps: Deps;
  /** Stops requests and jobs, then closes all connections. */
  close(): Promise<void>;
}

/** Assembles the service on its migrated database. */
export type AssembleService = (parts: {
  readonly config: Config;
  readonly log: Logger;
  readonly clock: Clock;
  /** Whether scheduled jobs start by themselves. */
  readonly hasSchedule: boolean;
}) => Promise<AssembledService>;

let registered: AssembleService | null = null;

/** Called by the set-up of a test file: the service stands above this folder. */
export function registerService(assemble: AssembleService): void {
  registered = assemble;
}

export const assembleService: AssembleService = (parts) => {
  if (registered) return registered(parts);
  throw new Error(
    'add apps/api/src/whole-service/register.ts to the `setupFiles` of this project in vitest.workspace.ts',
  );
};
