import { keepPreviousData } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Archive, KanbanSquare, Plus, SearchX } from 'lucide-react';
import { Suspense, useCallback, type ReactNode } from 'react';
import { lazyPart } from '../../loading/lazy.tsx';
import { useHasRole } from '../../session/account.ts';
import { useOrganizationQueries, useItemPages } from '../../session/queries.ts';
import { texts } from '../../texts/projects.ts';
import { Button } from '../../ui/button.tsx';
import { FilterSelect } from '../../ui/filter-select.tsx';
import { LoadMore } from '../../ui/load-more.tsx';
import { Failed } from '../../ui/load.tsx';
import { keysOf } from '../../ui/options.ts';
import { Page } from '../../ui/page.tsx';
import { SearchInput } from '../../ui/search-input.tsx';
import { useTypedText } from '../../ui/use-typed-text.ts';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { useProjectDialog } from './project-dialog.tsx';
import { projectOrders, type ProjectsSearch } from './search.ts';

const ProjectRows = lazyPart(() => import('./project-rows.tsx'));
// In parallel with the request for the projects.
void ProjectRows.preload();

export default function ProjectsPage(): ReactNode {
  const search = useSearch({ from: '/shell/projects' });
  const navigate = useNavigate({ from: '/projects' });
  const mayCreate = useHasRole('MEMBER');
  const { open, dialog } = useProjectDialog();
  const { status = 'ACTIVE', q, sort = projectOrders[0] } = search;
  const queries = useOrganizationQueries();
  const projects = useItemPages({
    ...queries.projects.list.infiniteQueryOptions({ query: { status, q, sort, limit: 50 } }),
    placeholderData: keepPreviousData,
  });
  const change = useCallback(
    (next: Partial<ProjectsSearch>) =>
      void navigate({ search: (before) => ({ ...before, ...next }), replace: true }),
    [navigate],
  );
  const create = mayCreate ? (
    <Button tone="primary" icon={Plus} data-create onClick={() => open({ kind: 'create' })}>
      {texts.new}
    </Button>
  ) : null;

  return (
    <Page title={texts.title} description={texts.description} actions={create}>
      <Filters search={search} onChange={change} />
      {projects.error && projects.items.length === 0 ? (
        <Failed error={projects.error} onRetry={projects.refetch} />
      ) : projects.isPending ? (
        <SkeletonRows count={4} />
      ) : projects.items.length === 0 ? (
        <NoProjects search={search} onClear={() => change({ q: undefined })} create={create} />
      ) : (
        <Suspense fallback={<SkeletonRows count={4} />}>
          <ProjectRows
            projects={projects.items}
            canOrder={mayCreate && sort === 'position' && q === undefined}
            onOpen={open}
          />
          <LoadMore
            hasMore={projects.hasMore}
            isLoading={projects.isLoadingMore}
            onMore={projects.loadMore}
            shown={projects.items.length}
            total={projects.total}
            isTotalLowerBound={projects.isTotalLowerBound}
          />
        </Suspense>
      )}
      {dialog}
    </Page>
  );
}

interface FiltersProps {
  readonly search: ProjectsSearch;
  readonly onChange: (change: Partial<ProjectsSearch>) => void;
}

function Filters({ search, onChange }: FiltersProps): ReactNode {
  const find = useCallback((text: string) => onChange({ q: text || undefined }), [onChange]);
  const [typed, setTyped] = useTypedText(search.q ?? '', find);
  return (
    <div role="search" className="mb-4 flex flex-wrap gap-2">
      <SearchInput label={texts.search} value={typed} onChange={setTyped} />
      <FilterSelect
        label={texts.status}
        value={search.status ?? 'ACTIVE'}
        onChange={(status) => onChange({ status })}
        options={keysOf(texts.statuses).map((value) => ({ value, label: texts.statuses[value] }))}
      />
      <FilterSelect
        label={texts.sort}
        value={search.sort ?? 'position'}
        onChange={(sort) => onChange({ sort })}
        options={projectOrders.map((value) => ({ value, label: texts.orders[value] }))}
      />
    </div>
  );
}

interface NoProjectsProps {
  readonly search: ProjectsSearch;
  readonly onClear: () => void;
  readonly create: ReactNode;
}

function NoProjects({ search, onClear, create }: NoProjectsProps): ReactNode {
  if (search.q) {
    return (
      <EmptyState
        icon={SearchX}
        title={texts.noMatches}
        action={<Button onClick={onClear}>{texts.clearSearch}</Button>}
      >
        {texts.noMatchesHint}
      </EmptyState>
    );
  }
  if (search.status === 'ARCHIVED') {
    return (
      <EmptyState icon={Archive} title={texts.emptyArchive}>
        {texts.emptyArchiveHint}
      </EmptyState>
    );
  }
  return (
    <EmptyState icon={KanbanSquare} title={texts.empty} action={create}>
      {create ? texts.emptyHint : texts.emptyReader}
    </EmptyState>
  );
}
