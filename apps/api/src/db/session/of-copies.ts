import type { Plan } from './plan.ts';

/**
 * Returns the plan of the same read with the names that tables have on the coordinator. So Postgres plans it, once for each
 * connection, and Citus doesn't see it.
 *
 * @param plan - a query of tables that the coordinator has
 * @param copies - what tables of every server are called there, by their names
 */
export function ofCopies({ text, ...plan }: Plan, copies: ReadonlyMap<string, string>): Plan {
  const words = new Set(text.match(/[a-z_]+/g));
  const parts = [...copies]
    .filter(([table]) => words.has(table))
    .map(([table, copy]) => `"${table}" as not materialized (select * from "${copy}")`);
  return { ...plan, text: parts.length === 0 ? text : `with ${parts.join(', ')} ${text}` };
}
