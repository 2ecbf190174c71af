import type { Organization } from '@atelier/client';
import type { ReactNode } from 'react';
import { api } from '../../session/api.ts';
import { useUser } from '../../session/account.ts';
import { useOrganizationQuery } from '../../session/queries.ts';
import { LeaveDialog } from '../members/member-row.tsx';

interface LeaveOrganizationProps {
  readonly organization: Organization;
  readonly onClose: () => void;
}

/** Asks the user to confirm leaving; finds their membership by email. */
export default function LeaveOrganization({
  organization,
  onClose,
}: LeaveOrganizationProps): ReactNode {
  const user = useUser();
  const own = useOrganizationQuery({
    key: ['members', 'own', user?.id],
    enabled: user !== undefined,
    read: (options) =>
      api.organizations.listMembers(
        { params: { id: organization.id }, query: { q: user?.email ?? '', limit: 100 } },
        options,
      ),
  });
  const membership = own.data?.items.find(({ userId }) => userId === user?.id);
  return <LeaveDialog team={organization} memberId={membership?.id} onClose={onClose} />;
}
