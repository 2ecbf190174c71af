import { api } from '../../session/api.ts';
import { useOrganization, useUser } from '../../session/account.ts';
import { useOrganizationQuery } from '../../session/queries.ts';
import { texts } from '../../texts/asset.ts';

/** Returns the name of a member by user id. */
export function useMemberName(): (userId: string) => string {
  const user = useUser();
  const organization = useOrganization();
  const { data } = useOrganizationQuery({
    key: ['members', 'names'],
    read: (options) =>
      api.organizations.listMembers(
        { params: { id: organization?.id ?? '' }, query: { limit: 100 } },
        options,
      ),
    enabled: organization?.type === 'TEAM',
  });
  return (userId) => {
    if (userId === user?.id) return texts.details.you;
    const member = data?.items.find((one) => one.userId === userId);
    return member?.user.displayName ?? texts.details.former;
  };
}
