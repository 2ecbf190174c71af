import { queryOptions } from '@tanstack/react-query';
import { api } from '../../session/api.ts';

/** Fetches all plans, cheapest first. */
export const plansQuery = queryOptions({
  queryKey: ['plans', 'all'],
  queryFn: async ({ signal }) =>
    (await api.plans.list({ query: { limit: 100 } }, { signal })).items,
  staleTime: 5 * 60_000,
});
