import { useQuery } from '@tanstack/react-query';
import type { Organization } from '@atelier/client';
import type { ReactNode } from 'react';
import { useUser } from '../../session/account.ts';
import { useOrganizationQueries } from '../../session/queries.ts';
import { texts } from '../../texts/members.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Failed } from '../../ui/load.tsx';
import { useQueryError } from '../../ui/use-query-error.ts';
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
  const queries = useOrganizationQueries();
  const own = useQuery({
    ...queries.organizations.listMembers.queryOptions({
      params: { id: organization.id },
      query: { q: user?.email ?? '', limit: 100 },
    }),
    enabled: user !== undefined,
  });
  const error = useQueryError(own);
  if (error && !own.data) {
    return (
      <Dialog
        isOpen
        onClose={onClose}
        title={texts.confirmLeave.title(organization.name)}
        size="sm"
      >
        <Failed error={error} onRetry={() => void own.refetch()} />
      </Dialog>
    );
  }
  const membership = own.data?.items.find(({ userId }) => userId === user?.id);
  return <LeaveDialog team={organization} memberId={membership?.id} onClose={onClose} />;
}
