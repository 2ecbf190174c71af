import { maxUnreadCount, type NotificationReason, type ReviewStatus } from '@atelier/contract';
import {
  and,
  desc,
  eq,
  gt,
  isNotNull,
  isNull,
  lte,
  or,
  sql,
  type SQL,
  type SQLWrapper,
} from 'drizzle-orm';
import type { Database, Executor, Transaction } from '../../../db/executor.ts';
import { inboxes, notifications } from '../../../db/generated/schema.ts';
import { withGenericPlans } from '../../../db/generic-plans.ts';
import { after } from '../../../db/keyset.ts';
import { statement, statementByShape } from '../../../db/session/statement.ts';
import { statusesTold } from './review-statuses.ts';
import { isReadable, keysWithSubjects, now, rowsWithSubjects } from './subjects.ts';

/** Where counting stops: larger numbers are not compared, and each counted row is looked up in several tables. */
const countedNotifications = maxUnreadCount + 1;

const value = sql.placeholder;

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
  rowsWithSubjects(db, organizationOf(shape.conditions))
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
  const counted = keysWithSubjects(db, organizationOf(shape))
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
  rowsWithSubjects(db, organizationOf([])).where(
    and(isOfReader, eq(notifications.id, value('id')), isReadable),
  ),
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
  const unread = keysWithSubjects(db, organizationOf(shape))
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
  const readable = keysWithSubjects(db, organizationOf(shape.conditions)).where(
    matching(shape.conditions),
  );
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
