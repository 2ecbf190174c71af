import { recordActivity, type ActivityEntry } from '../domain/activity.ts';
import { newId } from '../kernel/ids.ts';
import type { TestApi } from './api.ts';

let lastTimestampMs = Date.now();

/**
 * Inserts activities like those of mutations, by default updates of tasks, a millisecond apart.
 *
 * @returns the ids of the resources
 */
export async function storeActivities(
  { db }: Pick<TestApi, 'db'>,
  entries: readonly Partial<ActivityEntry>[],
): Promise<string[]> {
  const ids: string[] = [];
  for (const entry of entries) {
    lastTimestampMs += 1;
    const stored: ActivityEntry = {
      action: 'task.update',
      actorId: null,
      organizationId: null,
      resourceType: 'task',
      resourceId: newId(),
      resourceName: 'A task',
      requestId: 'request',
      at: new Date(lastTimestampMs),
      ...entry,
    };
    ids.push(stored.resourceId);
    await recordActivity(db, stored);
  }
  return ids;
}
