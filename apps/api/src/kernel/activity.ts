import type { ActivityAction, ResourceType } from '@atelier/contract';
import { announceAfterCommit } from '../db/announcements.ts';
import type { Executor } from '../db/client.ts';
import { activities } from '../db/schema/index.ts';
import { newId } from './ids.ts';

/** What happened, to what, by whom. */
export interface ActivityEntry {
  readonly action: ActivityAction;
  readonly actorId: string | null;
  readonly organizationId: string | null;
  readonly resourceType: ResourceType;
  readonly resourceId: string;
  /** Name of the resource as it was then. */
  readonly resourceName: string;
  readonly changes?: readonly { field: string; from: unknown; to: unknown }[];
  readonly metadata?: Readonly<Record<string, unknown>>;
  readonly requestId: string;
  readonly at: Date;
}

/** The part of an activity that everything an account does to itself has in common. */
export function aboutUser(
  user: { readonly id: string; readonly email: string },
  { requestId }: { readonly requestId: string },
  at: Date,
) {
  return {
    actorId: user.id,
    organizationId: null,
    resourceType: 'user',
    resourceId: user.id,
    resourceName: user.email,
    requestId,
    at,
  } as const;
}

/** Writes the one activity row of a mutation, in the mutation's own transaction. */
export async function recordActivity(tx: Executor, entry: ActivityEntry): Promise<void> {
  await tx.insert(activities).values({
    id: newId(),
    action: entry.action,
    actorId: entry.actorId,
    organizationId: entry.organizationId,
    resourceType: entry.resourceType,
    resourceId: entry.resourceId,
    resourceName: entry.resourceName,
    changes: [...(entry.changes ?? [])],
    metadata: { ...entry.metadata },
    requestId: entry.requestId,
    createdAt: entry.at,
  });
  if (entry.organizationId) announceAfterCommit(tx, `organization:${entry.organizationId}`);
}
