import { z } from 'zod/v4';
import { administratorAccess, userAccess } from './access.ts';
import { ActivityActionName, ResourceTypeName } from './activity.ts';
import { endpoint } from './endpoint.ts';
import { ok } from './envelope.ts';
import { filter } from './lists.ts';
import { cursorListOf, pageOf } from './pagination.ts';
import { Id, Timestamp, timestampInput } from './primitives.ts';
import { filterBy } from './targets.ts';

export const Activity = z
  .object({
    id: Id,
    action: ActivityActionName,
    actor: z
      .object({ id: Id, name: z.string() })
      .nullable()
      .describe('The user who did it; null: a guest, a report of a leaked key, or the service.'),
    organizationId: Id.nullable(),
    resourceType: ResourceTypeName,
    resourceId: Id,
    resourceName: z.string().describe('Name of the resource at that time.'),
    changes: z
      .array(z.object({ field: z.string(), from: z.unknown(), to: z.unknown() }))
      .describe(
        'Changed fields with both values. Of the description of a task, the first 200 characters of each, which may be equal.',
      ),
    metadata: z.record(z.string(), z.unknown()),
    requestId: z.string().nullable(),
    createdAt: Timestamp,
  })
  .meta({
    id: 'Activity',
    description:
      'A recorded change. Activities never change, except that the text of those about an account is erased when it is deleted. The operator may have old months removed.',
    examples: [
      {
        id: '019aa4f3-2c4d-7e5f-a061-7c8d9e0f1a2b',
        action: 'collection.rename',
        actor: { id: '019aa4f0-5c1e-7b3a-9d2f-6f1f0c7a9e42', name: 'Ada Lovelace' },
        organizationId: '019aa4f0-5c1e-7c00-8a51-0d9e2b7f6c11',
        resourceType: 'collection',
        resourceId: '019aa4f1-0a2b-7c3d-8e4f-5a6b7c8d9e0f',
        resourceName: 'Brand pictures',
        changes: [{ field: 'title', from: 'Pictures', to: 'Brand pictures' }],
        metadata: {},
        requestId: 'req_01h9x3',
        createdAt: '2026-11-21T09:30:00.000Z',
      },
    ],
  });

export const ActivityPage = pageOf(Activity, 'ActivityPage');

/** Filters of a list of activities. */
export const activityFilters = {
  action: ActivityActionName.optional(),
  actorId: Id.optional(),
  resourceType: ResourceTypeName.optional(),
  resourceId: Id.optional(),
  apiKeyId: Id.optional().describe('What was done with this API key.'),
  from: timestampInput().optional().describe('From this time (inclusive).'),
  to: timestampInput().optional().describe('Until this time (exclusive).'),
};

/** Query of every list of activities; newest first. */
export const activityQuery = cursorListOf(activityFilters);

/** What {@link activityQuery} means. */
export const activityList = {
  filters: {
    actorId: filter('equal', 'actor.id'),
    apiKeyId: filter('equal', 'metadata.apiKeyId'),
    from: filter('notBefore', 'createdAt'),
    to: filter('before', 'createdAt'),
  },
  order: ['-createdAt'],
} as const;

/** The ids in {@link activityQuery}. */
export const activityTargets = {
  'query.actorId': filterBy('user'),
  'query.resourceId': filterBy('any'),
  'query.apiKeyId': filterBy('api_key'),
};

export const ActivitySummary = z
  .object({
    total: z.int().min(0),
    byAction: z.partialRecord(ActivityActionName, z.int().min(0)),
    byDay: z.array(z.object({ day: z.iso.date(), count: z.int().min(0) })),
  })
  .meta({
    id: 'ActivitySummary',
    description: 'Number of activities by action and by day. Days are in UTC.',
    examples: [
      {
        total: 3,
        byAction: { 'asset.create': 2, 'collection.create': 1 },
        byDay: [{ day: '2026-11-21', count: 3 }],
      },
    ],
  });

export const timeline = {
  mine: endpoint({
    method: 'GET',
    path: '/api/timeline/user',
    summary: 'List activity of the caller',
    access: userAccess,
    keys: 'refused',
    query: activityQuery,
    list: activityList,
    targets: activityTargets,
    success: ok('Activity retrieved', ActivityPage),
  }),
  list: endpoint({
    method: 'GET',
    path: '/api/timeline',
    summary: 'List all activity',
    access: administratorAccess,
    confirmation: 'as-platform-administrator',
    keys: 'timeline:read',
    query: activityQuery,
    list: activityList,
    targets: activityTargets,
    success: ok('Activity retrieved', ActivityPage),
  }),
  resource: endpoint({
    method: 'GET',
    path: '/api/timeline/resource/:type/:id',
    summary: 'List activity of a resource',
    access: administratorAccess,
    confirmation: 'as-platform-administrator',
    keys: 'timeline:read',
    pathParams: z.object({ type: ResourceTypeName, id: Id }),
    query: activityQuery,
    list: activityList,
    targets: {
      'params.id': filterBy('any'),
      ...activityTargets,
    },
    success: ok('Activity retrieved', ActivityPage),
  }),
  summary: endpoint({
    method: 'GET',
    path: '/api/timeline/summary',
    summary: 'Count activity by action and by day',
    access: administratorAccess,
    confirmation: 'as-platform-administrator',
    keys: 'timeline:read',
    query: z.object({
      from: activityFilters.from,
      to: activityFilters.to,
      actorId: activityFilters.actorId,
      resourceType: activityFilters.resourceType,
    }),
    targets: { 'query.actorId': filterBy('user') },
    success: ok('Activity summarized', ActivitySummary),
  }),
};
