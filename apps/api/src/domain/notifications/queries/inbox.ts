import {
  maxUnreadCount,
  roles,
  type NotificationReason,
  type ReviewStatus,
} from '@atelier/contract';
import {
  and,
  desc,
  eq,
  gt,
  inArray,
  isNotNull,
  isNull,
  lte,
  or,
  sql,
  type SQL,
  type SQLWrapper,
} from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { Database, Executor, Transaction } from '../../../db/executor.ts';
import {
  apiKeys,
  assetComments,
  assets,
  collections,
  comments,
  inboxes,
  invitations,
  memberships,
  notifications,
  organizations,
  shares,
  tasks,
  users,
  webhooks,
} from '../../../db/generated/schema.ts';
import { withGenericPlans } from '../../../db/generic-plans.ts';
import { after } from '../../../db/keyset.ts';
import { statement, statementByShape } from '../../../db/session/statement.ts';
import { reachOf } from '../../../kernel/permissions.ts';
import { statusesTold } from './review-statuses.ts';

const reader = alias(users, 'reader');
const actor = alias(users, 'actor');

const value = sql.placeholder;
const now = sql`${sql.param(value('now'), notifications.createdAt)}::timestamptz`;

/** Where counting stops: larger numbers are not compared, and each counted row is looked up in several tables. */
const countedNotifications = maxUnreadCount + 1;

const columnsIn = (organizationId: SQLWrapper) => ({
  id: notifications.id,
  organizationId: notifications.organizationId,
  organizationName: organizations.name,
  mailContent: organizations.mailContent,
  reason: notifications.reason,
  sequence: notifications.sequence,
  activityId: notifications.activityId,
  eventCount: notifications.eventCount,
  createdAt: notifications.createdAt,
  updatedAt: notifications.updatedAt,
  readAt: notifications.readAt,
  archivedAt: notifications.archivedAt,
  snoozedUntil: notifications.snoozedUntil,
  taskId: tasks.id,
  taskTitle: tasks.title,
  assetId: assets.id,
  assetName: assets.name,
  projectId: tasks.projectId,
  invitationId: invitations.id,
  webhook: { id: webhooks.id, url: webhooks.url },
  apiKey: { id: apiKeys.id, name: apiKeys.name },
  shareId: shares.id,
  shareTargetType: shares.targetType,
  shareTargetId: shares.targetId,
  shareTitle: sql<string | null>`coalesce(${shares.label},
    (select target.name from ${assets} as target
      where target.organization_id = ${organizationId} and target.id = ${shares.targetId}),
    (select target.title from ${collections} as target
      where target.organization_id = ${organizationId} and target.id = ${shares.targetId}))`,
  guestName: assetComments.guestName,
  securityEvent: notifications.securityEvent,
  userId: notifications.userId,
  comment: sql<string | null>`coalesce(${comments.body}, ${assetComments.body})`,
  actor: {
    id: actor.id,
    email: actor.email,
    firstName: actor.firstName,
    lastName: actor.lastName,
    avatarKey: actor.avatarKey,
  },
});

const webhookManagers = roles.filter((role) => reachOf(role, 'webhook:manage') !== 'none');

/**
 * The conditions of what notifications are about.
 *
 * @param organizationId - the parameter of a list of one organization: a distributed database then asks only its server; else
 *   the column
 */
