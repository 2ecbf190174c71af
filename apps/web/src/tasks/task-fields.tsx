import type { Task } from '@atelier/client';
import { CalendarPlus, Tag, UserPlus } from 'lucide-react';
import { Suspense, useState, type ReactNode } from 'react';
import { lazyDialog, lazyPart } from '../loading/lazy.tsx';
import { texts as labelTexts } from '../texts/labels.ts';
import { texts } from '../texts/tasks.ts';
import { Avatar } from '../ui/avatar.tsx';
import { Picker } from '../ui/picker.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { Time } from '../ui/time.tsx';
import { PeopleChoice, PriorityChoice } from './choices.tsx';
import { DueChoice } from './due-choice.tsx';
import { Due } from './due.tsx';
import { LabelChips } from './label-chip.tsx';
import { LabelChoice } from './label-choice.tsx';
import { useSetLabels } from './labels.ts';
import { Assignees, PriorityMark } from './marks.tsx';
import { PropertyButton } from './property-button.tsx';
import { useAssign, useUpdateTask } from './task-changes.ts';

const Follow = lazyPart(() => import('./follow.tsx'));
const LabelsDialog = lazyDialog(() => import('./labels-dialog.tsx'));

const { drawer: words } = texts;

interface TaskFieldsProps {
  readonly task: Task;
  readonly isReadOnly: boolean;
}

/** Edits priority, assignees, labels and due date; each change is saved immediately. */
export function TaskFields({ task, isReadOnly }: TaskFieldsProps): ReactNode {
  return (
    <dl className="grid grid-cols-[6.5rem_minmax(0,1fr)] items-center gap-x-1 gap-y-1">
      {isReadOnly ? <Facts task={task} /> : <Choices task={task} />}
      <Fact name={words.notifications}>
        <span className="block px-2 py-1">
          <Suspense fallback={<Skeleton className="h-7 w-24" />}>
            <Follow taskId={task.id} />
          </Suspense>
        </span>
      </Fact>
      <Fact name={words.created}>
        <Time at={task.createdAt} className="px-2 text-ink-muted" />
      </Fact>
      {task.completedAt ? (
        <Fact name={words.completed}>
          <Time at={task.completedAt} className="px-2 text-ink-muted" />
        </Fact>
      ) : null}
    </dl>
  );
}

function Facts({ task }: Pick<TaskFieldsProps, 'task'>): ReactNode {
  return (
    <>
      <Fact name={texts.priority}>
        <Value>
          <PriorityMark priority={task.priority} />
        </Value>
      </Fact>
      <Fact name={texts.assignees}>
        <Value>
          {task.assignees.length > 0 ? <Assignees people={task.assignees} /> : words.unassigned}
        </Value>
      </Fact>
      {task.labels.length > 0 ? (
        <Fact name={texts.labels}>
          <Value>
            <LabelChips labels={task.labels} />
          </Value>
        </Fact>
      ) : null}
      <Fact name={texts.dueDate}>
        <Value>{task.dueDate ? <Due task={task} /> : words.noDue}</Value>
      </Fact>
    </>
  );
}

function Value({ children }: { readonly children: ReactNode }): ReactNode {
  return <span className="flex min-h-8 items-center px-2 py-1">{children}</span>;
}

function Choices({ task }: Pick<TaskFieldsProps, 'task'>): ReactNode {
  const { id, priority, assignees } = task;
  const update = useUpdateTask();
  const assign = useAssign();
  return (
    <>
      <Fact name={texts.priority}>
        <Picker
          label={texts.priority}
          trigger={
            <PropertyButton name={texts.priority}>
              <PriorityMark priority={priority} />
            </PropertyButton>
          }
        >
          {(close) => (
            <PriorityChoice
              value={priority}
              onChoose={(next) => {
                close();
                if (next !== priority) update.mutate({ id, patch: { priority: next } });
              }}
            />
          )}
        </Picker>
      </Fact>
      <Fact name={texts.assignees}>
        <Picker
          label={words.chooseAssignees}
          trigger={
            <PropertyButton name={words.chooseAssignees}>
              {assignees.length === 0 ? (
                <Unset icon={UserPlus}>{words.unassigned}</Unset>
              ) : (
                assignees.map(({ id: userId, displayName, avatarUrl }) => (
                  <span key={userId} className="inline-flex min-w-0 items-center gap-1.5">
                    <Avatar name={displayName} url={avatarUrl} size="xs" />
                    <span className="truncate">{displayName}</span>
                  </span>
                ))
              )}
            </PropertyButton>
          }
        >
          {() => (
            <PeopleChoice people={assignees} onChange={(people) => assign.mutate({ id, people })} />
          )}
        </Picker>
      </Fact>
      <Fact name={texts.labels}>
        <LabelField task={task} />
      </Fact>
      <Fact name={texts.dueDate}>
        <Picker
          label={texts.due.choose}
          trigger={
            <PropertyButton name={texts.dueDate}>
              {task.dueDate === null ? (
                <Unset icon={CalendarPlus}>{words.noDue}</Unset>
              ) : (
                <Due task={task} />
              )}
            </PropertyButton>
          }
        >
          {(close) => (
            <DueChoice
              dueDate={task.dueDate}
              onChoose={(dueDate) => {
                close();
                update.mutate({ id, patch: { dueDate } });
              }}
            />
          )}
        </Picker>
      </Fact>
    </>
  );
}

function LabelField({ task: { id, labels } }: Pick<TaskFieldsProps, 'task'>): ReactNode {
  const [isManaging, setManaging] = useState(false);
  const { mutate } = useSetLabels();
  return (
    <>
      <Picker
        label={labelTexts.choose}
        trigger={
          <PropertyButton name={labelTexts.choose}>
            {labels.length === 0 ? (
              <Unset icon={Tag}>{labelTexts.none}</Unset>
            ) : (
              <LabelChips labels={labels} />
            )}
          </PropertyButton>
        }
      >
        {(close) => (
          <LabelChoice
            labels={labels}
            onChange={(next) => mutate({ id, labels: next })}
            onManage={() => {
              close();
              setManaging(true);
            }}
          />
        )}
      </Picker>
      {isManaging ? (
        <Suspense>
          <LabelsDialog onClose={() => setManaging(false)} />
        </Suspense>
      ) : null}
    </>
  );
}

interface UnsetProps {
  readonly icon: typeof Tag;
  readonly children: ReactNode;
}

function Unset({ icon: Icon, children }: UnsetProps): ReactNode {
  return (
    <span className="flex items-center gap-1.5 text-ink-muted">
      <Icon aria-hidden className="size-4" />
      {children}
    </span>
  );
}

interface FactProps {
  readonly name: string;
  readonly children: ReactNode;
}

function Fact({ name, children }: FactProps): ReactNode {
  return (
    <>
      <dt className="self-start pt-1.5 text-sm text-ink-muted">{name}</dt>
      <dd className="min-w-0">{children}</dd>
    </>
  );
}
