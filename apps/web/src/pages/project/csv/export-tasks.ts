import type { Project, Task } from '@atelier/client';
import { api } from '../../../session/api.ts';
import { texts } from '../../../texts/task-csv.ts';
import { saveFile } from '../../../ui/save-file.ts';
import { rowsOf } from './columns.ts';
import { csvOf } from './csv.ts';

/** Downloads all tasks of a project as a CSV file. */
export async function exportTasks(
  { id, name, key }: Pick<Project, 'id' | 'name' | 'key'>,
  organizationId: string | null,
): Promise<void> {
  const tasks: Task[] = [];
  const query = { sort: 'position', limit: 100 } as const;
  const pages = api.tasks.listInProject.pages(
    { params: { projectId: id }, query },
    { organizationId },
  );
  for await (const page of pages) tasks.push(...page.items);
  const file = new Blob([csvOf(rowsOf(tasks, key))], { type: 'text/csv;charset=utf-8' });
  saveFile(file, texts.fileName(name));
}