function subjectsIn(organizationId: SQLWrapper) {
  return {
    organization: and(eq(organizations.id, organizationId), isNull(organizations.deletedAt)),
    membership: and(
      eq(memberships.organizationId, organizationId),
      eq(memberships.userId, notifications.userId),
      eq(memberships.status, 'ACTIVE'),
    ),
    task: and(eq(tasks.organizationId, organizationId), eq(tasks.id, notifications.taskId)),
    /** Outside of the bin. The reason tells that the subject is an asset. */
    asset: and(
      eq(assets.organizationId, organizationId),
      eq(assets.id, notifications.subjectId),
      inArray(notifications.reason, ['mentioned', 'commented', 'changed']),
      isNull(assets.deletedAt),
    ),
    /** It is read by the person with its address, while it can be accepted. */
    openInvitation: and(
      eq(invitations.organizationId, organizationId),
      eq(invitations.id, notifications.subjectId),
      eq(notifications.reason, 'invited'),
      eq(invitations.status, 'PENDING'),
      gt(invitations.expiresAt, now),
      eq(invitations.email, reader.email),
    ),
    webhook: and(
      eq(webhooks.organizationId, organizationId),
      eq(webhooks.id, notifications.subjectId),
      inArray(memberships.role, webhookManagers),
    ),
    /** With the account as a parameter: a distributed database then reads only its keys. */
    ownKey: and(
      eq(apiKeys.id, notifications.subjectId),
      eq(apiKeys.userId, value('userId')),
      isNull(apiKeys.revokedAt),
    ),
    /** Also one that has ended: its password was guessed, or its link opened, all the same. */
    ownShare: and(
      eq(shares.organizationId, organizationId),
      eq(shares.id, notifications.subjectId),
      inArray(notifications.reason, ['share_guessing', 'shared_opened']),
      eq(shares.createdBy, value('userId')),
    ),
    comment: and(
      eq(comments.organizationId, organizationId),
      eq(comments.id, notifications.commentId),
    ),
    assetComment: and(
      eq(assetComments.organizationId, organizationId),
      eq(assetComments.id, notifications.commentId),
    ),
  };
}

/**
 * Whether the person may read the subject now. The end of a membership and an invitation are told although there is no
 * membership, with the name of the organization alone.
 */
const isReadable = sql`(${notifications.reason} = 'removed' or ${invitations.id} is not null
  or (${notifications.reason} <> 'invited' and ${memberships.id} is not null
  and (${notifications.taskId} is null or ${tasks.id} is not null)
  and (${notifications.subjectId} is null or ${webhooks.id} is not null or ${apiKeys.id} is not null or ${assets.id} is not null
    or ${shares.id} is not null)
  and (${organizations.secondFactorRequiredFrom} is null or ${organizations.secondFactorRequiredFrom} > ${now}
    or ${reader.hasSecondFactor})))`;

const isOfReader = eq(notifications.userId, value('userId'));

const isSnoozed = gt(notifications.snoozedUntil, now);
const isAwake = or(isNull(notifications.snoozedUntil), lte(notifications.snoozedUntil, now));

/** What was to be mailed at once, and couldn't for so long, is in the digest. */
const forDigest = or(
  eq(notifications.mail, 'DIGEST'),
  and(
    eq(notifications.mail, 'INSTANT'),
    lte(notifications.updatedAt, sql.param(value('lateSince'), notifications.updatedAt)),
  ),
);

const conditions = {
  organizationId: eq(notifications.organizationId, value('organizationId')),
  reason: eq(notifications.reason, value('reason')),
  ids: sql`${notifications.id} = any(${value('ids')}::uuid[])`,
  upTo: lte(notifications.sequence, value('upTo')),
  ofSubject: sql`${notifications.taskId} is not distinct from ${value('taskId')}::uuid
    and ${notifications.subjectId} is not distinct from ${value('subjectId')}::uuid`,
  forInstantMail: eq(notifications.mail, 'INSTANT'),
  forDigest,
  isRead: isNotNull(notifications.readAt),
  isUnread: isNull(notifications.readAt),
  isArchived: isNotNull(notifications.archivedAt),
  isKept: isNull(notifications.archivedAt),
  isSnoozed,
  isAwake,
} as const satisfies Record<string, SQL | undefined>;

/** The conditions of a list besides its reader. */
export type NotificationCondition = keyof typeof conditions;
export type Conditions = readonly NotificationCondition[];

/** The reader of notifications and the values of conditions. */
export interface NotificationScope {
  readonly userId: string;
  readonly now: Date;
  readonly organizationId?: string | undefined;
  readonly reason?: NotificationReason | undefined;
  readonly ids?: readonly string[] | undefined;
  /** A sequence. */
  readonly upTo?: number | undefined;
  /** Null: about the organization. */
  readonly taskId?: string | null | undefined;
  /** Null: about a task or the organization. */
  readonly subjectId?: string | null | undefined;
  /** Since when a mail that was to be sent at once is late. */
  readonly lateSince?: Date | undefined;
}

const matching = (shape: Conditions) =>
  and(isOfReader, ...shape.map((name) => conditions[name]), isReadable);

