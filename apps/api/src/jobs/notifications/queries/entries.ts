import { and, eq, inArray, sql } from 'drizzle-orm';
import type { Executor, Transaction } from '../../../db/executor.ts';
import { invitations, memberships, taskFollows, users } from '../../../db/generated/schema.ts';
import {
  followersOfAssets,
  followersOfTasks,
} from '../../../domain/notifications/queries/followers.ts';
import type { Concern, Entry } from '../policy.ts';

/** An entry that is new in an inbox, or joins one there. */
export interface NumberedEntry {
  readonly id: string;
  readonly sequence: number;
  readonly entry: Entry;
}

/** @returns by task, since when each of its followers follows it, and who has unfollowed it by hand */
export async function findFollowers(
  tx: Executor,
  organizationId: string,
  taskIds: readonly string[],
) {
  const followers = new Map<string, Map<string, Date>>();
  const muted = new Map<string, Set<string>>();
  if (taskIds.length === 0) return { followers, muted };
  const rows = await tx.execute<{
    taskId: string;
    userId: string;
    since: string;
    isMuted: boolean;
  }>(sql`
    select task_id as "taskId", user_id as "userId", since::text, is_muted as "isMuted"
    from (${followersOfTasks(organizationId, taskIds)}) as followers`);
  for (const { taskId, userId, since, isMuted } of rows) {
    const ofTask = followers.get(taskId) ?? new Map<string, Date>();
    followers.set(taskId, ofTask);
    if (isMuted) muted.set(taskId, (muted.get(taskId) ?? new Set()).add(userId));
    else ofTask.set(userId, new Date(since));
  }
  return { followers, muted };
}

/** @returns by asset, since when each of its followers follows it */
export async function findFollowersOfAssets(
  tx: Executor,
  organizationId: string,
  assetIds: readonly string[],
): Promise<Map<string, Map<string, Date>>> {
  const followers = new Map<string, Map<string, Date>>();
  if (assetIds.length === 0) return followers;
  const rows = await tx.execute<{ assetId: string; userId: string; since: string }>(sql`
    select asset_id as "assetId", user_id as "userId", since::text
    from (${followersOfAssets(organizationId, assetIds)}) as followers`);
  for (const { assetId, userId, since } of rows) {
    const ofAsset = followers.get(assetId) ?? new Map<string, Date>();
    followers.set(assetId, ofAsset.set(userId, new Date(since)));
  }
  return followers;
}

/** @returns which of these accounts are of persons, and which of those are active members */
export async function findRecipients(
  tx: Executor,
  organizationId: string,
  userIds: readonly string[],
) {
  const rows = await tx
    .select({ id: users.id, membershipId: memberships.id })
    .from(users)
    .leftJoin(
      memberships,
      and(
        eq(memberships.organizationId, organizationId),
        eq(memberships.userId, users.id),
        eq(memberships.status, 'ACTIVE'),
      ),
    )
    .where(
      and(
        inArray(users.id, [...userIds]),
        eq(users.kind, 'PERSON'),
        eq(users.accountStatus, 'VERIFIED'),
      ),
    );
  const persons = new Set(rows.map(({ id }) => id));
  const members = new Set(
    rows.filter(({ membershipId }) => membershipId !== null).map(({ id }) => id),
  );
  return { persons, members };
}

/** @returns the accounts with the addresses of these invitations, by invitation */
export async function findInvited(
  tx: Executor,
  organizationId: string,
  invitationIds: readonly string[],
): Promise<Map<string, string>> {
  if (invitationIds.length === 0) return new Map();
  const rows = await tx
    .select({ id: invitations.id, userId: users.id })
    .from(invitations)
    .innerJoin(users, eq(users.email, invitations.email))
    .where(
      and(
        eq(invitations.organizationId, organizationId),
        inArray(invitations.id, [...invitationIds]),
      ),
    );
  return new Map(rows.map(({ id, userId }) => [id, userId]));
}

