import type { ReactNode } from 'react';
import { useOrganization, useUser } from '../session/account.ts';
import { texts } from '../texts/timeline.ts';
import { SkeletonRows } from '../ui/skeleton.tsx';
import { Forbidden } from '../ui/states.tsx';

/** Who may look at what others did; undefined until it is known. */
export function useMayAudit(): boolean | undefined {
  const user = useUser();
  const organization = useOrganization();
  if (!user || !organization) return undefined;
  if (user.platformRole === 'ADMIN') return true;
  const leads = organization.myRole === 'OWNER' || organization.myRole === 'ADMIN';
  return organization.type === 'TEAM' && leads;
}

/** In the place of a timeline that may not be seen, or not yet. */
export function AuditState({ mayAudit }: { readonly mayAudit: boolean | undefined }): ReactNode {
  return mayAudit === undefined ? <SkeletonRows /> : <Forbidden>{texts.forbidden}</Forbidden>;
}

/** What a timeline shows: a team's when one is selected, else that of the whole service. */
export function useAuditScope(): string | null {
  const organization = useOrganization();
  if (!organization) return null;
  return organization.type === 'TEAM' ? texts.ofTeam(organization.name) : texts.ofAll;
}
