import { LRUCache } from 'lru-cache';
import type { Database } from '../../db/executor.ts';
import type { Deps } from '../../deps.ts';
import { pageOf, rowWindowOf, type PageRequest, type Total } from '../../kernel/pagination.ts';
import { presentActivity } from './present.ts';
import { activityQueries, type ActivityFilter, type ActivityScope } from './queries/lists.ts';

export interface ActivityListRequest extends PageRequest, ActivityFilter {}

/** Lists that are remembered as too long to be counted; a list takes half a kilobyte. */
const maxLongLists = 5_000;

/** How long they are taken to be so without counting again, in milliseconds. Only retention makes a list shorter. */
const longForMs = 10 * 60 * 1000;

/**
 * Lists pages of activities, newest first. A cursor is valid only for its own scope. To find that a list is too long to be
 * counted takes several times as long as reading a page of it, so that is remembered.
 *
 * The pages throw Failure `validation_failed` (400) for any other cursor.
 */
export function activityPages({ cursors }: Pick<Deps, 'cursors'>) {
  const longLists = new LRUCache<string, Total>({ max: maxLongLists, ttl: longForMs });

  return async (db: Database, scope: ActivityScope, request: ActivityListRequest) => {
    const countedFor = filterOf(scope, request);
    const continued = { list: listNameOf(scope), cursors, countedFor };
    const name = JSON.stringify(countedFor);
    const { total: carried, ...rows } = rowWindowOf(request, continued);
    const known = carried ?? longLists.get(name) ?? null;
    const found = await activityQueries(db).list(scope, request, { ...rows, total: known });
    const { total, isTotalLowerBound } = found;
    if (isTotalLowerBound && known === null) longLists.set(name, { total, isTotalLowerBound });
    return pageOf(found, request, {
      ...continued,
      present: presentActivity,
      positionOf: (row) => ({ sortValue: row.createdAt, id: row.id }),
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
