import type { PgSession } from 'drizzle-orm/pg-core';

/** Runs a statement, and may look at how that went. The text holds no values: those are parameters. */
export type AroundStatement = <Result>(text: string, run: () => Promise<Result>) => Promise<Result>;

interface Executable {
  execute(placeholderValues?: Record<string, unknown>): Promise<unknown>;
}

/** How much a pool has to do. */
export interface PoolLoad {
  /** Statements that are not answered yet, and transactions that have no connection yet. */
  readonly underWay: number;
  readonly maxConnections: number;
}

/** Has every statement of a session run by way of `around`. */
export function observeStatements(
  session: Pick<PgSession, 'prepareQuery'>,
  around: AroundStatement,
): void {
  const prepareQuery = session.prepareQuery.bind(session);
  session.prepareQuery = (...given: Parameters<PgSession['prepareQuery']>) =>
    observed(prepareQuery(...given), (run) => around(given[0].sql, run));
}

function observed<Prepared extends Executable>(
  prepared: Prepared,
  around: <Result>(run: () => Promise<Result>) => Promise<Result>,
): Prepared {
  const execute = prepared.execute.bind(prepared);
  prepared.execute = (...values) => around(() => execute(...values));
  return prepared;
}
