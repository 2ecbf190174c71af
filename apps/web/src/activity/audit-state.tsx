import type { ReactNode } from 'react';
import { useOrganization, useUser } from '../session/account.ts';
import { texts } from '../texts/timeline.ts';
import { SkeletonRows } from '../ui/skeleton.tsx';
import { Forbidden } from '../ui/states.tsx';

/** Tells whether the user may see what others did; undefined while loading. */
export function useMayAudit(): boolean | undefined {
  const user = useUser();
  const organization = useOrganization();
  if (!user || !organization) return undefined;
  if (user.platformRole === 'ADMIN') return true;
  const leads = organization.myRole === 'OWNER' || organization.myRole === 'ADMIN';
  return organization.type === 'TEAM' && leads;
}

/** Replaces a timeline that is loading or that the user may not see. */
export function AuditState({ mayAudit }: { readonly mayAudit: boolean | undefined }): ReactNode {
  return mayAudit === undefined ? <SkeletonRows /> : <Forbidden>{texts.forbidden}</Forbidden>;
}

/** Describes what a timeline covers: the selected team, otherwise the whole service. */
export function useAuditScope(): string | null {
  const organization = useOrganization();
  if (!organization) return null;
  return organization.type === 'TEAM' ? texts.ofTeam(organization.name) : texts.ofAll;
}
