import type { Project, Task } from '@atelier/client';
import { Link } from '@tanstack/react-router';
import { Circle, SquareCheck } from 'lucide-react';
import type { ReactNode } from 'react';
import { useHasRole } from '../../session/account.ts';
import { dueGroup, type DueGroup } from '../../tasks/due-date.ts';
import { Due } from '../../tasks/due.tsx';
import { PriorityMark, StatusMark } from '../../tasks/marks.tsx';
import { useProjects } from '../../tasks/projects.ts';
import { useUpdateTask } from '../../tasks/task-changes.ts';
import { useToday } from '../../ui/today.ts';
import { texts } from '../../texts/my-tasks.ts';
import { texts as shared } from '../../texts/shared.ts';
import { buttonClass } from '../../ui/button.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { notify } from '../../ui/notices.tsx';
import { EmptyState } from '../../ui/states.tsx';

const groups: readonly DueGroup[] = ['overdue', 'today', 'week', 'later', 'none'];

/** Groups tasks by due date, with a button to complete each. */
export default function TaskGroups({ tasks }: { readonly tasks: readonly Task[] }): ReactNode {
  // Renders again at midnight, when the groups change.
  useToday();
  const projects = useProjects();
  const { mutate } = useUpdateTask();

  function complete({ id, title, status }: Task): void {
    mutate({ id, patch: { status: 'DONE' } });
    const run = () => mutate({ id, patch: { status } });
    notify(texts.completed(title), { action: { label: shared.undo, run } });
  }

  if (tasks.length === 0) {
    return (
      <EmptyState
        icon={SquareCheck}
        title={texts.empty}
        action={
          <Link to="/projects" className={buttonClass()}>
            {texts.toProjects}
          </Link>
        }
      >
        {texts.emptyHint}
      </EmptyState>
    );
  }
  const nowMs = Date.now();
  const of = (group: DueGroup) => tasks.filter((task) => dueGroup(task.dueDate, nowMs) === group);
  return (
    <div className="flex flex-col gap-7">
      {groups
        .map((group) => ({ group, members: of(group) }))
        .filter(({ members }) => members.length > 0)
        .map(({ group, members }) => (
          <section key={group} aria-labelledby={`due-${group}`}>
            <h2 id={`due-${group}`} className="mb-2 flex items-baseline gap-2 text-base">
              <span className={group === 'overdue' ? 'text-danger' : undefined}>
                {texts.groups[group]}
              </span>
              <span className="font-normal text-ink-muted tabular-nums">{members.length}</span>
            </h2>
            <ul className="overflow-hidden rounded-xl border border-line bg-surface">
              {members.map((task) => (
                <TaskRow
                  key={task.id}
                  task={task}
                  project={projects.find(({ id }) => id === task.projectId)}
                  onComplete={() => complete(task)}
                />
              ))}
            </ul>
          </section>
        ))}
    </div>
  );
}

interface TaskRowProps {
  readonly task: Task;
  readonly project: Project | undefined;
  readonly onComplete: () => void;
}

function TaskRow({ task, project, onComplete }: TaskRowProps): ReactNode {
  const { id, title, status } = task;
  const mayEdit = useHasRole('MEMBER');
  return (
    <li className="relative flex items-start gap-2 border-line py-2.5 pr-4 pl-2 not-last:border-b hover:bg-hover/60">
      {mayEdit ? (
        <IconButton
          icon={Circle}
          size="sm"
          label={texts.complete(title)}
          onClick={onComplete}
          className="relative z-1 -mt-0.5"
        />
      ) : null}
      <div className="min-w-0 flex-1 pl-1">
        <Link
          dir="auto"
          from="/my-tasks"
          to="."
          search={{ task: id }}
          preload={false}
          className="font-medium wrap-anywhere after:absolute after:inset-0 focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-accent"
        >
          {title}
        </Link>
        <p className="mt-0.5 flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-ink-muted">
          {project ? (
            <span className="wrap-anywhere">
              {project.key}-{task.number} · {project.name}
            </span>
          ) : null}
          <StatusMark status={status} />
          {task.priority === 'NONE' ? null : <PriorityMark priority={task.priority} />}
        </p>
      </div>
      <span className="relative z-1 pt-px text-sm">
        <Due task={task} />
      </span>
    </li>
  );
}
