import type { Project } from '@atelier/client';
import { useNavigate } from '@tanstack/react-router';
import { Suspense, useCallback, type ReactNode } from 'react';
import { lazyDialog, lazyPart } from '../../loading/lazy.tsx';
import { useHasRole } from '../../session/account.ts';
import { texts } from '../../texts/project.ts';
import { Button } from '../../ui/button.tsx';
import { useUpdateProject } from '../projects/project-changes.ts';
import { BoardSkeleton } from './board-skeleton.tsx';
import { Board } from './board.tsx';
import { Filters } from './filters.tsx';
import type { ProjectSearch } from './search.ts';

const TaskList = lazyPart(() => import('./task-list.tsx'));
const TaskCalendar = lazyPart(() => import('./task-calendar.tsx'));
const TaskDrawer = lazyDialog(() => import('../../tasks/task-drawer.tsx'));

interface ProjectContentProps {
  readonly project: Project;
  readonly search: ProjectSearch;
}

/** Shows the tasks of a project as a board, a list or a calendar, and the drawer of the open task. */
export default function ProjectContent({ project, search }: ProjectContentProps): ReactNode {
  const navigate = useNavigate({ from: '/projects/$id' });
  const change = useCallback(
    (next: Partial<ProjectSearch>) =>
      void navigate({ search: (before) => ({ ...before, ...next }), replace: true }),
    [navigate],
  );

  return (
    <div className="flex flex-col gap-4">
      {project.status === 'ARCHIVED' ? <ArchivedNotice project={project} /> : null}
      <Filters search={search} onChange={change} />
      {search.view === 'list' ? (
        <Suspense fallback={<BoardSkeleton />}>
          <TaskList project={project} search={search} onChange={change} />
        </Suspense>
      ) : search.view === 'calendar' ? (
        <Suspense fallback={<BoardSkeleton />}>
          <TaskCalendar project={project} search={search} onChange={change} />
        </Suspense>
      ) : (
        <Board project={project} search={search} onChange={change} />
      )}
      {search.task ? (
        <Suspense>
          <TaskDrawer id={search.task} onClose={() => change({ task: undefined })} />
        </Suspense>
      ) : null}
    </div>
  );
}

function ArchivedNotice({ project }: { readonly project: Project }): ReactNode {
  const mayEdit = useHasRole('MEMBER');
  const update = useUpdateProject();
  return (
    <div className="flex flex-wrap items-center justify-between gap-3 rounded-lg bg-warning-soft px-4 py-2.5 text-warning">
      <p>{texts.archived}</p>
      {mayEdit ? (
        <Button
          size="sm"
          isBusy={update.isPending}
          onClick={() => update.mutate({ id: project.id, patch: { status: 'ACTIVE' } })}
        >
          {texts.reopen}
        </Button>
      ) : null}
    </div>
  );
}