const organizationOf = (shape: Conditions): SQLWrapper =>
  shape.includes('organizationId') ? value('organizationId') : notifications.organizationId;

/** Selects the keys of notifications, with what {@link isReadable} needs. */
function keysWithSubjects(db: Database, shape: Conditions) {
  const on = subjectsIn(organizationOf(shape));
  return db
    .select({ organizationId: notifications.organizationId, id: notifications.id })
    .from(notifications)
    .innerJoin(organizations, on.organization)
    .innerJoin(reader, eq(reader.id, notifications.userId))
    .leftJoin(memberships, on.membership)
    .leftJoin(tasks, on.task)
    .leftJoin(assets, on.asset)
    .leftJoin(invitations, on.openInvitation)
    .leftJoin(webhooks, on.webhook)
    .leftJoin(apiKeys, on.ownKey)
    .leftJoin(shares, on.ownShare);
}

/** Selects whole notifications, with what {@link isReadable} needs. */
function rowsWithSubjects(db: Database, shape: Conditions) {
  const organizationId = organizationOf(shape);
  const on = subjectsIn(organizationId);
  return db
    .select(columnsIn(organizationId))
    .from(notifications)
    .innerJoin(organizations, on.organization)
    .innerJoin(reader, eq(reader.id, notifications.userId))
    .leftJoin(memberships, on.membership)
    .leftJoin(tasks, on.task)
    .leftJoin(assets, on.asset)
    .leftJoin(invitations, on.openInvitation)
    .leftJoin(webhooks, on.webhook)
    .leftJoin(apiKeys, on.ownKey)
    .leftJoin(shares, on.ownShare)
    .leftJoin(comments, on.comment)
    .leftJoin(assetComments, on.assetComment)
    .leftJoin(actor, eq(actor.id, notifications.actorId));
}

interface PageShape {
  readonly conditions: Conditions;
  readonly isContinued: boolean;
}

const bySequence = {
  column: notifications.sequence,
  id: notifications.id,
  direction: 'descending',
} as const;

const pageOfReader = statementByShape((db, shape: PageShape) =>
  rowsWithSubjects(db, shape.conditions)
    .where(
      and(
        matching(shape.conditions),
        shape.isContinued ? after(bySequence, value('afterSequence'), value('afterId')) : undefined,
      ),
    )
    .orderBy(desc(notifications.sequence), desc(notifications.id))
    .limit(value('limit'))
    .offset(value('offset')),
);

const countOfReader = statementByShape((db, shape: Conditions) => {
  const counted = keysWithSubjects(db, shape)
    .where(matching(shape))
    .limit(countedNotifications + 1)
    .as('counted');
  return db.select({ count: sql<number>`count(*)::int` }).from(counted);
});

type FoundRow = Awaited<ReturnType<typeof oneOfReader>>[number];

/** A notification as its reader may see it. */
export interface NotificationRow extends FoundRow {
  /** The status that a notification about a review tells; else null. */
  readonly reviewStatus: ReviewStatus | null;
}

/** Adds the statuses of reviews. Few notifications tell one, and a distributed database has their activities elsewhere. */
async function withReviewStatuses(
  db: Executor,
  rows: readonly FoundRow[],
): Promise<NotificationRow[]> {
  const telling = rows.flatMap(({ reason, assetId, activityId, ...row }) =>
    reason === 'changed' && assetId !== null && activityId !== null ? { ...row, activityId } : [],
  );
  const told = telling.length === 0 ? [] : await statusesTold(db, telling);
  const statuses = new Map<string | null, ReviewStatus | null>(
    told.map(({ id, status }) => [id, status]),
  );
  return rows.map((row) => ({ ...row, reviewStatus: statuses.get(row.activityId) ?? null }));
}

