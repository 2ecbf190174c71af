import type { Collection } from '@atelier/contract';
import type { MemberContext } from '../../kernel/context.ts';
import type { CollectionRow } from './queries.ts';

export function presentCollection(row: CollectionRow): Collection {
  return {
    ...row,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

/** The fields that every activity of a collection has in common. */
export function aboutCollection(
  collection: { id: string; organizationId: string; title: string },
  ctx: MemberContext,
  now: Date,
) {
  return {
    actorId: ctx.user.id,
    organizationId: collection.organizationId,
    resourceType: 'collection',
    resourceId: collection.id,
    resourceName: collection.title,
    requestId: ctx.requestId,
    at: now,
  } as const;
}
