import type { Task } from '@atelier/client';
import { Suspense, useState, type ReactNode } from 'react';
import { lazyPart } from '../loading/lazy.tsx';
import { useHasRole } from '../session/account.ts';
import { texts } from '../texts/tasks.ts';
import { Loading, Skeleton, SkeletonRows } from '../ui/skeleton.tsx';
import { Tabs } from '../ui/tabs.tsx';
import { Comments } from './comments.tsx';
import { TaskLink } from './subtasks/task-link.tsx';
import { TaskActivity } from './task-activity.tsx';
import { TaskDescription } from './task-description.tsx';
import { TaskFields } from './task-fields.tsx';
import { TaskTitle } from './task-title.tsx';

const { drawer: words } = texts;

const TaskSubtasks = lazyPart(() => import('./subtasks/task-subtasks.tsx'));
const TaskFiles = lazyPart(() => import('./files/task-files.tsx'));

const layouts = {
  panel: {
    frame: 'flex flex-col gap-6 pb-6',
    fields: '',
    rest: 'flex flex-col gap-6',
    headingLevel: 'h3',
  },
  page: {
    frame: 'grid gap-x-10 gap-y-6 pb-6 lg:grid-cols-[minmax(0,1fr)_22rem] lg:grid-rows-[auto_1fr]',
    fields:
      'lg:col-start-2 lg:row-span-2 lg:row-start-1 lg:self-start lg:rounded-xl lg:border lg:border-line lg:bg-surface lg:p-4',
    rest: 'flex min-w-0 flex-col gap-6',
    headingLevel: 'h2',
  },
} as const;

interface TaskContentProps {
  readonly task: Task;
  readonly layout: keyof typeof layouts;
}

/** Shows everything about a task: in the panel below each other, on a page of its own with the fields beside it. */
export function TaskContent({ task, layout }: TaskContentProps): ReactNode {
  const isReadOnly = !useHasRole('MEMBER');
  const [tab, setTab] = useState<'comments' | 'activity'>('comments');
  const { frame, fields, rest, headingLevel } = layouts[layout];
  return (
    <div
      className={frame}
      data-drop-panel={isReadOnly ? undefined : true}
      data-drop-name={task.title}
    >
      <div>
        {task.parent ? (
          <p className="text-sm wrap-anywhere text-ink-muted">
            {words.partOf}{' '}
            <TaskLink task={{ ...task.parent, projectId: task.projectId }} layout={layout} />
          </p>
        ) : null}
        <TaskTitle task={task} isReadOnly={isReadOnly} />
      </div>
      <div className={fields}>
        <TaskFields task={task} isReadOnly={isReadOnly} />
      </div>
      <div className={rest}>
        <TaskDescription task={task} isReadOnly={isReadOnly} headingLevel={headingLevel} />
        <Suspense fallback={<SkeletonRows count={2} />}>
          {task.parent ? null : (
            <TaskSubtasks
              task={task}
              layout={layout}
              isReadOnly={isReadOnly}
              headingLevel={headingLevel}
            />
          )}
          <TaskFiles task={task} isReadOnly={isReadOnly} headingLevel={headingLevel} />
        </Suspense>
        <Tabs
          label={words.tabs}
          value={tab}
          onChange={setTab}
          tabs={[
            {
              value: 'comments',
              label: words.commentsTab(task.commentCount),
              panel: <Comments taskId={task.id} mayWrite={!isReadOnly} />,
            },
            { value: 'activity', label: words.activityTab, panel: <TaskActivity id={task.id} /> },
          ]}
        />
      </div>
    </div>
  );
}

export function TaskSkeleton(): ReactNode {
  return (
    <Loading>
      <div className="flex flex-col gap-4">
        <Skeleton className="h-9 w-4/5" />
        <Skeleton className="h-36" />
        <Skeleton className="h-20" />
        <Skeleton className="h-12" />
      </div>
    </Loading>
  );
}
