import type postgres from 'postgres';
import { z } from 'zod';
import type { SentStatement } from '../recorded-statements.ts';

/**
 * How Citus runs a statement:
 *
 * - `here`: on the coordinator, without tables of organizations;
 * - `one shard`: as it is, by the one server that has its rows;
 * - `steps`: in several steps, whose rows pass through the coordinator;
 * - `many shards`: it asks or changes all of them;
 * - `refused`: not at all.
 */
export type Route = 'here' | 'one shard' | 'steps' | 'many shards' | 'refused';

export interface RoutedStatement extends SentStatement {
  readonly route: Route;
  /** Why it is refused; else null. */
  readonly error: string | null;
}

/**
 * Plans statements on a distributed database, with the parameters that they were sent with, and runs none.
 *
 * @param statements - others than queries and changes of rows are left out
 */
export async function routesOf(
  client: postgres.Sql,
  statements: readonly SentStatement[],
): Promise<RoutedStatement[]> {
  const routed: RoutedStatement[] = [];
  for (const statement of statements) {
    if (!isPlanned.test(statement.text)) continue;
    try {
      routed.push({ ...statement, route: routeOf(await explain(client, statement)), error: null });
    } catch (error) {
      routed.push({ ...statement, route: 'refused', error: String(error) });
    }
  }
  return routed;
}

const isPlanned = /^\(*\s*(select|insert|update|delete|with)\b/i;

function explain(client: postgres.Sql, { text, parameters }: SentStatement): Promise<unknown> {
  return client.unsafe(`explain (format json) ${text}`, [...parameters] as never[]);
}

const Job = z.object({ 'Task Count': z.int() });

/** A step of a plan that other servers take part in. */
interface Step {
  readonly isSubplan: boolean;
  /** Null for a step that passes the rows of another one on. */
  readonly taskCount: number | null;
}

function routeOf(response: unknown): Route {
  const steps = stepsIn(response, false);
  if (steps.length === 0) return 'here';
  if (steps.some(({ taskCount }) => taskCount !== null && taskCount > 1)) return 'many shards';
  const [only, ...more] = steps;
  return more.length === 0 && only?.taskCount !== null && !only?.isSubplan ? 'one shard' : 'steps';
}

/** What a server does with its task isn't looked at. */
function stepsIn(value: unknown, isSubplan: boolean): Step[] {
  if (Array.isArray(value)) return value.flatMap((item) => stepsIn(item, isSubplan));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, child]: [string, unknown]) => {
    if (name === 'Remote Plan') return [];
    if (name === 'Custom Plan Provider' && String(child) === 'Citus INSERT ... SELECT') {
      return [{ isSubplan, taskCount: null }];
    }
    const own = name === 'Job' ? [{ isSubplan, taskCount: Job.parse(child)['Task Count'] }] : [];
    // A subplan may be one of this server alone.
    const passed = name === 'Subplans' ? [{ isSubplan: true, taskCount: null }] : [];
    return [...own, ...passed, ...stepsIn(child, isSubplan || name === 'Subplans')];
  });
}
