import { and, eq, inArray, lte, or, sql } from 'drizzle-orm';
import type { Executor, Transaction } from '../../../db/executor.ts';
import { digests, notifications, projects, taskAssignees } from '../../../db/generated/schema.ts';

/** @returns null without such a project */
export async function findProjectName(
  db: Executor,
  { organizationId, projectId }: { organizationId: string; projectId: string },
): Promise<string | null> {
  const [row] = await db
    .select({ name: projects.name })
    .from(projects)
    .where(and(eq(projects.organizationId, organizationId), eq(projects.id, projectId)));
  return row?.name ?? null;
}

export async function isAssigned(
  db: Executor,
  key: { organizationId: string; taskId: string; userId: string },
): Promise<boolean> {
  const found = await db
    .select({ userId: taskAssignees.userId })
    .from(taskAssignees)
    .where(
      and(
        eq(taskAssignees.organizationId, key.organizationId),
        eq(taskAssignees.taskId, key.taskId),
        eq(taskAssignees.userId, key.userId),
      ),
    );
  return found.length > 0;
}

interface Slot {
  readonly userId: string;
  readonly now: Date;
}

/** Takes the right to one more mail within an hour. @returns false if a person has had as many as allowed */
export async function takeMailSlot(
  db: Executor,
  { userId, now, max }: Slot & { max: number },
): Promise<boolean> {
  const taken = await db.execute(sql`
    update inboxes set instant_mails_at = array_append(recent.sent_at, ${now.toISOString()}::timestamptz)
    from (select locked.user_id, array(
        select sent_at from unnest(locked.instant_mails_at) as sent_at
        where sent_at > ${now.toISOString()}::timestamptz - interval '1 hour') as sent_at
      from (select user_id, instant_mails_at from inboxes where user_id = ${userId} for no key update) as locked) as recent
    where inboxes.user_id = recent.user_id and cardinality(recent.sent_at) < ${max}
    returning inboxes.user_id`);
  return taken.length > 0;
}

/** Gives a right back that {@link takeMailSlot} took, because the mail was not sent. */
export async function returnMailSlot(db: Executor, { userId, now }: Slot): Promise<void> {
  await db.execute(sql`
    update inboxes set instant_mails_at = array_remove(instant_mails_at, ${now.toISOString()}::timestamptz)
    where user_id = ${userId}`);
}

/** Sets how notifications are still to be mailed, except those that another event has joined meanwhile. */
export async function setMail(
  db: Executor,
  {
    userId,
    sequences,
    mail,
  }: { userId: string; sequences: readonly number[]; mail: 'DIGEST' | null },
): Promise<void> {
  if (sequences.length === 0) return;
  await db
    .update(notifications)
    .set({ mail })
    .where(and(eq(notifications.userId, userId), inArray(notifications.sequence, [...sequences])));
}

/** @returns people with unread notifications to mail, in the order of their ids, and when the oldest was updated */
export async function listDigestCandidates(
  db: Executor,
  { afterId, limit }: { afterId: string | null; limit: number },
) {
  const rows = await db.execute<{ userId: string; oldest: string }>(sql`
    select user_id as "userId", min(updated_at)::text as oldest from notifications
    where mail is not null and read_at is null and archived_at is null
      and (${afterId}::uuid is null or user_id > ${afterId}::uuid)
    group by user_id order by user_id limit ${limit}`);
  return [...rows].map(({ userId, oldest }) => ({ userId, oldest: new Date(oldest) }));
}

interface Digest {
  readonly userId: string;
  readonly period: string;
}

/** Takes the right to send digests. @returns those that weren't taken before */
export async function takeDigests(tx: Transaction, rows: readonly Digest[]): Promise<Digest[]> {
  if (rows.length === 0) return [];
  return tx
    .insert(digests)
    .values([...rows])
    .onConflictDoNothing()
    .returning({ userId: digests.userId, period: digests.period });
}

export async function isDigestSent(db: Executor, { userId, period }: Digest): Promise<boolean> {
  const [row] = await db
    .select({ sentAt: digests.sentAt })
    .from(digests)
    .where(and(eq(digests.userId, userId), eq(digests.period, period)));
  return row?.sentAt !== null;
}

/** Notes that a digest was sent, with everything that it had or counted. */
export async function completeDigest(
  tx: Transaction,
  {
    userId,
    period,
    upTo,
    lateSince,
    now,
  }: Digest & { upTo: number | null; lateSince: Date; now: Date },
): Promise<void> {
  await tx
    .update(digests)
    .set({ sentAt: now })
    .where(and(eq(digests.userId, userId), eq(digests.period, period)));
  if (upTo === null) return;
  await tx
    .update(notifications)
    .set({ mail: null })
    .where(
      and(
        eq(notifications.userId, userId),
        lte(notifications.sequence, upTo),
        or(eq(notifications.mail, 'DIGEST'), lte(notifications.updatedAt, lateSince)),
        sql`mail is not null and read_at is null and archived_at is null
          and (snoozed_until is null or snoozed_until <= ${now.toISOString()}::timestamptz)`,
      ),
    );
}
