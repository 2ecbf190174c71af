import { sql, type SQL } from 'drizzle-orm';
import type { Transaction } from '../../../db/executor.ts';

/** The organizations that a statement reads: one, or all of a caller. */
export type OrganizationIds = readonly [string, ...string[]];

/** Builds the condition for rows of the organizations. */
export function within(organizationIds: OrganizationIds, column: SQL): SQL {
  const [id, ...others] = organizationIds;
  return others.length === 0
    ? sql`${column} = ${id}::uuid`
    : sql`${column} = any(${arrayOf(organizationIds, 'uuid')})`;
}

/** Builds an array of values, as one parameter. */
export function arrayOf(values: readonly string[], type: 'uuid' | 'text'): SQL {
  return sql`array(select jsonb_array_elements_text(${JSON.stringify(values)}::text::jsonb)::${sql.raw(type)})`;
}

/** Limits the statements of a transaction that follow. Each is planned for its words: a plan for a rare one is ruinous for a common one. */
export async function limitTime(
  tx: Transaction,
  { ms, similarity }: { ms: number; similarity: number },
): Promise<void> {
  await tx.execute(sql`select set_config('statement_timeout', ${String(ms)}, true),
    set_config('pg_trgm.word_similarity_threshold', ${String(similarity)}, true), set_config('jit', 'off', true), set_config('max_parallel_workers_per_gather', '0', true),
    set_config('plan_cache_mode', 'force_custom_plan', true)`);
}

/** Tells whether the database stopped a statement because of {@link limitTime}. */
export function wasStopped(error: unknown): boolean {
  return (
    error instanceof Error &&
    error.cause instanceof Error &&
    'code' in error.cause &&
    error.cause.code === '57014'
  );
}
