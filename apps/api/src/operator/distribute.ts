import type { Database } from '../db/executor.ts';
import {
  clusterOf,
  distributionParts,
  hasPolicies,
  misplacedTables,
  otherConnections,
  takeStep,
} from '../db/distribution.ts';
import { isMigrated } from '../db/migrate.ts';
import { OperatorError } from '../domain/operator-error.ts';

/** Whether the steps are made, or their statements printed. */
export type DistributeMode = 'make' | 'print';

/**
 * Distributes the tables of organizations over the workers of a Citus cluster. Each step is a transaction, and a call
 * continues where an earlier one ended.
 *
 * @param print - takes each step once it is made
 * @returns the last line of the report
 * @throws OperatorError if the database isn't ready for it
 */
export async function operateDistribute(
  db: Database,
  { mode, print }: { mode: DistributeMode; print: (line: string) => void },
): Promise<string> {
  if (!(await isMigrated(db))) {
    throw new OperatorError(
      'The database is not up to date: run the migrations first, with DATABASE_MIGRATION_URL.',
    );
  }
  if (mode === 'print') return statementsOf(db);
  const workers = await readyWorkers(db);
  let made = 0;
  for (const stepsOf of distributionParts) {
    // What is left depends on the parts before.
    for (const step of await stepsOf(db)) {
      await takeStep(db, step);
      print(step.what);
      made += 1;
    }
  }
  const misplaced = (await misplacedTables(db)) ?? [];
  if (misplaced.length > 0) throw new OperatorError(`${misplaced.join('; ')}.`);
  const ended = made === 0 ? 'Nothing was left to do' : `${made} steps made`;
  return `${ended}: the organizations are distributed over ${workers} workers.`;
}

async function statementsOf(db: Database): Promise<string> {
  const parts = await Promise.all(distributionParts.map((stepsOf) => stepsOf(db)));
  return parts
    .flat()
    .flatMap(({ what, statements }) => [
      `-- ${what}`,
      'begin;',
      ...statements.map((statement) => `${statement};`),
      'commit;',
    ])
    .join('\n');
}

async function readyWorkers(db: Database): Promise<number> {
  const cluster = await clusterOf(db);
  if (!cluster) {
    throw new OperatorError(
      'This database has no Citus: create the extension in it on every server, and name the workers with citus_add_node.',
    );
  }
  if (!cluster.knowsCoordinator) {
    throw new OperatorError('Name the coordinator first, with citus_set_coordinator_host.');
  }
  if (cluster.workers === 0) throw new OperatorError('Name a worker first, with citus_add_node.');
  if (await hasPolicies(db)) {
    throw new OperatorError(
      'Row-level security does not work on a distributed database: migrate with DATABASE_ROW_LEVEL_SECURITY=false first.',
    );
  }
  const others = await otherConnections(db);
  if (others > 0) {
    throw new OperatorError(
      `${others} other connections use the database: stop the service and its jobs first, because requests would fail meanwhile.`,
    );
  }
  return cluster.workers;
}
