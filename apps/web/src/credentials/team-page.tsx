import type { Organization } from '@atelier/client';
import { Lock, type LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { useOrganization } from '../session/account.ts';
import { Page } from '../ui/page.tsx';
import { SkeletonRows } from '../ui/skeleton.tsx';
import { EmptyState } from '../ui/states.tsx';

interface TeamPageProps {
  readonly icon: LucideIcon;
  readonly texts: {
    readonly title: string;
    /** Shown to members who may not manage the team. */
    readonly forbidden: string;
    /** Shown for a personal organization. */
    readonly personal: string;
  };
  readonly children: (team: Organization) => ReactNode;
}

/** A page for those who manage the selected team. Everyone else is told why it is empty. */
export function TeamPage({ icon, texts, children }: TeamPageProps): ReactNode {
  const organization = useOrganization();
  if (!organization) {
    return (
      <Page title={texts.title} width="narrow">
        <SkeletonRows />
      </Page>
    );
  }
  const { type, myRole } = organization;
  const isManager = myRole === 'OWNER' || myRole === 'ADMIN';
  if (type === 'TEAM' && isManager) return children(organization);
  return (
    <Page title={texts.title} width="narrow">
      <EmptyState
        icon={type === 'TEAM' ? Lock : icon}
        title={type === 'TEAM' ? texts.forbidden : texts.personal}
      />
    </Page>
  );
}
