import { sql, type SQL } from 'drizzle-orm';
import type { Transaction } from '../../../db/executor.ts';

/** Something that holds whatever happened, and a query for where it doesn't. */
export interface Check {
  /** Short and stable: what a finding is called. */
  readonly name: string;
  /** What holds. */
  readonly claim: string;
  /** A `select` of one text column, `subject`: a row for each thing of which it isn't so. */
  readonly violations: SQL;
}

export interface Violations {
  readonly total: number;
  /** The first of them. */
  readonly subjects: readonly string[];
}

const namedSubjects = 10;

/** Runs a check. The rows stay in the database, however many there are, but for the first few. */
export async function violationsOf(tx: Transaction, { violations }: Check): Promise<Violations> {
  const rows = await tx.execute<{ subject: string; total: number }>(sql`
    select subject, count(*) over ()::float8 as total from (${violations}) as violations
    limit ${namedSubjects}`);
  return { total: rows[0]?.total ?? 0, subjects: rows.map(({ subject }) => subject) };
}
