import type { ActivitySummary, ResourceType } from '@atelier/contract';
import type { z } from 'zod';
import type { ReadScope } from '../../db/replica.ts';
import type { Deps } from '../../deps.ts';
import { activityPages, type ActivityListRequest } from '../../domain/activity-view/page.ts';
import {
  activityQueries,
  type ActivityFilter,
  type ActivityScope,
} from '../../domain/activity-view/queries.ts';
import type { AdministratorContext, UserContext } from '../../kernel/context.ts';
import { spreadReads } from '../../domain/replica-reads.ts';

interface Resource {
  readonly type: ResourceType;
  readonly id: string;
}

/**
 * What was done: by the caller, or for administrators in the organization they selected, or in all.
 *
 * What accounts do to themselves is in no organization: only they and platform administrators see it.
 * Favorites and unfinished uploads nobody sees but who did it.
 */
export function timelineUseCases(deps: Pick<Deps, 'db' | 'replica' | 'log' | 'cursors'>) {
  const { cursors } = deps;
  const read = spreadReads(deps, (db) => ({
    pageOf: activityPages({ db, cursors }),
    activities: activityQueries(db),
  }));

  return {
    /** In every organization, also in those that the caller has left. */
    mine: (request: ActivityListRequest, ctx: UserContext) =>
      read({ actorId: ctx.user.id }, ({ pageOf }) =>
        pageOf({ viewerId: ctx.user.id, organizationId: null, actorId: ctx.user.id }, request),
      ),

    list: (request: ActivityListRequest, ctx: AdministratorContext) =>
      read(shownTo(ctx), ({ pageOf }) => pageOf(scopeOf(ctx), request)),

    /** A resource that is gone keeps its activities; one that never was has none. */
    resource: ({ type, id }: Resource, request: ActivityListRequest, ctx: AdministratorContext) =>
      read(shownTo(ctx), ({ pageOf }) =>
        pageOf({ ...scopeOf(ctx), resourceType: type, resourceId: id }, request),
      ),

    async summary(
      filter: ActivityFilter,
      ctx: AdministratorContext,
    ): Promise<z.infer<typeof ActivitySummary>> {
      const rows = await read(shownTo(ctx), ({ activities }) =>
        activities.summarize(scopeOf(ctx), filter),
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

/** Of all organizations, administrators are sure to see what they did themselves. */
function shownTo({ organizationId, user }: AdministratorContext): ReadScope {
  return organizationId === null ? { actorId: user.id } : { organizationId };
}
