import { useQuery } from '@tanstack/react-query';
import { Link, useParams, useSearch } from '@tanstack/react-router';
import { ArrowLeft, CalendarDays, KanbanSquare, List } from 'lucide-react';
import { Suspense, type ReactNode } from 'react';
import type { Project } from '@atelier/client';
import { lazyPart } from '../../loading/lazy.tsx';
import { useHasRole } from '../../session/account.ts';
import { useOrganizationQueries } from '../../session/queries.ts';
import { texts } from '../../texts/project.ts';
import { texts as projectTexts } from '../../texts/projects.ts';
import { Badge } from '../../ui/badge.tsx';
import { classNames } from '../../ui/class-names.ts';
import { Load } from '../../ui/load.tsx';
import { Page } from '../../ui/page.tsx';
import { BoardSkeleton } from './board-skeleton.tsx';
import type { ProjectSearch } from './search.ts';

const ProjectActions = lazyPart(() => import('./project-actions.tsx'));
const ProjectContent = lazyPart(() => import('./project-content.tsx'));
// In parallel with the request for the project.
void ProjectContent.preload();

export default function ProjectPage(): ReactNode {
  const { id } = useParams({ from: '/shell/projects/$id' });
  const search = useSearch({ from: '/shell/projects/$id' });
  const queries = useOrganizationQueries();
  const project = useQuery(queries.projects.get.queryOptions({ params: { id } }));
  const shown = project.data;
  return (
    <Page
      title={shown?.name ?? texts.title}
      width="wide"
      heading={shown ? <Heading project={shown} /> : undefined}
      actions={shown ? <Actions project={shown} view={search.view} /> : null}
    >
      <Load query={project} skeleton={<BoardSkeleton />}>
        {(data) => (
          <Suspense fallback={<BoardSkeleton />}>
            <ProjectContent key={id} project={data} search={search} />
          </Suspense>
        )}
      </Load>
    </Page>
  );
}

function Heading({ project }: { readonly project: Project }): ReactNode {
  return (
    <>
      <Link
        to="/projects"
        className="mb-1 inline-flex items-center gap-1 text-sm text-ink-muted hover:text-ink"
      >
        <ArrowLeft aria-hidden className="size-3.5" />
        {texts.back}
      </Link>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <h1 dir="auto" className="wrap-anywhere">
          {project.name}
        </h1>
        <Badge>{project.key}</Badge>
        {project.status === 'ARCHIVED' ? (
          <Badge tone="warning">{projectTexts.statuses.ARCHIVED}</Badge>
        ) : null}
      </div>
      {project.description ? (
        <p dir="auto" className="mt-1 line-clamp-2 max-w-3xl wrap-anywhere text-ink-muted">
          {project.description}
        </p>
      ) : null}
    </>
  );
}

interface ActionsProps {
  readonly project: Project;
  readonly view: ProjectSearch['view'];
}

function Actions({ project, view }: ActionsProps): ReactNode {
  const mayEdit = useHasRole('MEMBER');
  return (
    <>
      <div
        role="group"
        aria-label={texts.view}
        className="inline-flex rounded-md border border-line bg-sunken p-0.5"
      >
        <ViewLink isActive={view === undefined} view={undefined}>
          <KanbanSquare aria-hidden className="size-4" />
          {texts.board}
        </ViewLink>
        <ViewLink isActive={view === 'list'} view="list">
          <List aria-hidden className="size-4" />
          {texts.list}
        </ViewLink>
        <ViewLink isActive={view === 'calendar'} view="calendar">
          <CalendarDays aria-hidden className="size-4" />
          {texts.calendar.name}
        </ViewLink>
      </div>
      {mayEdit ? (
        <Suspense fallback={<span className="size-9" />}>
          <ProjectActions project={project} />
        </Suspense>
      ) : null}
    </>
  );
}

function ViewLink({
  isActive,
  view,
  children,
}: {
  readonly isActive: boolean;
  readonly view: ProjectSearch['view'];
  readonly children: ReactNode;
}): ReactNode {
  return (
    <Link
      from="/projects/$id"
      to="."
      search={(before) => ({ ...before, view })}
      replace
      aria-current={isActive ? 'true' : undefined}
      className={classNames(
        'inline-flex h-8 items-center gap-1.5 rounded-sm px-3 text-base font-medium',
        isActive ? 'bg-surface text-ink shadow-sm' : 'text-ink-muted hover:text-ink',
      )}
    >
      {children}
    </Link>
  );
}
