import type { Task } from '@atelier/client';
import { texts } from '../texts/tasks.ts';
import { notify } from '../ui/notices.tsx';

const { drawer: words } = texts;

/** Copies the address of the page of a task. */
export async function copyLink({ id, projectId }: Pick<Task, 'id' | 'projectId'>): Promise<void> {
  try {
    const path = `/projects/${projectId}/tasks/${id}`;
    await navigator.clipboard.writeText(new URL(path, location.origin).href);
    notify(words.linkCopied);
  } catch {
    notify(words.copyFailed, { tone: 'danger' });
  }
}
