import type { Person, Task, TaskLabel } from '@atelier/client';
import { useState } from 'react';
import { withChoice, type ChoiceChange } from '../../tasks/differences.ts';
import { useSetLabels } from '../../tasks/labels.ts';
import { useIsAssignable } from '../../tasks/people.ts';
import {
  useAssign,
  useDeleteTasks,
  useUpdateTask,
  type TaskPatch,
} from '../../tasks/task-changes.ts';
import { errorText } from '../../ui/error-texts.ts';

/** Why a task couldn't be changed. */
export interface TaskFailure {
  readonly id: string;
  readonly title: string;
  readonly reason: string;
}

export interface BulkChanges {
  readonly update: (patch: TaskPatch) => void;
  readonly assign: (change: ChoiceChange<Person>) => void;
  readonly label: (change: ChoiceChange<TaskLabel>) => void;
  readonly remove: () => void;
  readonly failures: readonly TaskFailure[];
  readonly dismissFailures: () => void;
}

/** Changes several tasks, each as if it were the only one: at once, in order, and also without a network. */
export function useBulk(tasks: readonly Task[]): BulkChanges {
  const [failures, setFailures] = useState<readonly TaskFailure[]>([]);
  const isAssignable = useIsAssignable();
  const onFailed = (error: Error, { id }: { readonly id: string }) => {
    const title = tasks.find((task) => task.id === id)?.title ?? '';
    const failure = { id, title, reason: errorText(error) };
    setFailures((before) => [...before.filter((one) => one.id !== id), failure]);
  };
  const updating = useUpdateTask({ onFailed });
  const assigning = useAssign({ onFailed });
  const labelling = useSetLabels({ onFailed });
  const remove = useDeleteTasks();
  return {
    update(patch) {
      for (const { id } of tasks) updating.mutate({ id, patch });
    },
    assign(change) {
      for (const { id, assignees } of tasks) {
        // The API rejects former members.
        const current = assignees.filter(isAssignable);
        assigning.mutate({ id, people: withChoice(current, change) });
      }
    },
    label(change) {
      for (const { id, labels } of tasks) {
        labelling.mutate({ id, labels: withChoice(labels, change) });
      }
    },
    remove: () => remove(tasks),
    failures,
    dismissFailures: () => setFailures([]),
  };
}
