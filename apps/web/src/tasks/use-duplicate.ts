import type { Task } from '@atelier/client';
import { texts } from '../texts/tasks.ts';
import { notify } from '../ui/notices.tsx';
import { useChange } from '../unsent/use-change.ts';
import { createTask, newTask } from './new-task.ts';
import { useIsAssignable } from './people.ts';

const maxTitleLength = 255;

/** Returns what adds a copy of a task at the end of its column, without comments. */
export function useDuplicateTask(): (task: Task) => void {
  const isAssignable = useIsAssignable();
  const { mutate } = useChange(createTask);
  return (task) => {
    const { projectId, status, description, priority, dueDate, labels } = task;
    // The API rejects former members.
    const assignees = task.assignees.filter(isAssignable);
    const title = Array.from(texts.copyOf(task.title)).slice(0, maxTitleLength).join('');
    const fields = { description, priority, dueDate, assignees, labels };
    mutate(newTask({ projectId, status, title, fields }));
    notify(texts.drawer.duplicated(task.title));
  };
}