/** Lists what a person may read of their notifications, the newest first, and counts it. */
export async function listNotifications(
  db: Database,
  { scope, conditions: shape }: { scope: NotificationScope; conditions: Conditions },
  window: { limit: number; offset: number; after: { sortValue: string; id: string } | null },
) {
  const { after: position, limit, offset } = window;
  const [rows, [counted]] = await withGenericPlans(db, (tx) =>
    Promise.all([
      pageOfReader(
        tx,
        { conditions: shape, isContinued: position !== null },
        {
          ...scope,
          limit,
          offset,
          ...(position && { afterSequence: Number(position.sortValue), afterId: position.id }),
        },
      ),
      countOfReader(tx, shape, { ...scope }),
    ]),
  );
  const count = counted?.count ?? 0;
  return {
    rows: await withReviewStatuses(db, rows),
    total: Math.min(count, countedNotifications),
    isTotalLowerBound: count > countedNotifications,
  };
}

const oneOfReader = statement((db) =>
  rowsWithSubjects(db, []).where(and(isOfReader, eq(notifications.id, value('id')), isReadable)),
);

/** @returns null without such a notification, or if the person may no longer read its subject */
export async function findNotification(
  db: Executor,
  key: { userId: string; id: string; now: Date },
): Promise<NotificationRow | null> {
  const [row] = await withReviewStatuses(db, await oneOfReader(db, key));
  return row ?? null;
}

const unreadByOrganization = statement((db) => {
  const shape: Conditions = ['isUnread', 'isKept', 'isAwake'];
  const unread = keysWithSubjects(db, shape)
    .where(matching(shape))
    .orderBy(desc(notifications.sequence))
    .limit(countedNotifications)
    .as('unread');
  return db
    .select({ organizationId: unread.organizationId, unread: sql<number>`count(*)::int` })
    .from(unread)
    .groupBy(unread.organizationId)
    .orderBy(unread.organizationId);
});

/** Counts what a person may read of their newest unread notifications, at most {@link maxUnreadCount}. */
export async function countUnread(db: Database, reader: { userId: string; now: Date }) {
  const counts = await withGenericPlans(db, (tx) => unreadByOrganization(tx, reader));
  const capped = (unread: number) => Math.min(unread, maxUnreadCount);
  return {
    unread: capped(counts.reduce((sum, { unread }) => sum + unread, 0)),
    byOrganization: counts.map(({ organizationId, unread }) => ({
      organizationId,
      unread: capped(unread),
    })),
  };
}

/** Locks the inbox of a person until the transaction ends: nothing arrives meanwhile. */
export async function lockInbox(tx: Transaction, userId: string): Promise<void> {
  await tx
    .select({ userId: inboxes.userId })
    .from(inboxes)
    .where(eq(inboxes.userId, userId))
    .for('no key update');
}

interface Marks {
  readonly readAt?: Date | null;
  readonly archivedAt?: Date | null;
  readonly snoozedUntil?: Date | null;
}

export async function markNotification(
  tx: Transaction,
  { organizationId, id }: Pick<NotificationRow, 'organizationId' | 'id'>,
  marks: Marks,
): Promise<void> {
  await tx
    .update(notifications)
    .set(marks)
    .where(and(eq(notifications.organizationId, organizationId), eq(notifications.id, id)));
}

type Mark = 'readAt' | 'archivedAt';

interface MarkShape {
  readonly conditions: Conditions;
  readonly mark: Mark;
}

const markedInInbox = statementByShape((db, shape: MarkShape) => {
  const isMarked = and(isOfReader, ...shape.conditions.map((name) => conditions[name]));
  const readable = keysWithSubjects(db, shape.conditions).where(matching(shape.conditions));
  return (
    db
      .update(notifications)
      .set({ [shape.mark]: now })
      // Twice: without, all rows of the person would be compared with those found.
      .where(
        and(isMarked, sql`(${notifications.organizationId}, ${notifications.id}) in ${readable}`),
      )
      .returning({ id: notifications.id })
  );
});

const scoped = ['organizationId', 'reason', 'ids', 'upTo'] as const;

/**
 * Marks what a person may read of the inbox and the scope names. Only under {@link lockInbox}.
 *
 * @returns how many have changed
 */
export async function markInbox(
  tx: Transaction,
  { scope, mark }: { scope: NotificationScope; mark: Mark },
): Promise<number> {
  const conditions: Conditions = [
    'isKept',
    'isAwake',
    ...(mark === 'readAt' ? (['isUnread'] as const) : []),
    ...scoped.filter((name) => scope[name] !== undefined),
  ];
  const marked = await markedInInbox(tx, { conditions, mark }, { ...scope });
  return marked.length;
}
