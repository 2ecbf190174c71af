import type { ActivitySummary, ResourceType } from '@atelier/contract';
import type { z } from 'zod';
import type { Deps } from '../../deps.ts';
import { activityPages, type ActivityListRequest } from '../../kernel/activity-view/page.ts';
import { activityQueries, type ActivityFilter } from '../../kernel/activity-view/queries.ts';
import type { AdministratorContext, UserContext } from '../../kernel/context.ts';

interface Resource {
  readonly type: ResourceType;
  readonly id: string;
}

/**
 * What was done: by the caller, or for administrators in the organization they selected, or in all.
 *
 * What accounts do to themselves is in no organization: only they and platform administrators see it.
 */
export function timelineUseCases({ db, cursors }: Pick<Deps, 'db' | 'cursors'>) {
  const pageOf = activityPages({ db, cursors });
  const activities = activityQueries(db);

  return {
    /** In every organization, also in those that the caller has left. */
    mine: (request: ActivityListRequest, ctx: UserContext) =>
      pageOf({ organizationId: null, actorId: ctx.user.id }, request),

    list: (request: ActivityListRequest, { organizationId }: AdministratorContext) =>
      pageOf({ organizationId }, request),

    /** A resource that is gone keeps its activities; one that never was has none. */
    resource: (
      { type, id }: Resource,
      request: ActivityListRequest,
      { organizationId }: AdministratorContext,
    ) => pageOf({ organizationId, resourceType: type, resourceId: id }, request),

    async summary(
      filter: ActivityFilter,
      { organizationId }: AdministratorContext,
    ): Promise<z.infer<typeof ActivitySummary>> {
      const rows = await activities.summarize({ organizationId }, filter);
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
