import { groupCatalogue } from '@atelier/contract';

/** Returns the path of a task's page in the web app. */
export function pageOfTask({ id, projectId }: { id: string; projectId: string }): string {
  const { page } = groupCatalogue.tasks.resources.task;
  return page.replace('{projectId}', projectId).replace('{id}', id);
}
