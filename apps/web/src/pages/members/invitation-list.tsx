import type { Invitation, InvitationStatus, Organization } from '@atelier/client';
import { editCached } from '@atelier/client/react-query';
import { keepPreviousData } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Copy, Ellipsis, MailPlus, Send, X } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { api } from '../../session/api.ts';
import {
  topicKey,
  useItemPages,
  useOrganizationMutation,
  useOrganizationQueries,
  type ItemPages,
  type TopicKey,
} from '../../session/queries.ts';
import { texts } from '../../texts/members.ts';
import { Badge, type BadgeTone } from '../../ui/badge.tsx';
import { copyText } from '../../ui/clipboard.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Select } from '../../ui/field.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { LoadMore } from '../../ui/load-more.tsx';
import { Failed } from '../../ui/load.tsx';
import { Menu, MenuItem } from '../../ui/menu.tsx';
import { notify } from '../../ui/notices.tsx';
import { keysOf } from '../../ui/options.ts';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { Cell, HeaderCell, Row, Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { validateSearch } from './search.ts';

interface InvitationListProps {
  readonly team: Organization;
  /** The button that invites people. */
  readonly invite: ReactNode;
}

const tones: Record<InvitationStatus, BadgeTone> = {
  PENDING: 'info',
  ACCEPTED: 'success',
  EXPIRED: 'neutral',
  REVOKED: 'neutral',
};

/** Lists the invitations of a team with their status, filtered by the search parameters. */
export default function InvitationList({ team, invite }: InvitationListProps): ReactNode {
  const { invitations: filter = 'PENDING' } = useSearch({ from: '/shell/settings/members' });
  const navigate = useNavigate();
  const queries = useOrganizationQueries();
  const invitations = useItemPages({
    ...queries.organizations.listInvitations.infiniteQueryOptions({
      params: { id: team.id },
      query: { limit: 50, ...(filter !== 'ALL' && { status: filter }) },
    }),
    placeholderData: keepPreviousData,
  });
  return (
    <div className="flex flex-col gap-4">
      <div className="w-48">
        <Select
          name="invitationStatus"
          label={texts.statusFilter.label}
          isLabelHidden
          value={filter}
          onChange={({ target }) =>
            void navigate({
              to: '/settings/members',
              // The default isn't a value of the parameter, so it is left out.
              search: (before) => validateSearch({ ...before, invitations: target.value }),
              replace: true,
            })
          }
        >
          <option value="ALL">{texts.statusFilter.all}</option>
          {keysOf(texts.invitationStatuses).map((one) => (
            <option key={one} value={one}>
              {texts.invitationStatuses[one]}
            </option>
          ))}
        </Select>
      </div>
      <InvitationTable team={team} invitations={invitations} invite={invite} />
    </div>
  );
}

interface InvitationTableProps extends InvitationListProps {
  readonly invitations: ItemPages<Invitation>;
}

function InvitationTable({ team, invitations, invite }: InvitationTableProps): ReactNode {
  if (invitations.error && invitations.items.length === 0)
    return <Failed error={invitations.error} onRetry={invitations.refetch} />;
  if (invitations.isPending) return <SkeletonRows />;
  if (invitations.items.length === 0) {
    return (
      <EmptyState icon={MailPlus} title={texts.noInvitations} action={invite}>
        {texts.noInvitationsHint}
      </EmptyState>
    );
  }
  return (
    <div>
      <Table caption={texts.tabs.invitations}>
        <thead>
          <tr>
            <HeaderCell>{texts.columns.email}</HeaderCell>
            <HeaderCell>{texts.columns.role}</HeaderCell>
            <HeaderCell className="hidden md:table-cell">{texts.columns.expires}</HeaderCell>
            <HeaderCell className="hidden lg:table-cell">{texts.columns.invitedBy}</HeaderCell>
            <HeaderCell>
              <span className="sr-only">{texts.columns.actions}</span>
            </HeaderCell>
          </tr>
        </thead>
        <tbody>
          {invitations.items.map((invitation) => (
            <InvitationRow key={invitation.id} team={team} invitation={invitation} />
          ))}
        </tbody>
      </Table>
      <LoadMore
        hasMore={invitations.hasMore}
        isLoading={invitations.isLoadingMore}
        onMore={invitations.loadMore}
        shown={invitations.items.length}
        total={invitations.total}
        isTotalLowerBound={invitations.isTotalLowerBound}
      />
    </div>
  );
}

interface InvitationRowProps {
  readonly team: Organization;
  readonly invitation: Invitation;
}

function InvitationRow({ team, invitation }: InvitationRowProps): ReactNode {
  const { email, role, status, expiresAt, invitedBy } = invitation;
  return (
    <Row>
      <Cell>
        <p className="max-w-40 truncate font-medium sm:max-w-72" title={email}>
          {email}
        </p>
        <Badge tone={tones[status]}>{texts.invitationStatuses[status]}</Badge>
      </Cell>
      <Cell>{texts.roles[role]}</Cell>
      <Cell className="hidden whitespace-nowrap text-ink-muted md:table-cell">
        <Time at={expiresAt} />
      </Cell>
      <Cell className="hidden text-ink-muted lg:table-cell">{invitedBy.displayName}</Cell>
      <Cell className="w-14 text-right">
        <InvitationMenu team={team} invitation={invitation} />
      </Cell>
    </Row>
  );
}

const invalidates: readonly TopicKey[] = [['organizations', 'listInvitations']];

function InvitationMenu({ team, invitation }: InvitationRowProps): ReactNode {
  const { id, email, role, status } = invitation;
  const [isAsking, setAsking] = useState(false);
  const resend = useOrganizationMutation({
    change: (_: void, options) =>
      api.organizations.invite({ params: { id: team.id }, body: { email, role } }, options),
    invalidates,
    onDone: () => notify(texts.resent(email)),
  });
  const revoke = useOrganizationMutation({
    change: (_: void, options) =>
      api.organizations.revokeInvitation({ params: { id: team.id, invitationId: id } }, options),
    invalidates,
    optimistic: (cache) =>
      editCached<Invitation>(cache, {
        keys: invalidates.map(topicKey),
        ids: [id],
        edit: (one) => ({ ...one, status: 'REVOKED' }),
      }),
    onDone: () => notify(texts.revoked(email)),
  });
  return (
    <>
      <Menu trigger={<IconButton icon={Ellipsis} label={texts.actionsFor(email)} />}>
        {status === 'ACCEPTED' ? null : (
          <MenuItem icon={Send} onSelect={() => resend.mutate()}>
            {texts.resend}
          </MenuItem>
        )}
        <MenuItem icon={Copy} onSelect={() => void copyText(email)}>
          {texts.copyEmail}
        </MenuItem>
        {status === 'PENDING' ? (
          <MenuItem icon={X} tone="danger" onSelect={() => setAsking(true)}>
            {texts.revoke}
          </MenuItem>
        ) : null}
      </Menu>
      <ConfirmDialog
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        title={texts.confirmRevoke.title(email)}
        action={texts.revoke}
        onConfirm={() => {
          setAsking(false);
          revoke.mutate();
        }}
      >
        {texts.confirmRevoke.text}
      </ConfirmDialog>
    </>
  );
}
