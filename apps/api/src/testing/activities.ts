import { eq } from 'drizzle-orm';
import { activities } from '../db/generated/schema.ts';
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
      apiKeyId: null,
      requestId: 'request',
      at: new Date(lastTimestampMs),
      ...entry,
    };
    ids.push(stored.resourceId);
    await recordActivity(db, stored);
  }
  return ids;
}

/** Returns the activities of a resource, oldest first. */
export function activitiesOf({ db }: Pick<TestApi, 'db'>, resourceId: string) {
  return db
    .select()
    .from(activities)
    .where(eq(activities.resourceId, resourceId))
    .orderBy(activities.createdAt, activities.id);
}

/** Returns the activities in an organization, oldest first. */
export function activitiesIn({ db }: Pick<TestApi, 'db'>, organizationId: string) {
  return db
    .select()
    .from(activities)
    .where(eq(activities.organizationId, organizationId))
    .orderBy(activities.createdAt, activities.id);
}

/** Returns what the activities of a resource say after its creation, oldest first. */
export async function changesOf(api: Pick<TestApi, 'db'>, resourceId: string) {
  const [, ...rows] = await activitiesOf(api, resourceId);
  return rows.map(({ action, actorId, resourceName, changes, metadata }) => ({
    action,
    actorId,
    resourceName,
    changes,
    metadata,
  }));
}
