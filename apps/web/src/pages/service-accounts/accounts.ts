import type { QueryGroups } from '@atelier/client/react-query';

/** All service accounts of an organization, which has at most 25. */
export function accountsOf(queries: QueryGroups, organizationId: string) {
  return queries.serviceAccounts.list.infiniteQueryOptions({
    params: { id: organizationId },
    query: { limit: 25 },
  });
}
