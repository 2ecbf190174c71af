import { roles } from '@atelier/contract';
import { and, eq, gt, inArray, isNull, sql, type SQLWrapper } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { Database } from '../../../db/executor.ts';
import {
  apiKeys,
  assetComments,
  assets,
  collections,
  comments,
  invitations,
  memberships,
  notifications,
  organizations,
  shares,
  tasks,
  users,
  webhooks,
} from '../../../db/generated/schema.ts';
import { reachOf } from '../../../kernel/permissions.ts';

const reader = alias(users, 'reader');
const actor = alias(users, 'actor');

const value = sql.placeholder;
export const now = sql`${sql.param(value('now'), notifications.createdAt)}::timestamptz`;

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
export const isReadable = sql`(${notifications.reason} = 'removed' or ${invitations.id} is not null
  or (${notifications.reason} <> 'invited' and ${memberships.id} is not null
  and (${notifications.taskId} is null or ${tasks.id} is not null)
  and (${notifications.subjectId} is null or ${webhooks.id} is not null or ${apiKeys.id} is not null or ${assets.id} is not null
    or ${shares.id} is not null)
  and (${organizations.secondFactorRequiredFrom} is null or ${organizations.secondFactorRequiredFrom} > ${now}
    or ${reader.hasSecondFactor})))`;

/** Selects the keys of notifications, with what {@link isReadable} needs. */
export function keysWithSubjects(db: Database, organizationId: SQLWrapper) {
  const on = subjectsIn(organizationId);
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
export function rowsWithSubjects(db: Database, organizationId: SQLWrapper) {
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
