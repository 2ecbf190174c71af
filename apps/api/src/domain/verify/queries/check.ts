import { sql, type SQL } from 'drizzle-orm';
import type { Transaction } from '../../../db/executor.ts';

/** An invariant, and a query for its violations. */
export interface Check {
  /** Short and stable: the name of a finding. */
  readonly name: string;
  /** The invariant. */
  readonly claim: string;
  /** A `select` of one text column, `subject`: one row per violation. */
  readonly violations: SQL;
}

export interface Violations {
  readonly total: number;
  /** The first of them. */
  readonly subjects: readonly string[];
}

const namedSubjects = 10;

/** Runs a check. All rows but the first few stay in the database. */
export async function violationsOf(tx: Transaction, { violations }: Check): Promise<Violations> {
  const rows = await tx.execute<{ subject: string; total: number }>(sql`
    select subject, count(*) over ()::float8 as total from (${violations}) as violations
    limit ${namedSubjects}`);
  return { total: rows[0]?.total ?? 0, subjects: rows.map(({ subject }) => subject) };
}

/**
 * Reads rows before they are joined. A distributed database joins its tables on the organization only, and what isn't
 * distributed with none of them.
 */
export function readApart(rows: SQL): SQL {
  return sql`(${rows} offset 0)`;
}
