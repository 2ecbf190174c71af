import { useHasRole, useUser } from '../session/account.ts';

/** Tells whether the user may change and delete a collection or an asset: members their own, admins all. */
export function useMayChange(): (owned: { readonly createdBy: string }) => boolean {
  const user = useUser();
  const isContributor = useHasRole('MEMBER');
  const isAdministrator = useHasRole('ADMIN');
  return ({ createdBy }) => isAdministrator || (isContributor && createdBy === user?.id);
}
