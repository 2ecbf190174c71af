import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { ArrowLeft } from 'lucide-react';
import { Suspense, type ReactNode } from 'react';
import { lazyPart } from '../../loading/lazy.tsx';
import { useOrganizationQueries } from '../../session/queries.ts';
import { texts } from '../../texts/task-page.ts';
import { Load } from '../../ui/load.tsx';
import { useDocumentTitle } from '../../ui/page.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';

const TaskTools = lazyPart(async () => ({
  default: (await import('../../tasks/task-tools.tsx')).TaskTools,
}));
const TaskContent = lazyPart(async () => ({
  default: (await import('../../tasks/task-content.tsx')).TaskContent,
}));
// In parallel with the request for the task.
void TaskContent.preload();

/** Shows one task in full. */
export default function TaskPage(): ReactNode {
  const { id: projectId, taskId } = useParams({ from: '/shell/projects/$id/tasks/$taskId' });
  const navigate = useNavigate();
  const queries = useOrganizationQueries();
  const task = useQuery(queries.tasks.get.queryOptions({ params: { id: taskId } }));
  const params = { id: task.data?.projectId ?? projectId };
  const project = useQuery(queries.projects.get.queryOptions({ params })).data;
  const name = task.data && project ? `${project.key}-${task.data.number}` : texts.title;
  useDocumentTitle(task.data ? `${name} ${task.data.title}` : texts.title);
  return (
    <div className="mx-auto w-full max-w-6xl px-4 py-6 sm:px-6 lg:px-8">
      <Link
        to="/projects/$id"
        params={params}
        className="mb-1 inline-flex max-w-full items-center gap-1 text-sm text-ink-muted hover:text-ink"
      >
        <ArrowLeft aria-hidden className="size-3.5 shrink-0" />
        <span className="truncate">{project?.name ?? texts.back}</span>
      </Link>
      <header className="mb-4 flex min-h-9 items-center gap-2">
        <h1 className="text-lg whitespace-nowrap tabular-nums">{name}</h1>
        {task.data ? (
          <Suspense>
            <TaskTools
              task={task.data}
              place="page"
              onDeleted={() => void navigate({ to: '/projects/$id', params })}
            />
          </Suspense>
        ) : null}
      </header>
      <Load query={task}>
        {(data) => (
          <Suspense fallback={<SkeletonRows />}>
            <TaskContent key={taskId} task={data} layout="page" />
          </Suspense>
        )}
      </Load>
    </div>
  );
}
