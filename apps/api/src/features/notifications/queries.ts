import { and, eq, sql, type SQL } from 'drizzle-orm';
import type { RowWindow } from '../../kernel/pagination.ts';
import type { Executor, Transaction } from '../../db/executor.ts';
import { taskFollows, tasks } from '../../db/generated/schema.ts';
import type { PersonRow } from '../../domain/person-view/present.ts';
import { followersOfTasks } from '../../domain/notifications/queries/followers.ts';

/** A task within its organization, and a member. */
export interface FollowKey {
  readonly organizationId: string;
  readonly taskId: string;
  readonly userId: string;
}

/** Selects the active members who follow a task: `user_id`. */
function membersWhoFollow(organizationId: string, taskId: string): SQL {
  return sql`
    select followers.user_id from (${followersOfTasks(organizationId, [taskId])}) as followers
    join memberships on memberships.organization_id = ${organizationId}
      and memberships.user_id = followers.user_id and memberships.status = 'ACTIVE'
    where not followers.is_muted`;
}

/** @returns null without such a task */
export async function findFollowing(
  db: Executor,
  { organizationId, taskId, userId }: FollowKey,
): Promise<{ isFollowing: boolean; followerCount: number } | null> {
  const [row] = await db.execute<{ isFollowing: boolean; followerCount: number }>(sql`
    select coalesce(bool_or(followers.user_id = ${userId}), false) as "isFollowing",
      count(followers.user_id)::int as "followerCount"
    from tasks left join (${membersWhoFollow(organizationId, taskId)}) as followers on true
    where tasks.organization_id = ${organizationId} and tasks.id = ${taskId}
    group by tasks.id`);
  return row ?? null;
}

/** @returns null without such a task */
export async function listFollowers(
  db: Executor,
  { organizationId, taskId }: Omit<FollowKey, 'userId'>,
  { limit, offset, after }: RowWindow,
): Promise<{ rows: PersonRow[]; total: number } | null> {
  const followers = membersWhoFollow(organizationId, taskId);
  const [rows, [counted]] = await Promise.all([
    db.execute<PersonRow & Record<string, unknown>>(sql`
      select users.id, users.email, users.first_name as "firstName", users.last_name as "lastName",
        users.avatar_key as "avatarKey"
      from (${followers}) as followers join users on users.id = followers.user_id
      where ${after?.id ?? null}::uuid is null or users.id > ${after?.id ?? null}::uuid
      order by users.id limit ${limit} offset ${offset}`),
    db.execute<{ total: number }>(sql`
      select (select count(*)::int from (${followers}) as followers) as total
      from tasks where tasks.organization_id = ${organizationId} and tasks.id = ${taskId}`),
  ]);
  return counted ? { rows: [...rows], total: counted.total } : null;
}

/** Keeps a task from being deleted until the transaction ends. @returns false without such a task */
export async function holdTask(
  tx: Transaction,
  { organizationId, taskId }: FollowKey,
): Promise<boolean> {
  const found = await tx
    .select({ id: tasks.id })
    .from(tasks)
    .where(and(eq(tasks.organizationId, organizationId), eq(tasks.id, taskId)))
    .for('key share');
  return found.length > 0;
}

export async function setFollow(
  tx: Transaction,
  row: typeof taskFollows.$inferInsert,
): Promise<void> {
  await tx
    .insert(taskFollows)
    .values(row)
    .onConflictDoUpdate({
      target: [taskFollows.organizationId, taskFollows.taskId, taskFollows.userId],
      set: { state: row.state },
    });
}
