import { eq, sql } from 'drizzle-orm';
import { accountActivities, activities } from '../db/generated/schema.ts';
import { recordAccountActivity, recordActivity, type ActivityEntry } from '../domain/activity.ts';
import { newId } from '../kernel/ids.ts';
import type { TestApi } from './api.ts';

type StoredEntry = Partial<Omit<ActivityEntry, 'organizationId'>> & {
  /** Null or left out for one of an account. */
  readonly organizationId?: string | null;
};

let lastTimestampMs = Date.now();

/**
 * Inserts activities like those of mutations, by default updates of tasks, a millisecond apart.
 *
 * @returns the ids of the resources
 */
export async function storeActivities(
  { db }: Pick<TestApi, 'db'>,
  entries: readonly StoredEntry[],
): Promise<string[]> {
  const ids: string[] = [];
  for (const { organizationId = null, ...entry } of entries) {
    lastTimestampMs += 1;
    const stored = {
      action: 'task.update' as const,
      actorId: null,
      resourceType: 'task' as const,
      resourceId: newId(),
      resourceName: 'A task',
      apiKeyId: null,
      requestId: 'request',
      at: new Date(lastTimestampMs),
      ...entry,
    };
    ids.push(stored.resourceId);
    await (organizationId === null
      ? recordAccountActivity(db, stored)
      : recordActivity(db, { ...stored, organizationId }));
  }
  return ids;
}

/** Inserts updates of tasks by one statement, one each second from 2026 on. */
export async function storeManyActivities(
  { db }: Pick<TestApi, 'db'>,
  { actorId, organizationId, count }: { actorId: string; organizationId: string; count: number },
): Promise<void> {
  await db.execute(sql`
    insert into activities (id, action, actor_id, organization_id, resource_type, resource_id, resource_name, changes, created_at)
    select uuidv7(), 'task.update', ${actorId}, ${organizationId}, 'task', uuidv7(), 'Task ' || number, '[]', timestamptz '2026-01-01' + number * interval '1 second'
    from generate_series(1, ${count}::int) as number`);
}

/** Returns the activities of a resource, oldest first. */
export function activitiesOf({ db }: Pick<TestApi, 'db'>, resourceId: string) {
  return db
    .select()
    .from(activities)
    .where(eq(activities.resourceId, resourceId))
    .orderBy(activities.createdAt, activities.id);
}

/** Returns the activities about an account, oldest first. */
export function accountActivitiesOf({ db }: Pick<TestApi, 'db'>, resourceId: string) {
  return db
    .select()
    .from(accountActivities)
    .where(eq(accountActivities.resourceId, resourceId))
    .orderBy(accountActivities.createdAt, accountActivities.id);
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