/** Lets members follow the task that concerns them, unless they have unfollowed it by hand or it is deleted. */
export async function followAtOnce(
  tx: Transaction,
  organizationId: string,
  concerns: readonly Concern[],
): Promise<void> {
  if (concerns.length === 0) return;
  const pairs = concerns.map(({ taskId, userId }) => ({ task_id: taskId, user_id: userId }));
  // The lock waits for a deletion of the task under way, which the foreign key would report as an error.
  await tx.execute(sql`
    insert into ${taskFollows} (organization_id, task_id, user_id, state)
    select living.organization_id, living.id, pair.user_id, 'FOLLOWING'
    from jsonb_to_recordset(${JSON.stringify(pairs)}::text::jsonb) as pair(task_id uuid, user_id uuid)
    join tasks as living on living.organization_id = ${organizationId} and living.id = pair.task_id
    for key share of living
    on conflict do nothing`);
}

/** Adds entries to unread ones of the same person, subject and reason. @returns the ids of those that joined one */
export async function joinEntries(
  tx: Transaction,
  organizationId: string,
  entries: readonly NumberedEntry[],
): Promise<ReadonlySet<string>> {
  if (entries.length === 0) return new Set();
  const joined = await tx.execute<{ id: string }>(sql`
    update notifications set event_count = notifications.event_count + joining.event_count,
      sequence = joining.sequence, activity_id = joining.activity_id, actor_id = joining.actor_id,
      comment_id = joining.comment_id, updated_at = joining.updated_at, mail = joining.mail
    from (
      select entry.*, (
        select unread.id from notifications as unread
        where unread.organization_id = ${organizationId} and unread.user_id = entry.user_id
          and unread.task_id is not distinct from entry.task_id and unread.reason = entry.reason
          and unread.subject_id is not distinct from entry.subject_id
          and unread.read_at is null and unread.archived_at is null
          and unread.created_at > entry.created_at - interval '24 hours'
        order by unread.sequence desc limit 1) as joins
      from ${recordsOf(entries)}) as joining
    where notifications.organization_id = ${organizationId} and notifications.id = joining.joins
    returning joining.id`);
  return new Set(joined.map(({ id }) => id));
}

/** Adds entries, each id once. */
export async function insertEntries(
  tx: Transaction,
  organizationId: string,
  { entries, now }: { entries: readonly NumberedEntry[]; now: Date },
): Promise<void> {
  if (entries.length === 0) return;
  await tx.execute(sql`
    insert into notifications (organization_id, id, user_id, sequence, reason, task_id, subject_id, security_event, comment_id, activity_id,
      actor_id, event_count, created_at, updated_at, read_at, mail)
    select ${organizationId}::uuid, entry.id, entry.user_id, entry.sequence, entry.reason, entry.task_id,
      entry.subject_id, entry.security_event, entry.comment_id, entry.activity_id, entry.actor_id, entry.event_count, entry.created_at, entry.updated_at,
      case when entry.is_old then ${now.toISOString()}::timestamptz end, entry.mail
    from ${recordsOf(entries)}
    on conflict (organization_id, id) do nothing`);
}

function recordsOf(entries: readonly NumberedEntry[]) {
  const records = entries.map(({ id, sequence, entry }) => ({
    id,
    sequence,
    user_id: entry.userId,
    reason: entry.reason,
    task_id: entry.taskId,
    subject_id: entry.subjectId,
    security_event: entry.securityEvent ?? null,
    comment_id: entry.commentId,
    activity_id: entry.newest.id,
    actor_id: entry.newest.actor?.id ?? null,
    event_count: entry.eventCount,
    created_at: entry.firstAt.toISOString(),
    updated_at: entry.newest.createdAt.toISOString(),
    is_old: entry.isOld,
    mail: entry.isOld || entry.mail === 'OFF' ? null : entry.mail,
  }));
  return sql`jsonb_to_recordset(${JSON.stringify(records)}::text::jsonb) as entry(id uuid, sequence bigint,
    user_id uuid, reason text, task_id uuid, subject_id uuid, security_event text, comment_id uuid, activity_id uuid, actor_id uuid, event_count int,
    created_at timestamptz, updated_at timestamptz, is_old boolean, mail text)`;
}
