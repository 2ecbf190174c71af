import type { ActivitySummary, ResourceType } from '@atelier/contract';
import type { z } from 'zod';
import type { ReadScope } from '../../db/replica.ts';
import type { Deps } from '../../deps.ts';
import { activityPages, type ActivityListRequest } from '../../domain/activity-view/page.ts';
import {
  activityQueries,
  type ActivityFilter,
  type ActivityScope,
} from '../../domain/activity-view/queries/lists.ts';
import type { AdministratorContext, UserContext } from '../../kernel/context.ts';
import { replicaReads } from '../../domain/replica-reads.ts';

interface Resource {
  readonly type: ResourceType;
  readonly id: string;
}

/**
 * Lists activities: the caller's own or, for administrators, those of the selected organization or of all.
 *
 * Activities of accounts belong to no organization: only the account and platform administrators see them.
 * Favorites and unfinished uploads are visible to their actor only.
 */
export function timelineUseCases(deps: Pick<Deps, 'db' | 'replica' | 'log' | 'cursors'>) {
  const { cursors } = deps;
  const read = replicaReads(deps);
  const pageOf = activityPages({ cursors });

  return {
    /** In every organization, including those that the caller has left. */
    mine: (request: ActivityListRequest, ctx: UserContext) =>
      read({ actorId: ctx.user.id }, (db) =>
        pageOf(db, { viewerId: ctx.user.id, organizationId: null, actorId: ctx.user.id }, request),
      ),

    list: (request: ActivityListRequest, ctx: AdministratorContext) =>
      read(shownTo(ctx), (db) => pageOf(db, scopeOf(ctx), request)),

    /** A deleted resource keeps its activities; one that never existed has none. */
    resource: ({ type, id }: Resource, request: ActivityListRequest, ctx: AdministratorContext) =>
      read(shownTo(ctx), (db) =>
        pageOf(db, { ...scopeOf(ctx), resourceType: type, resourceId: id }, request),
      ),

    async summary(
      filter: ActivityFilter,
      ctx: AdministratorContext,
    ): Promise<z.infer<typeof ActivitySummary>> {
      const rows = await read(shownTo(ctx), (db) =>
        activityQueries(db).summarize(scopeOf(ctx), filter),
      );
      return {
        total: rows.find(({ action, day }) => action === null && day === null)?.count ?? 0,
        byAction: Object.fromEntries(
          rows.flatMap(({ action, count }) => (action === null ? [] : [[action, count]])),
        ),
        byDay: rows.flatMap(({ day, count }) => (day === null ? [] : [{ day, count }])),
      };
    },
  };
}

function scopeOf({ user, organizationId }: AdministratorContext): ActivityScope {
  return { viewerId: user.id, organizationId };
}

/** Across all organizations, administrators always see their own activities. */
function shownTo({ organizationId, user }: AdministratorContext): ReadScope {
  return organizationId === null ? { actorId: user.id } : { organizationId };
}
