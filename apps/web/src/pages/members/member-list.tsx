import { keepPreviousData } from '@tanstack/react-query';
import type { Member, Organization } from '@atelier/client';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { SearchX } from 'lucide-react';
import { useCallback, type ReactNode } from 'react';
import { type ItemPages, useOrganizationQueries, useItemPages } from '../../session/queries.ts';
import { texts } from '../../texts/members.ts';
import { Button } from '../../ui/button.tsx';
import { LoadMore } from '../../ui/load-more.tsx';
import { Failed } from '../../ui/load.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { HeaderCell, Table } from '../../ui/table.tsx';
import { MemberFilters } from './member-filters.tsx';
import { MemberRow } from './member-row.tsx';
import { validateSearch, type MembersSearch } from './search.ts';

/** Lists the members of a team, filtered by the search parameters. */
export function MemberList({ team }: { readonly team: Organization }): ReactNode {
  const search = useSearch({ from: '/shell/settings/members' });
  const q = search.q?.trim();
  const navigate = useNavigate();
  const { role, status } = search;
  const filters = { ...(q && { q }), ...(role && { role }), ...(status && { status }) };
  const queries = useOrganizationQueries();
  const members = useItemPages({
    ...queries.organizations.listMembers.infiniteQueryOptions({
      params: { id: team.id },
      query: { ...filters, limit: 50 },
    }),
    placeholderData: keepPreviousData,
  });

  const setFilters = useCallback(
    (change: MembersSearch) =>
      void navigate({
        to: '/settings/members',
        search: (before) => validateSearch({ ...before, ...change }),
        replace: true,
      }),
    [navigate],
  );

  return (
    <div className="flex flex-col gap-4">
      <MemberFilters search={search} onFilterChange={setFilters} />
      <MemberTable
        team={team}
        members={members}
        onClear={() => setFilters({ q: undefined, role: undefined, status: undefined })}
      />
    </div>
  );
}

interface MemberTableProps {
  readonly team: Organization;
  readonly members: ItemPages<Member>;
  readonly onClear: () => void;
}

function MemberTable({ team, members, onClear }: MemberTableProps): ReactNode {
  if (members.error && members.items.length === 0)
    return <Failed error={members.error} onRetry={members.refetch} />;
  if (members.isPending) return <SkeletonRows />;
  if (members.items.length === 0) {
    return (
      <EmptyState
        icon={SearchX}
        title={texts.noMatch}
        action={<Button onClick={onClear}>{texts.clearFilters}</Button>}
      >
        {texts.noMatchHint}
      </EmptyState>
    );
  }
  return (
    <div>
      <Table caption={texts.tabs.members}>
        <thead>
          <tr>
            <HeaderCell>{texts.columns.person}</HeaderCell>
            <HeaderCell className="hidden sm:table-cell">{texts.columns.role}</HeaderCell>
            <HeaderCell className="hidden md:table-cell">{texts.columns.status}</HeaderCell>
            <HeaderCell className="hidden lg:table-cell">{texts.columns.joined}</HeaderCell>
            <HeaderCell>
              <span className="sr-only">{texts.columns.actions}</span>
            </HeaderCell>
          </tr>
        </thead>
        <tbody>
          {members.items.map((member) => (
            <MemberRow key={member.id} team={team} member={member} />
          ))}
        </tbody>
      </Table>
      <LoadMore
        hasMore={members.hasMore}
        isLoading={members.isLoadingMore}
        onMore={members.loadMore}
        shown={members.items.length}
        total={members.total}
        isTotalLowerBound={members.isTotalLowerBound}
      />
    </div>
  );
}
