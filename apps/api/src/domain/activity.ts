import type { ActivityAction, ResourceType } from '@atelier/contract';
import { sql, type SQL } from 'drizzle-orm';
import { announceAfterCommit } from '../db/session/after-commit.ts';
import type { Executor } from '../db/executor.ts';
import { activities } from '../db/generated/schema.ts';
import { placeholdersOf, statement } from '../db/session/statement.ts';
import type { Change } from '../kernel/changes.ts';
import { apiKeyOf, type CallerContext } from '../kernel/context.ts';
import { newId } from '../kernel/ids.ts';

/** The action, its resource, and its actor. */
export interface ActivityEntry {
  readonly action: ActivityAction;
  readonly actorId: string | null;
  readonly organizationId: string | null;
  readonly resourceType: ResourceType;
  readonly resourceId: string;
  /** Name of the resource at that time. */
  readonly resourceName: string;
  readonly changes?: readonly Change[];
  readonly metadata?: Readonly<Record<string, unknown>>;
  /** The API key that the actor used, which joins the metadata; null for a session, and for the service itself. */
  readonly apiKeyId: string | null;
  readonly requestId: string;
  readonly at: Date;
}

/** The fields that every activity of an account has in common. */
export function aboutUser(
  user: { readonly id: string; readonly email: string },
  ctx: Pick<CallerContext, 'requestId'> & Partial<Pick<CallerContext, 'credential'>>,
  at: Date,
) {
  return {
    actorId: user.id,
    organizationId: null,
    resourceType: 'user',
    resourceId: user.id,
    resourceName: user.email,
    apiKeyId: apiKeyOf(ctx),
    requestId: ctx.requestId,
    at,
  } as const;
}

interface ActorInOrganization extends Pick<CallerContext, 'requestId' | 'credential'> {
  readonly user: Pick<CallerContext['user'], 'id'>;
  readonly organization: { readonly id: string };
}

/**
 * Builds the function that returns the fields that every activity of a resource has in common.
 *
 * @param nameOf - returns the name that the activities keep
 */
export function aboutResource<Named extends object>(
  resourceType: ResourceType,
  nameOf: (resource: Named) => string,
) {
  return (resource: Named & { readonly id: string }, ctx: ActorInOrganization, at: Date) => ({
    actorId: ctx.user.id,
    organizationId: ctx.organization.id,
    resourceType,
    resourceId: resource.id,
    resourceName: nameOf(resource),
    apiKeyId: apiKeyOf(ctx),
    requestId: ctx.requestId,
    at,
  });
}

const recorded = statement((tx) =>
  tx
    .insert(activities)
    .values(
      placeholdersOf(activities, [
        'id',
        'action',
        'actorId',
        'organizationId',
        'resourceType',
        'resourceId',
        'resourceName',
        'changes',
        'metadata',
        'requestId',
        'createdAt',
      ]),
    ),
);

/** Inserts the single activity of a mutation, in the mutation's own transaction. */
export async function recordActivity(tx: Executor, entry: ActivityEntry): Promise<void> {
  await recorded(tx, {
    id: newId(),
    action: entry.action,
    actorId: entry.actorId,
    organizationId: entry.organizationId,
    resourceType: entry.resourceType,
    resourceId: entry.resourceId,
    resourceName: entry.resourceName,
    changes: entry.changes ?? [],
    metadata: { ...entry.metadata, ...(entry.apiKeyId !== null && { apiKeyId: entry.apiKeyId }) },
    requestId: entry.requestId,
    createdAt: entry.at,
  });
  if (entry.organizationId) announceAfterCommit(tx, `organization:${entry.organizationId}`);
}

/** The fields of an activity, each as SQL with its column's type. */
export type ActivitySource = {
  readonly [Field in Exclude<keyof ActivityEntry, 'changes'> | 'id']: SQL;
};

/**
 * The same row as a part of a statement that also makes the change, for hot paths: an `insert … select`.
 *
 * The caller announces the organization with `announceAfterCommit`.
 *
 * @param from - the rows, one for each activity
 */
export function activityInsert(source: ActivitySource, from: SQL): SQL {
  return sql`
    insert into ${activities} (id, action, actor_id, organization_id, resource_type, resource_id,
      resource_name, changes, metadata, request_id, created_at)
    select ${source.id}, ${source.action}, ${source.actorId}, ${source.organizationId},
      ${source.resourceType}, ${source.resourceId}, ${source.resourceName}, '[]'::jsonb,
      ${source.metadata} || jsonb_strip_nulls(jsonb_build_object('apiKeyId', ${source.apiKeyId})),
      ${source.requestId}, ${source.at}
    from ${from}`;
}
