import { useQuery } from '@tanstack/react-query';
import { useOrganization, useUser } from '../../session/account.ts';
import { useOrganizationQueries } from '../../session/queries.ts';
import { texts } from '../../texts/asset.ts';

/** Returns the name of a member by user id. */
export function useMemberName(): (userId: string) => string {
  const user = useUser();
  const organization = useOrganization();
  const queries = useOrganizationQueries();
  const { data } = useQuery({
    ...queries.organizations.listMembers.queryOptions({
      params: { id: organization?.id ?? '' },
      query: { limit: 100 },
    }),
    enabled: organization?.type === 'TEAM',
  });
  return (userId) => {
    if (userId === user?.id) return texts.details.you;
    const member = data?.items.find((one) => one.userId === userId);
    return member?.user.displayName ?? texts.details.former;
  };
}
