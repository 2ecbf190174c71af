import { asc } from 'drizzle-orm';
import type { Database } from '../../db/executor.ts';
import { plans } from '../../db/generated/schema.ts';

export function planQueries(db: Database) {
  const cheapestFirst = db
    .select()
    .from(plans)
    .orderBy(asc(plans.priceCents), asc(plans.id))
    .prepare('plans_cheapest_first');

  return {
    /** Lists all plans: a handful. */
    list: () => cheapestFirst.execute(),
  };
}

export type PlanRow = Awaited<ReturnType<ReturnType<typeof planQueries>['list']>>[number];
