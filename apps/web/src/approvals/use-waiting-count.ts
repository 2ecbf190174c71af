import type { Approval, Data } from '@atelier/client';
import { useQuery } from '@tanstack/react-query';
import { useOrganizationQueries } from '../session/queries.ts';
import { keptCurrent } from './live-query.ts';

const isWaiting = ({ status }: Approval) => status === 'WAITING';

/** Returns how many calls wait for a decision that the user may make, among the newest; 0 while loading. */
export function useWaitingCount(): number {
  const queries = useOrganizationQueries();
  const { data } = useQuery({
    ...queries.approvals.list.queryOptions({ query: { limit: 20 } }),
    ...keptCurrent(({ items }: Data<'approvals.list'>) => items.filter(isWaiting)),
    // On every page, and nothing waits most of the time; events tell of new ones.
    refetchOnWindowFocus: true,
  });
  return data?.items.filter(isWaiting).length ?? 0;
}
