import type { Organization } from '@atelier/client';
import { Link, useSearch } from '@tanstack/react-router';
import { UserPlus, Users } from 'lucide-react';
import { Suspense, useState, type ReactNode } from 'react';
import { lazyDialog, lazyPart } from '../../loading/lazy.tsx';
import { useHasRole, useOrganization } from '../../session/account.ts';
import { CreateTeam } from '../../shell/create-team.tsx';
import { texts } from '../../texts/members.ts';
import { Button } from '../../ui/button.tsx';
import { Page } from '../../ui/page.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { MemberList } from './member-list.tsx';
import type { MembersSearch } from './search.ts';

const InviteDialog = lazyDialog(() => import('./invite-dialog.tsx'));
const InvitationList = lazyPart(() => import('./invitation-list.tsx'));

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
    // The key resets the form state when the team changes.
    <TeamMembers key={organization.id} team={organization} />
  );
}

function TeamMembers({ team }: { readonly team: Organization }): ReactNode {
  const { tab } = useSearch({ from: '/shell/settings/members' });
  const isManager = useHasRole('ADMIN');
  const [isInviting, setInviting] = useState(false);
  const invite = isManager ? (
    <Button tone="primary" icon={UserPlus} onClick={() => setInviting(true)}>
      {texts.invite}
    </Button>
  ) : null;

  return (
    <Page title={texts.title} description={texts.description(team.name)} actions={invite}>
      {isManager ? <Views current={tab} /> : null}
      {isManager && tab === 'invitations' ? (
        <Suspense fallback={<SkeletonRows />}>
          <InvitationList team={team} invite={invite} />
        </Suspense>
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

/** Links to the two views. Each has its own URL, so these are links and not tabs. */
function Views({ current }: { readonly current: MembersSearch['tab'] }): ReactNode {
  const views = [
    { tab: undefined, label: texts.tabs.members },
    { tab: 'invitations', label: texts.tabs.invitations },
  ] as const;
  return (
    <nav aria-label={texts.tabs.label} className="mb-4 flex gap-1 border-b border-line">
      {views.map(({ tab, label }) => (
        <Link
          key={label}
          to="/settings/members"
          search={tab ? { tab } : {}}
          // Filters in the URL don't change the current view.
          activeOptions={{ exact: true }}
          aria-current={tab === current ? 'page' : undefined}
          className="-mb-px border-b-2 border-transparent px-3 py-2 font-medium text-ink-muted hover:text-ink aria-[current=page]:border-accent aria-[current=page]:text-ink"
        >
          {label}
        </Link>
      ))}
    </nav>
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
