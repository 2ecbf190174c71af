import { asc } from 'drizzle-orm';
import type { Database } from '../../db/executor.ts';
import { statement } from '../../db/session/statement.ts';
import { plans } from '../../db/generated/schema.ts';

const cheapestFirst = statement((db) =>
  db.select().from(plans).orderBy(asc(plans.priceCents), asc(plans.id)),
);

export function planQueries(db: Database) {
  return {
    /** Lists all plans: a handful. */
    list: () => cheapestFirst(db),
  };
}

export type PlanRow = Awaited<ReturnType<ReturnType<typeof planQueries>['list']>>[number];
