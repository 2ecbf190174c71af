import type { SharePolicy } from '@atelier/client';
import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { useOrganization } from '../session/account.ts';
import { useOrganizationQueries } from '../session/queries.ts';

/** Fetches what the selected organization demands of its shares. */
export function useSharePolicy(): UseQueryResult<SharePolicy> {
  const queries = useOrganizationQueries();
  const id = useOrganization()?.id ?? '';
  return useQuery({
    ...queries.shares.policy.queryOptions({ params: { id } }),
    enabled: id !== '',
  });
}
