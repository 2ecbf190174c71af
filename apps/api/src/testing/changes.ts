import type { Executor } from '../db/executor.ts';
import { recordActivity, type ActivityEntry } from '../domain/activity.ts';
import { newId } from '../kernel/ids.ts';

/** Records a change of a task, like a mutation of the service. @returns the id of the task */
export async function recordChange(
  executor: Executor,
  organizationId: string,
  entry: Partial<ActivityEntry> = {},
): Promise<string> {
  const resourceId = newId();
  await recordActivity(executor, {
    action: 'task.update',
    actorId: null,
    organizationId,
    resourceType: 'task',
    resourceId,
    resourceName: 'Task',
    apiKeyId: null,
    requestId: 'req_test',
    at: new Date(),
    ...entry,
  });
  return resourceId;
}
