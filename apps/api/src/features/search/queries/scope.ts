import { sql, type SQL } from 'drizzle-orm';
import type { Transaction } from '../../../db/executor.ts';
import { hasSqlState } from '../../../db/sql-state.ts';

/** The organizations that a statement reads: one, or all of a caller. */
export type OrganizationIds = readonly [string, ...string[]];

/** Builds the condition for rows of the organizations. A distributed database asks only the servers of those in a parameter. */
export function within(organizationIds: OrganizationIds, column: SQL): SQL {
  const [id, ...others] = organizationIds;
  return others.length === 0
    ? sql`${column} = ${id}::uuid`
    : sql`${column} = any(${sql.param(organizationIds)}::uuid[])`;
}

/** Builds an array of values, as one parameter. */
export function arrayOf(values: readonly string[], type: 'uuid' | 'text'): SQL {
  return sql`array(select jsonb_array_elements_text(${JSON.stringify(values)}::text::jsonb)::${sql.raw(type)})`;
}

/**
 * Limits the statements of a transaction that follow. Each is planned for its words: a plan for a rare one is ruinous for a
 * common one. Similarity is compared where the documents are: a distributed database passes on what is set without a function.
 */
export async function limitTime(
  tx: Transaction,
  { ms, similarity }: { ms: number; similarity: number },
): Promise<void> {
  await Promise.all([
    tx.execute(sql`select set_config('statement_timeout', ${String(ms)}, true),
      set_config('citus.propagate_set_commands', 'local', true), set_config('jit', 'off', true),
      set_config('max_parallel_workers_per_gather', '0', true), set_config('plan_cache_mode', 'force_custom_plan', true)`),
    tx.execute(sql`set local pg_trgm.word_similarity_threshold to ${sql.raw(String(similarity))}`),
  ]);
}

/** Tells whether the database stopped a statement because of {@link limitTime}. */
export function wasStopped(error: unknown): boolean {
  return hasSqlState(error, '57014');
}
