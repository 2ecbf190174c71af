import type { Organization, Role, User } from '@atelier/client';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { api } from '../api.ts';
import {
  hasChosenOrganization,
  selectOrganization,
  useOrganizationId,
} from './organization-choice.ts';
import { queryClient } from './query-client.ts';

/** Keys of what belongs to the account, whichever organization is selected. */
export const accountKeys = {
  all: ['account'],
  user: ['account', 'user'],
  organizations: ['account', 'organizations'],
} as const;

export const userQuery = queryOptions({
  queryKey: accountKeys.user,
  queryFn: ({ signal }) => api.auth.user({}, { signal }),
});

export const organizationsQuery = queryOptions({
  queryKey: accountKeys.organizations,
  queryFn: async ({ signal }) => {
    const organizations: Organization[] = [];
    const all = api.organizations.list.iterate({ query: { limit: 100 } }, { signal });
    for await (const organization of all) organizations.push(organization);
    return organizations;
  },
});

/** Who is logged in; undefined until it is known. */
export function useUser(): User | undefined {
  return useQuery(userQuery).data;
}

/** Whoever belongs to a team and has chosen nothing yet begins there: that is where the work is. */
export async function chooseFirstOrganization(): Promise<void> {
  if (hasChosenOrganization()) return;
  // What can't be read now is told by the page.
  const organizations = await queryClient.ensureQueryData(organizationsQuery).catch(() => []);
  const team = organizations.find(({ type }) => type === 'TEAM');
  if (team) selectOrganization(team.id);
}

/** The selected organization; undefined until it is known. */
export function useOrganization(): Organization | undefined {
  const id = useOrganizationId();
  return useQuery(organizationsQuery).data?.find((organization) =>
    id ? organization.id === id : organization.type === 'PERSONAL',
  );
}

const strength: Record<Role, number> = { VIEWER: 0, MEMBER: 1, ADMIN: 2, OWNER: 3 };

/** Whether the role in the selected organization is at least this one; false until it is known. */
export function useHasRole(least: Role): boolean {
  const organization = useOrganization();
  return organization !== undefined && strength[organization.myRole] >= strength[least];
}
