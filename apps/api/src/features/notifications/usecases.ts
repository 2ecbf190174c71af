import {
  maxExcerptLength,
  Notification,
  type MarkNotificationsBody,
  type UpdateNotificationBody,
} from '@atelier/contract';
import type { z } from 'zod';
import { announceAfterCommit } from '../../db/session/after-commit.ts';
import type { Deps } from '../../deps.ts';
import {
  countUnread,
  findNotification,
  listNotifications,
  lockInbox,
  markNotification,
  markInbox,
  type Conditions,
  type NotificationRow,
} from '../../domain/notifications/queries/inbox.ts';
import { titleOfAccountEvent } from '../../domain/notifications/account-events.ts';
import {
  pictureAddressesOf,
  pictureOf,
  type PictureAddresses,
} from '../../domain/person-view/present.ts';
import { displayNameOf } from '../../domain/person-view/present-user.ts';
import { pageOfTarget } from '../../domain/shares/page.ts';
import { pageOfTask } from '../../domain/task-view/page.ts';
import { mutate } from '../../domain/transaction.ts';
import { hostOf } from '../../domain/webhooks/endpoint.ts';
import type { UserContext } from '../../kernel/context.ts';
import { Failure } from '../../kernel/errors.ts';
import { assertUnchanged } from '../../kernel/etag.ts';
import { pageOf, rowWindowOf, type PageRequest } from '../../kernel/pagination.ts';

interface ListRequest extends PageRequest {
  readonly organizationId?: string | undefined;
  readonly reason?: Notification['reason'] | undefined;
  readonly isRead?: boolean | undefined;
  readonly isArchived?: boolean | undefined;
  readonly isSnoozed?: boolean | undefined;
}

/** Shows people what concerns them, over all organizations. */
export function notificationUseCases({ db, clock, cursors, store }: Deps) {
  const picturesOf = (rows: readonly NotificationRow[]) =>
    pictureAddressesOf(
      store,
      rows.flatMap(({ actor }) => actor ?? []),
    );

  return {
    async list(request: ListRequest, { user }: UserContext) {
      const now = clock.now();
      const conditions = conditionsOf(request);
      const { organizationId, reason } = request;
      const list = ['notifications', user.id, ...conditions, organizationId, reason].join(':');
      const found = await listNotifications(
        db,
        { scope: { userId: user.id, now, organizationId, reason }, conditions },
        rowWindowOf(request, { list, cursors }),
      );
      const shown = { now, pictures: await picturesOf(found.rows) };
      return pageOf(found, request, {
        list,
        cursors,
        present: (row) => present(row, shown),
        positionOf: ({ sequence, id }) => ({ sortValue: String(sequence), id }),
      });
    },

    async count({ user }: UserContext) {
      return countUnread(db, { userId: user.id, now: clock.now() });
    },

    /** @throws Failure `not_found` (404), `precondition_failed` (412) */
    async update(id: string, wanted: z.output<typeof UpdateNotificationBody>, ctx: UserContext) {
      // Finds only the caller's own.
      ctx.targets.note('params.id');
      const userId = ctx.user.id;
      const now = clock.now();
      return mutate({ db, clock, ctx }, async (tx) => {
        await lockInbox(tx, userId);
        const row = await findNotification(tx, { userId, id, now });
        if (!row) throw new Failure('not_found');
        const shown = { now, pictures: await picturesOf([row]) };
        assertUnchanged(ctx, Notification, present(row, shown));
        const marks = marksAfter(row, wanted, now);
        await markNotification(tx, row, marks);
        announceAfterCommit(tx, `inbox:${userId}`);
        return present({ ...row, ...marks }, shown);
      });
    },

    /** Marks named notifications of the inbox, or those up to a sequence. */
    async mark(
      mark: 'readAt' | 'archivedAt',
      { ids, upTo, organizationId, reason }: z.output<typeof MarkNotificationsBody>,
      ctx: UserContext,
    ) {
      const userId = ctx.user.id;
      const scope = { userId, now: clock.now(), organizationId, reason, ids, upTo };
      return mutate({ db, clock, ctx }, async (tx) => {
        await lockInbox(tx, userId);
        const changedCount = await markInbox(tx, { scope, mark });
        announceAfterCommit(tx, `inbox:${userId}`);
        return { changedCount };
      });
    },
  };
}

