import type { Deps } from '../../deps.ts';
import { pageOf, rowWindowOf, type PageRequest } from '../../kernel/pagination.ts';
import { presentActivity } from './present.ts';
import { activityQueries, type ActivityFilter, type ActivityScope } from './queries/lists.ts';

export interface ActivityListRequest extends PageRequest, ActivityFilter {}

/**
 * Lists pages of activities, newest first. A cursor is valid only for its own scope.
 *
 * The pages throw Failure `validation_failed` (400) for any other cursor.
 */
export function activityPages({ db, cursors }: Pick<Deps, 'db' | 'cursors'>) {
  const activities = activityQueries(db);

  return async (scope: ActivityScope, request: ActivityListRequest) => {
    const continued = { list: listNameOf(scope), cursors, countedFor: filterOf(scope, request) };
    const found = await activities.list(scope, request, rowWindowOf(request, continued));
    return pageOf(found, request, {
      ...continued,
      present: presentActivity,
      positionOf: (row) => ({ sortValue: row.createdAt.toISOString(), id: row.id }),
    });
  };
}

function listNameOf({ organizationId, actorId, resourceType, resourceId }: ActivityScope): string {
  return ['activities', organizationId, actorId, resourceType, resourceId].join(':');
}

/** All that decides which activities are in the list. */
function filterOf(scope: ActivityScope, request: ActivityListRequest): object {
  const { page: _page, limit: _limit, cursor: _cursor, ...filter } = request;
  return { scope, filter };
}
