import type { ActivityAction, ResourceType } from '@atelier/contract';
import { sql, type SQL } from 'drizzle-orm';
import { announceAfterCommit } from '../db/session/after-commit.ts';
import type { Executor } from '../db/executor.ts';
import { accountActivities, activities } from '../db/generated/schema.ts';
import { placeholdersOf, statement } from '../db/session/statement.ts';
import type { Change } from '../kernel/changes.ts';
import { apiKeyOf, type CallerContext } from '../kernel/context.ts';
import { newId } from '../kernel/ids.ts';

/** What an account does outside of organizations, or what is done to it: the action, its resource, and its actor. */
export interface AccountActivityEntry {
  /** Of an activity that a job may record again; a new one by default. */
  readonly id?: string | undefined;
  readonly action: ActivityAction;
  readonly actorId: string | null;
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

/** What is done in an organization. */
export interface ActivityEntry extends AccountActivityEntry {
  readonly organizationId: string;
}

/** The fields that every activity of an account has in common. */
export function aboutUser(
  user: { readonly id: string; readonly email: string },
  ctx: Pick<CallerContext, 'requestId'> & Partial<Pick<CallerContext, 'credential'>>,
  at: Date,
) {
  return {
    actorId: user.id,
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

/** The fields that every activity of an organization itself has in common. */
export const aboutOrganization = aboutResource(
  'organization',
  ({ name }: { readonly name: string }) => name,
);

const columns = [
  'id',
  'action',
  'actorId',
  'resourceType',
  'resourceId',
  'resourceName',
  'changes',
  'metadata',
  'requestId',
  'createdAt',
] as const;

const recorded = statement((tx) =>
  tx.insert(activities).values(placeholdersOf(activities, [...columns, 'organizationId'])),
);

const recordedOfAccount = statement((tx) =>
  tx.insert(accountActivities).values(placeholdersOf(accountActivities, columns)),
);

function rowOf(entry: AccountActivityEntry) {
  return {
    id: entry.id ?? newId(),
    action: entry.action,
    actorId: entry.actorId,
    resourceType: entry.resourceType,
    resourceId: entry.resourceId,
    resourceName: entry.resourceName,
    changes: entry.changes ?? [],
    metadata: { ...entry.metadata, ...(entry.apiKeyId !== null && { apiKeyId: entry.apiKeyId }) },
    requestId: entry.requestId,
    createdAt: entry.at,
  };
}

/** Inserts the single activity of a mutation in an organization, in the mutation's own transaction. */
export async function recordActivity(tx: Executor, entry: ActivityEntry): Promise<void> {
  const { organizationId } = entry;
  await recorded(tx, { ...rowOf(entry), organizationId });
  announceAfterCommit(tx, `organization:${organizationId}`);
}

/** The same for a mutation of an account, which belongs to no organization. */
export async function recordAccountActivity(
  tx: Executor,
  entry: AccountActivityEntry,
): Promise<void> {
  await recordedOfAccount(tx, rowOf(entry));
}

/** The fields of an activity of an account, each as SQL with its column's type. */
export type ActivitySource = {
  readonly [Field in Exclude<keyof AccountActivityEntry, 'changes'>]: SQL;
};

/**
 * The same row as a part of a statement that also makes the change, for hot paths: an `insert … select`.
 *
 * @param from - the rows, one for each activity
 */
export function accountActivityInsert(source: ActivitySource, from: SQL): SQL {
  return sql`
    insert into ${accountActivities} (id, action, actor_id, resource_type, resource_id, resource_name, changes,
      metadata, request_id, created_at)
    select ${source.id}, ${source.action}, ${source.actorId}, ${source.resourceType}, ${source.resourceId},
      ${source.resourceName}, '[]'::jsonb,
      ${source.metadata} || jsonb_strip_nulls(jsonb_build_object('apiKeyId', ${source.apiKeyId})),
      ${source.requestId}, ${source.at}
    from ${from}`;
}
