import { misplacedTables } from '../../db/distribution.ts';
import type { Database, Transaction } from '../../db/executor.ts';
import { accountChecks } from './queries/accounts.ts';
import { activityChecks } from './queries/activities.ts';
import { violationsOf, type Check, type Violations } from './queries/check.ts';
import { constraintChecks } from './queries/constraints.ts';
import { deletionChecks } from './queries/deletions.ts';
import { libraryChecks } from './queries/library.ts';
import { shareChecks } from './queries/shares.ts';
import { workChecks } from './queries/work.ts';

/** The result of a check. */
export interface CheckResult extends Violations {
  readonly name: string;
  readonly claim: string;
}

const checks: readonly Check[] = [
  ...constraintChecks,
  ...deletionChecks,
  ...accountChecks,
  ...activityChecks,
  ...libraryChecks,
  ...workChecks,
  ...shareChecks,
];

/**
 * Checks every invariant of the database. All checks share a snapshot,
 * so that a running service breaks none of them. Changes nothing.
 *
 * @see docs/decisions/0036-invariants-and-injected-faults.md
 */
export async function verifyDatabase(db: Database): Promise<CheckResult[]> {
  return db.transaction(
    async (tx) => {
      const results = await distributionResults(tx);
      for (const check of checks) {
        const { name, claim } = check;
        results.push({ name, claim, ...(await violationsOf(tx, check)) });
      }
      return results;
    },
    { isolationLevel: 'repeatable read', accessMode: 'read only' },
  );
}

async function distributionResults(tx: Transaction): Promise<CheckResult[]> {
  const misplaced = await misplacedTables(tx);
  if (!misplaced) return [];
  const claim = 'Every table of a distributed database is where its declaration says';
  return [{ name: 'distribution', claim, total: misplaced.length, subjects: misplaced }];
}