function conditionsOf(request: ListRequest): Conditions {
  const { organizationId, reason, isRead, isArchived, isSnoozed } = request;
  return [
    ...(organizationId === undefined ? [] : (['organizationId'] as const)),
    ...(reason === undefined ? [] : (['reason'] as const)),
    ...(isRead === undefined ? [] : [isRead ? ('isRead' as const) : ('isUnread' as const)]),
    ...(isArchived === undefined
      ? []
      : [isArchived ? ('isArchived' as const) : ('isKept' as const)]),
    ...(isSnoozed === undefined ? [] : [isSnoozed ? ('isSnoozed' as const) : ('isAwake' as const)]),
  ];
}

type Marked = Pick<NotificationRow, 'readAt' | 'archivedAt' | 'snoozedUntil'>;

function marksAfter(
  { readAt, archivedAt, snoozedUntil }: Marked,
  wanted: z.output<typeof UpdateNotificationBody>,
  now: Date,
): Marked {
  const { isRead, isArchived, snoozeMinutes } = wanted;
  const isPutOff = typeof snoozeMinutes === 'number';
  const marked = (is: boolean | undefined, at: Date | null) =>
    is === undefined ? at : is ? (at ?? now) : null;
  return {
    readAt: marked(isRead ?? (isPutOff ? false : undefined), readAt),
    archivedAt: marked(isArchived, archivedAt),
    snoozedUntil: isPutOff
      ? new Date(now.getTime() + snoozeMinutes * 60_000)
      : snoozeMinutes === null
        ? null
        : snoozedUntil,
  };
}

interface Shown {
  readonly now: Date;
  readonly pictures: PictureAddresses;
}

function present(row: NotificationRow, { now, pictures }: Shown): Notification {
  const { organizationId, organizationName, actor } = row;
  return {
    id: row.id,
    reason: row.reason,
    organization: { id: organizationId, name: organizationName },
    actor: actor && {
      id: actor.id,
      name: displayNameOf(actor),
      avatarUrl: pictureOf(actor, pictures),
    },
    guestName: row.guestName,
    reviewStatus: row.reviewStatus,
    subject: subjectOf(row),
    excerpt: row.comment === null ? null : excerptOf(row.comment),
    eventCount: row.eventCount,
    sequence: row.sequence,
    activityId: row.activityId,
    isRead: row.readAt !== null,
    isArchived: row.archivedAt !== null,
    isSnoozed: row.snoozedUntil !== null && row.snoozedUntil > now,
    snoozedUntil: row.snoozedUntil?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

function subjectOf(row: NotificationRow): Notification['subject'] {
  const { organizationId, organizationName, taskId, taskTitle, projectId, invitationId } = row;
  const { webhook, apiKey, securityEvent, userId } = row;
  if (taskId !== null && taskTitle !== null && projectId !== null) {
    const link = pageOfTask({ id: taskId, projectId });
    return { type: 'task', id: taskId, title: taskTitle, link };
  }
  if (row.assetId !== null && row.assetName !== null) {
    return { type: 'asset', id: row.assetId, title: row.assetName, link: `/assets/${row.assetId}` };
  }
  if (row.shareId !== null) {
    const { shareId: id, shareTitle, shareTargetType, shareTargetId } = row;
    const link = pageOfTarget(shareTargetType, shareTargetId);
    return { type: 'share', id, title: shareTitle ?? organizationName, link };
  }
  if (invitationId !== null) {
    // Only its mail has the link: the token proves that one reads the mailbox.
    return { type: 'invitation', id: invitationId, title: organizationName, link: null };
  }
  if (webhook !== null) {
    const link = `/settings/webhooks/${webhook.id}`;
    return { type: 'webhook', id: webhook.id, title: hostOf(webhook.url), link };
  }
  if (apiKey !== null) {
    return { type: 'api_key', id: apiKey.id, title: apiKey.name, link: '/settings/api-keys' };
  }
  if (securityEvent !== null) {
    const title = titleOfAccountEvent(securityEvent);
    return { type: 'account', id: userId, title, link: '/settings/security' };
  }
  return { type: 'organization', id: organizationId, title: organizationName, link: null };
}

function excerptOf(body: string): string {
  const characters = Array.from(body.slice(0, 2 * maxExcerptLength + 2));
  if (characters.length <= maxExcerptLength) return characters.join('');
  return `${characters.slice(0, maxExcerptLength - 1).join('')}…`;
}
