import type { Organization } from '@atelier/client';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { UserPlus, Users } from 'lucide-react';
import { lazy, Suspense, useState, type ReactNode } from 'react';
import { useHasRole, useOrganization } from '../../session/account.ts';
import { CreateTeam } from '../../shell/create-team.tsx';
import { texts } from '../../texts/members.ts';
import { Button } from '../../ui/button.tsx';
import { Page } from '../../ui/page.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { MemberList } from './member-list.tsx';

const InviteDialog = lazy(() => import('./invite-dialog.tsx'));
const InvitationList = lazy(() => import('./invitation-list.tsx'));

export default function MembersPage(): ReactNode {
  const organization = useOrganization();
  if (!organization) {
    return (
      <Page title={texts.title}>
        <SkeletonRows />
      </Page>
    );
  }
  return organization.type === 'PERSONAL' ? (
    <PersonalState />
  ) : (
    // What is typed and chosen belongs to one team.
    <TeamMembers key={organization.id} team={organization} />
  );
}

function TeamMembers({ team }: { readonly team: Organization }): ReactNode {
  const { tab } = useSearch({ from: '/shell/settings/members' });
  const navigate = useNavigate();
  const isManager = useHasRole('ADMIN');
  const [isInviting, setInviting] = useState(false);
  const invite = isManager ? (
    <Button tone="primary" icon={UserPlus} onClick={() => setInviting(true)}>
      {texts.invite}
    </Button>
  ) : null;

  return (
    <Page title={texts.title} description={texts.description(team.name)} actions={invite}>
      {isManager ? (
        <Tabs
          label={texts.tabs.label}
          value={tab ?? 'members'}
          onChange={(value) =>
            void navigate({
              to: '/settings/members',
              search: value === 'invitations' ? { tab: value } : {},
              replace: true,
            })
          }
          tabs={[
            { value: 'members', label: texts.tabs.members, panel: <MemberList team={team} /> },
            {
              value: 'invitations',
              label: texts.tabs.invitations,
              panel: (
                <Suspense fallback={<SkeletonRows />}>
                  <InvitationList team={team} invite={invite} />
                </Suspense>
              ),
            },
          ]}
        />
      ) : (
        <MemberList team={team} />
      )}
      {isInviting ? (
        <Suspense>
          <InviteDialog team={team} onClose={() => setInviting(false)} />
        </Suspense>
      ) : null}
    </Page>
  );
}

function PersonalState(): ReactNode {
  const [isCreating, setCreating] = useState(false);
  return (
    <Page title={texts.title}>
      <EmptyState
        icon={Users}
        title={texts.personal}
        action={
          <Button tone="primary" onClick={() => setCreating(true)}>
            {texts.createTeam}
          </Button>
        }
      >
        {texts.personalHint}
      </EmptyState>
      <CreateTeam isOpen={isCreating} onClose={() => setCreating(false)} />
    </Page>
  );
}
