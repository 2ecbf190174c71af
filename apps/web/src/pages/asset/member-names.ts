import { useUser } from '../../session/account.ts';
import { useMembers } from '../../tasks/people.ts';
import { texts } from '../../texts/asset.ts';

/** Returns the name of a member by user id. */
export function useMemberName(): (userId: string) => string {
  const user = useUser();
  const members = useMembers();
  return (userId) => {
    if (userId === user?.id) return texts.details.you;
    const member = members?.find(({ id }) => id === userId);
    return member?.displayName ?? (members ? texts.details.former : '…');
  };
}
