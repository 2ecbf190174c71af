import type { Organization, Role, User } from '@atelier/client';
import { onlineManager, queryOptions, useQuery, type QueryState } from '@tanstack/react-query';
import { retryDelayMs } from '../ui/query-defaults.ts';
import { useQueryError } from '../ui/use-query-error.ts';
import { api } from './api.ts';
import {
  hasSelectedOrganization,
  selectOrganization,
  useOrganizationId,
} from './selected-organization.ts';
import { accountQueries } from './queries.ts';
import { isSessionEnd, queryClient } from './query-client.ts';

/** Without the account, no page is complete, and none shows the error of its request. */
const untilLoaded = {
  refetchInterval: ({ state }: { state: Pick<QueryState, 'error' | 'errorUpdateCount'> }) =>
    state.error !== null && !isSessionEnd(state.error) && retryDelayMs(state),
};

export const userQuery = queryOptions({
  ...accountQueries.auth.user.queryOptions(),
  ...untilLoaded,
});

const all = { query: { limit: 100 } };

/** Fetches all organizations of the user. */
export const organizationsQuery = queryOptions({
  queryKey: [...accountQueries.organizations.list.queryKey(all), 'all'],
  queryFn: async ({ signal }) => {
    const organizations: Organization[] = [];
    const pages = api.organizations.list.iterate(all, { signal });
    for await (const organization of pages) organizations.push(organization);
    return organizations;
  },
  ...untilLoaded,
});

/** Query keys of account data, which doesn't depend on the selected organization. */
export const accountKeys = {
  user: userQuery.queryKey,
  organizations: organizationsQuery.queryKey,
} as const;

/** Returns the signed-in user; undefined while loading. */
export function useUser(): User | undefined {
  return useQuery(userQuery).data;
}

/** Returns why the account can't be shown; null while it is loaded for the first time. */
export function useAccountError(): Error | null {
  const user = useQuery(userQuery);
  const organizations = useQuery(organizationsQuery);
  const [ofUser, ofOrganizations] = [useQueryError(user), useQueryError(organizations)];
  const error =
    (user.data === undefined ? ofUser : null) ??
    (organizations.data === undefined ? ofOrganizations : null);
  return isSessionEnd(error) ? null : error;
}

/** Selects the user's first team, unless an organization has been selected in this browser. */
export async function selectDefaultOrganization(): Promise<void> {
  if (hasSelectedOrganization()) return;
  const isKnown = queryClient.getQueryData(organizationsQuery.queryKey) !== undefined;
  // The request would wait for the network; the page says so.
  if (!isKnown && !onlineManager.isOnline()) return;
  // The page shows the error of a failed request.
  const organizations = await queryClient.ensureQueryData(organizationsQuery).catch(() => []);
  const team = organizations.find(({ type }) => type === 'TEAM');
  if (team) selectOrganization(team.id);
}

/** Returns the selected organization; undefined while loading. */
export function useOrganization(): Organization | undefined {
  const id = useOrganizationId();
  return useQuery(organizationsQuery).data?.find((organization) =>
    id ? organization.id === id : organization.type === 'PERSONAL',
  );
}

const rank: Record<Role, number> = { VIEWER: 0, MEMBER: 1, ADMIN: 2, OWNER: 3 };

/** Tells whether the user's role is at least this one in the selected organization; false while loading. */
export function useHasRole(minimum: Role): boolean {
  const organization = useOrganization();
  return organization !== undefined && rank[organization.myRole] >= rank[minimum];
}
