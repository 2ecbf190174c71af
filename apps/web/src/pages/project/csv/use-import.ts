import { createTask, newTask } from '../../../tasks/new-task.ts';
import { texts } from '../../../texts/task-csv.ts';
import { errorText } from '../../../ui/error-texts.ts';
import { notify } from '../../../ui/notices.tsx';
import { useChange } from '../../../unsent/use-change.ts';
import type { ImportedTask } from './columns.ts';

/** Returns what adds the tasks of a file to a project, each as one that is added by hand: in order, and also later. */
export function useImport(projectId: string): (tasks: readonly ImportedTask[]) => void {
  const { mutate } = useChange(createTask, {
    onFailed: (error, { title }) =>
      notify(texts.failed(title, errorText(error)), { tone: 'danger' }),
  });
  return (tasks) => {
    for (const { title, status, fields } of tasks) {
      mutate(newTask({ projectId, title, status, fields }));
    }
    notify(texts.started(tasks.length), { tone: 'info' });
  };
}
