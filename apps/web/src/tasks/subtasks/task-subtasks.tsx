import type { Task } from '@atelier/client';
import { useQuery } from '@tanstack/react-query';
import { useId, useState, type FormEvent, type ReactNode } from 'react';
import { useDraft } from '../../forms/drafts.ts';
import { useOrganizationQueries } from '../../session/queries.ts';
import { texts } from '../../texts/task-subtasks.ts';
import { texts as taskTexts } from '../../texts/tasks.ts';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { errorText, fieldErrors } from '../../ui/error-texts.ts';
import { Input } from '../../ui/field.tsx';
import { Failed } from '../../ui/load.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { UnsentMark } from '../../unsent/unsent-mark.tsx';
import { useChange } from '../../unsent/use-change.ts';
import { Assignees } from '../marks.tsx';
import { createTask, isPlaceholder, newTask } from '../new-task.ts';
import { useTakesTasks } from '../projects.ts';
import { useUpdateTask } from '../task-changes.ts';
import { TaskLink } from './task-link.tsx';

const maxSubtasks = 100;

interface TaskSubtasksProps {
  readonly task: Task;
  readonly layout: 'panel' | 'page';
  readonly isReadOnly: boolean;
  /** Follows the headings above. */
  readonly headingLevel: 'h2' | 'h3';
}

/** Lists the subtasks of a task with their progress, completes them, and adds others. */
export default function TaskSubtasks({
  task,
  layout,
  isReadOnly,
  headingLevel: Heading,
}: TaskSubtasksProps): ReactNode {
  const headingId = useId();
  const { tasks } = useOrganizationQueries();
  const subtasks = useQuery(
    tasks.listInProject.queryOptions({
      params: { projectId: task.projectId },
      query: { parentId: task.id, sort: 'createdAt', limit: maxSubtasks },
    }),
  );
  const items = subtasks.data?.items ?? [];
  // What is still to be sent counts, too.
  const total = subtasks.data ? items.length : task.subtaskCount;
  const done = subtasks.data
    ? items.filter(({ status }) => status === 'DONE').length
    : task.completedSubtaskCount;
  const mayAdd = useTakesTasks(task.projectId) && !isReadOnly;
  if (!mayAdd && total === 0) return null;
  return (
    <section aria-labelledby={headingId}>
      <div className="mb-1 flex min-h-7 items-center justify-between gap-3">
        <Heading id={headingId} className="text-base">
          {texts.title}
        </Heading>
        {total > 0 ? (
          <span className="text-sm text-ink-muted tabular-nums">{texts.progress(done, total)}</span>
        ) : null}
      </div>
      {total > 0 ? (
        <div aria-hidden className="mb-2 h-1.5 overflow-hidden rounded-full bg-line">
          <div className="h-full bg-chart-done" style={{ width: `${(100 * done) / total}%` }} />
        </div>
      ) : null}
      {subtasks.error && !subtasks.data ? (
        <Failed error={subtasks.error} onRetry={() => void subtasks.refetch()} />
      ) : subtasks.isPending && task.subtaskCount > 0 ? (
        <SkeletonRows count={Math.min(3, task.subtaskCount)} />
      ) : items.length > 0 ? (
        <ul aria-label={texts.list} className="flex flex-col gap-0.5">
          {items.map((one) => (
            <SubtaskRow key={one.id} task={one} layout={layout} isReadOnly={isReadOnly} />
          ))}
        </ul>
      ) : null}
      {!mayAdd ? null : total >= maxSubtasks ? (
        <p className="mt-1 text-sm text-ink-muted">{texts.full}</p>
      ) : (
        <AddSubtask task={task} />
      )}
    </section>
  );
}

function SubtaskRow({
  task,
  layout,
  isReadOnly,
}: Omit<TaskSubtasksProps, 'headingLevel'>): ReactNode {
  const { id, title, status, assignees } = task;
  const { mutate } = useUpdateTask();
  const isNew = isPlaceholder(task);
  const isOver = status === 'DONE' || status === 'CANCELLED';
  return (
    <li className="flex items-center gap-2.5 rounded-md px-1 py-1 hover:bg-hover">
      <input
        type="checkbox"
        aria-label={texts.done(title)}
        checked={status === 'DONE'}
        disabled={isReadOnly || isNew}
        onChange={({ target }) =>
          mutate({ id, patch: { status: target.checked ? 'DONE' : 'TODO' } })
        }
        className="size-4 shrink-0"
      />
      <span
        className={classNames(
          'min-w-0 flex-1 wrap-anywhere',
          isOver && 'text-ink-muted line-through',
        )}
      >
        {isNew ? title : <TaskLink task={task} layout={layout} />}
      </span>
      <UnsentMark id={id} />
      {status === 'TODO' || status === 'DONE' ? null : (
        <span className="text-xs whitespace-nowrap text-ink-muted">
          {taskTexts.statuses[status]}
        </span>
      )}
      {assignees.length === 0 ? null : <Assignees people={assignees} />}
    </li>
  );
}

/** Adds subtasks: Enter adds one. */
function AddSubtask({
  task: { id, number, title: ofTask, projectId },
}: {
  readonly task: Task;
}): ReactNode {
  const [title = '', changeTitle] = useDraft<string>(`subtask of ${id}`);
  const [error, setError] = useState<string>();
  const add = useChange(createTask, {
    onFailed(failure, { title: text }) {
      // Restores the text, unless the user has started another one.
      changeTitle((current) => current || text);
      const reason = fieldErrors(failure)['title'] ?? errorText(failure);
      setError(taskTexts.notAdded(text, reason));
    },
  });

  function submit(event: FormEvent): void {
    event.preventDefault();
    if (title.trim() === '') return setError(taskTexts.titleMissing);
    setError(undefined);
    const parent = { id, number, title: ofTask };
    add.mutate(newTask({ projectId, status: 'TODO', title: title.trim(), parent }));
    changeTitle(() => undefined);
  }

  return (
    <form onSubmit={submit} className="mt-1 flex items-start gap-2">
      <div className="min-w-0 flex-1">
        <Input
          name="title"
          label={texts.add}
          isLabelHidden
          placeholder={texts.add}
          maxLength={255}
          autoComplete="off"
          value={title}
          error={error}
          onChange={(event) => changeTitle(() => event.target.value)}
        />
      </div>
      <Button type="submit">{texts.addShort}</Button>
    </form>
  );
}
