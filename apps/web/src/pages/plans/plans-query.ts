import { queryOptions } from '@tanstack/react-query';
import { accountQueries } from '../../session/queries.ts';

/** Fetches all plans, cheapest first. */
export const plansQuery = queryOptions({
  ...accountQueries.plans.list.queryOptions({ query: { limit: 100 } }),
  select: ({ items }) => items,
  staleTime: 5 * 60_000,
});
