import type { Task } from '@atelier/client';
import { X } from 'lucide-react';
import { Suspense, useId, useState, type ReactNode } from 'react';
import { lazyPart } from '../loading/lazy.tsx';
import { texts } from '../texts/tasks.ts';
import { IconButton } from '../ui/icon-button.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { Time } from '../ui/time.tsx';
import { AssigneePicker } from './assignee-picker.tsx';
import { dayOf, endOfDay } from './due-date.ts';
import { Due } from './due.tsx';
import { optionOf, priorities, statuses } from './kinds.ts';
import { LabelChips } from './label-chip.tsx';
import { Assignees, PriorityMark, StatusMark } from './marks.tsx';
import { useUpdateTask, type TaskPatch } from './task-changes.ts';

const Follow = lazyPart(() => import('./follow.tsx'));
const LabelPicker = lazyPart(() => import('./label-picker.tsx'));

const { drawer: words } = texts;

interface TaskFieldsProps {
  readonly task: Task;
  readonly isReadOnly: boolean;
}

/** Edits status, priority, assignees and due date; each change is saved immediately. */
export function TaskFields({ task, isReadOnly }: TaskFieldsProps): ReactNode {
  const { mutate } = useUpdateTask();
  const change = (patch: TaskPatch) => mutate({ id: task.id, patch });
  return (
    <dl className="grid grid-cols-[6.5rem_minmax(0,1fr)] items-center gap-x-3 gap-y-2">
      {isReadOnly ? <Facts task={task} /> : <Choices task={task} onChange={change} />}
      <Fact name={words.notifications}>
        <Suspense fallback={<Skeleton className="h-7 w-24" />}>
          <Follow taskId={task.id} />
        </Suspense>
      </Fact>
      <Fact name={words.created}>
        <Time at={task.createdAt} className="text-ink-muted" />
      </Fact>
      {task.completedAt ? (
        <Fact name={words.completed}>
          <Time at={task.completedAt} className="text-ink-muted" />
        </Fact>
      ) : null}
    </dl>
  );
}

function Facts({ task }: { readonly task: Task }): ReactNode {
  return (
    <>
      <Fact name={texts.status}>
        <StatusMark status={task.status} />
      </Fact>
      <Fact name={texts.priority}>
        <PriorityMark priority={task.priority} />
      </Fact>
      <Fact name={texts.assignees}>
        {task.assignees.length > 0 ? <Assignees people={task.assignees} /> : words.unassigned}
      </Fact>
      {task.labels.length > 0 ? (
        <Fact name={texts.labels}>
          <LabelChips labels={task.labels} />
        </Fact>
      ) : null}
      <Fact name={texts.dueDate}>{task.dueDate ? <Due task={task} /> : words.noDue}</Fact>
    </>
  );
}

interface ChoicesProps {
  readonly task: Task;
  readonly onChange: (patch: TaskPatch) => void;
}

const choiceClass =
  'h-8 w-44 max-w-full rounded-md border border-line-strong bg-surface px-2.5 text-base text-ink';

function Choices({ task, onChange }: ChoicesProps): ReactNode {
  const id = useId();
  return (
    <>
      <Fact name={texts.status} labelFor={`${id}-status`}>
        <select
          id={`${id}-status`}
          className={choiceClass}
          value={task.status}
          onChange={(event) => {
            const status = optionOf(statuses, event.target.value);
            if (status) onChange({ status });
          }}
        >
          {statuses.map((status) => (
            <option key={status} value={status}>
              {texts.statuses[status]}
            </option>
          ))}
        </select>
      </Fact>
      <Fact name={texts.priority} labelFor={`${id}-priority`}>
        <select
          id={`${id}-priority`}
          className={choiceClass}
          value={task.priority}
          onChange={(event) => {
            const priority = optionOf(priorities, event.target.value);
            if (priority) onChange({ priority });
          }}
        >
          {priorities.map((priority) => (
            <option key={priority} value={priority}>
              {texts.priorities[priority]}
            </option>
          ))}
        </select>
      </Fact>
      <Fact name={texts.assignees}>
        <AssigneePicker task={task} />
      </Fact>
      <Fact name={texts.labels}>
        <Suspense fallback={<LabelChips labels={task.labels} />}>
          <LabelPicker task={task} />
        </Suspense>
      </Fact>
      <Fact name={texts.dueDate} labelFor={`${id}-due`}>
        <DueInput key={task.dueDate} id={`${id}-due`} task={task} onChange={onChange} />
      </Fact>
    </>
  );
}

interface DueInputProps extends ChoicesProps {
  readonly id: string;
}

function DueInput({ id, task, onChange }: DueInputProps): ReactNode {
  const saved = task.dueDate ? dayOf(task.dueDate) : '';
  const [day, setDay] = useState(saved);
  // While a year is being typed, an incomplete one such as 0002 is a valid date too.
  const isComplete = day >= '1970-01-02' && day < '9999-12-31';
  const save = () => {
    if (day !== saved && isComplete) onChange({ dueDate: endOfDay(day) });
    else setDay(saved);
  };
  return (
    <span className="flex flex-wrap items-center gap-1.5">
      <input
        id={id}
        type="date"
        value={day}
        min="1970-01-02"
        max="9999-12-30"
        onChange={(event) => setDay(event.target.value)}
        onBlur={save}
        onKeyDown={(event) => {
          if (event.key === 'Enter') save();
        }}
        className={choiceClass}
      />
      {task.dueDate ? (
        <>
          <IconButton
            icon={X}
            size="sm"
            label={words.clearDue}
            onClick={() => onChange({ dueDate: null })}
          />
          <span className="text-sm">
            <Due task={task} />
          </span>
        </>
      ) : null}
    </span>
  );
}

interface FactProps {
  readonly name: string;
  readonly labelFor?: string;
  readonly children: ReactNode;
}

function Fact({ name, labelFor, children }: FactProps): ReactNode {
  return (
    <>
      <dt className="text-sm text-ink-muted">
        {labelFor ? <label htmlFor={labelFor}>{name}</label> : name}
      </dt>
      <dd className="min-w-0">{children}</dd>
    </>
  );
}
