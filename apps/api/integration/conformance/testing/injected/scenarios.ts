import { randomUUID } from 'node:crypto';
import {
  changingResponse,
  changingRequest,
  errorInstead,
  changingData,
  idIn,
  respondingInstead,
  recordIn,
  changingErrors,
  repeatingSuccess,
  changingBody,
  success,
  withoutRequestHeader,
  withQuery,
} from '../fault-builders.ts';
import type { InjectedFault } from './injected-fault.ts';

/** Faults of resources and their operations. */
export const scenarioFaults: readonly InjectedFault[] = [
  {
    bug: 'reports a deletion of a collection without deleting it',
    check: 'collection.life',
    rule: 'resource.after-delete',
    fault: () =>
      respondingInstead('collections.remove', (request) =>
        success({ message: 'Collection deleted', data: { id: idIn(request) } }),
      ),
  },
  {
    bug: 'reports a deletion of a task without deleting it',
    check: 'task.life',
    rule: 'resource.after-delete',
    fault: () =>
      respondingInstead('tasks.remove', (request) =>
        success({ message: 'Task deleted', data: { id: idIn(request) } }),
      ),
  },
  {
    bug: 'does not count the assets of a collection',
    check: 'collection.life',
    rule: 'collection.life',
    fault: () => changingData('collections.favorite', (data) => ({ ...data, assetCount: 0 })),
  },
  {
    bug: 'does not store a favorite',
    check: 'asset.life',
    rule: 'asset.life',
    fault: () => changingData('assets.favorite', (data) => ({ ...data, isFavorite: false })),
  },
  {
    bug: 'publishes the same content twice',
    check: 'asset.publish',
    rule: 'asset.publish',
    fault: () => repeatingSuccess('assets.publish'),
  },
  {
    bug: 'creates two assets of one upload',
    check: 'upload.three-steps',
    rule: 'upload.completes-once',
    fault: () => changingData('uploads.complete', (data) => ({ ...data, id: randomUUID() })),
  },
  {
    bug: 'downloads other content',
    check: 'upload.three-steps',
    rule: 'download.bytes',
    fault: () => async (request, forward) => {
      if (request.path === '/other-bytes') return new Response('something else');
      const url = `${request.origin}/other-bytes`;
      return changingData('assets.download', (data) => ({ ...data, url }))(request, forward);
    },
  },
  {
    bug: 'returns another error for parts that are not stored',
    check: 'upload.three-steps',
    rule: 'upload.three-steps',
    fault: () =>
      changingErrors('uploads.complete', (response) => errorInstead(response, 'upload_mismatch')),
  },
  {
    bug: 'returns URLs for parts that the storage rejects',
    check: 'upload.abort',
    rule: 'storage.takes-parts',
    fault: () => async (request, forward) => {
      if (request.path === '/no-storage') return new Response(null, { status: 403 });
      const parts = [{ partNumber: 1, url: `${request.origin}/no-storage` }];
      return changingData('uploads.initiate', (data) => ({ ...data, parts }))(request, forward);
    },
  },
  {
    bug: 'returns URLs that accept any number of bytes',
    check: 'upload.metered',
    rule: 'storage.refuses-other-sizes',
    fault: () => async (request, forward) => {
      if (request.path === '/any-length') return new Response(null, { headers: { etag: '"x"' } });
      const parts = [{ partNumber: 1, url: `${request.origin}/any-length` }];
      return changingData('uploads.initiate', (data) => ({ ...data, parts }))(request, forward);
    },
  },
  {
    bug: 'follows links that the team forbids',
    check: 'organization.public-links',
    rule: 'organization.public-links',
    fault: () =>
      changingErrors(
        'assets.followShortLink',
        ({ headers }) =>
          new Response(null, {
            status: 302,
            headers: { ...Object.fromEntries(headers), location: '/' },
          }),
      ),
  },
  {
    bug: 'deletes assets of others along with a collection',
    check: 'collection.assets-of-others',
    rule: 'collection.assets-of-others',
    fault: () =>
      changingErrors('collections.remove', (response) =>
        errorInstead(response, 'permission_denied'),
      ),
  },
  {
    bug: 'accepts a cover without showing it',
    check: 'asset.cover',
    rule: 'asset.cover',
    fault: () => changingData('assets.setCover', (data) => ({ ...data, thumbnailUrl: null })),
  },
  {
    bug: 'lists the oldest version first',
    check: 'upload.versions',
    rule: 'upload.versions',
    fault: () =>
      changingData('assets.versions', (data) => ({
        ...data,
        items: (Array.isArray(data['items']) ? data['items'] : []).toReversed() as unknown[],
      })),
  },
  {
    bug: 'reports a restored version without restoring it',
    check: 'upload.versions',
    rule: 'upload.versions',
    fault: () => changingData('assets.restoreVersion', (data) => ({ ...data, currentVersion: 2 })),
  },
  {
    bug: 'reports a moved task without moving it',
    check: 'task.order',
    rule: 'task.order',
    fault: () => async (request, forward) => {
      if (request.operation !== 'tasks.move') return forward(request);
      const path = request.path.replace('/position', '');
      const { 'content-type': _, ...headers } = request.headers;
      const read = await forward({ ...request, method: 'GET', path, headers, body: null });
      return changingBody('tasks.move', (body) => ({ ...body, message: 'Task moved' }))(
        request,
        async () => read,
      );
    },
  },
  {
    bug: 'has gaps in its positions',
    check: 'task.order',
    rule: 'task.order',
    fault: () =>
      changingData('tasks.listInProject', (data) => ({
        ...data,
        items: (Array.isArray(data['items']) ? data['items'] : []).map((item, index) => ({
          ...recordIn(item),
          position: index * 1000,
        })),
      })),
  },
  {
    bug: 'returns an edited comment without editedAt',
    check: 'task.life',
    rule: 'task.life',
    fault: () => changingData('comments.update', (data) => ({ ...data, editedAt: null })),
  },
  {
    bug: 'creates tasks in an archived project',
    check: 'project.life',
    rule: 'project.life',
    fault: () => repeatingSuccess('tasks.create'),
  },
  {
    bug: 'records a change twice',
    check: 'timeline.one-row',
    rule: 'timeline.one-row',
    fault: () =>
      changingData('timeline.mine', (data) => ({
        ...data,
        items: (Array.isArray(data['items']) ? data['items'] : []).flatMap((item) => [item, item]),
      })),
  },
  {
    bug: 'does not record what changed',
    check: 'timeline.one-row',
    rule: 'timeline.changes',
    fault: () =>
      changingData('timeline.mine', (data) => ({
        ...data,
        items: (Array.isArray(data['items']) ? data['items'] : []).map((item) => ({
          ...recordIn(item),
          changes: [],
        })),
      })),
  },
  {
    bug: 'removes the last owner',
    check: 'organization.last-owner',
    rule: 'organization.last-owner',
    fault: () =>
      changingErrors('organizations.removeMember', () =>
        success({ message: 'Member removed', data: { id: randomUUID() } }),
      ),
  },
  {
    bug: 'deletes a team without its exact name',
    check: 'organization.last-owner',
    rule: 'organization.deletion',
    fault: () =>
      changingRequest('organizations.remove', (request) =>
        withQuery(request, (query) => {
          if (query.get('confirmName') === 'renamed') query.set('confirmName', 'Renamed');
        }),
      ),
  },
  {
    bug: 'shows a revoked invitation',
    check: 'organization.invitations',
    rule: 'organization.invitations',
    fault: () =>
      changingErrors('organizations.getInvitation', (response) =>
        errorInstead(response, 'not_found'),
      ),
  },
  {
    bug: 'lets users make themselves administrators',
    check: 'profile.life',
    rule: 'profile.life',
    fault: () => changingData('profile.update', (data) => ({ ...data, platformRole: 'ADMIN' })),
  },
  {
    bug: 'creates more projects than the plan allows',
    check: 'plan.projects',
    rule: 'plan.limits',
    fault: () => repeatingSuccess('projects.create'),
  },
  {
    bug: 'reserves no storage for uploads in progress',
    check: 'plan.storage',
    rule: 'plan.limits',
    fault: () => repeatingSuccess('uploads.initiate'),
  },
  {
    bug: 'reports a collection that is marked as a favorite as if it were not',
    check: 'collection.life',
    rule: 'collection.life',
    fault: () => changingData('collections.favorite', (data) => ({ ...data, isFavorite: false })),
  },
  {
    bug: 'has another status in its lists than in the task',
    check: 'list.items:tasks.list',
    rule: 'list.fields',
    fault: () =>
      changingData('tasks.list', (data) => ({
        ...data,
        items: (Array.isArray(data['items']) ? data['items'] : []).map((item) => ({
          ...recordIn(item),
          status: 'TODO',
        })),
      })),
  },
  {
    bug: 'summarizes one activity too many',
    check: 'list.summary:timeline.summary',
    rule: 'list.summary',
    fault: () =>
      changingData('timeline.summary', (data) => ({ ...data, total: Number(data['total']) + 1 })),
  },
  {
    bug: 'summarizes every actor',
    check: 'list.summary:timeline.summary',
    rule: 'list.summary',
    fault: () =>
      changingRequest('timeline.summary', (request) =>
        withQuery(request, (query) => query.delete('actorId')),
      ),
  },
  {
    bug: 'streams from any position',
    check: 'events.resume',
    rule: 'events.forged-position',
    fault: () =>
      changingRequest('events.subscribe', (request) =>
        request.headers['last-event-id'] === 'no-such-position'
          ? withoutRequestHeader(request, 'last-event-id')
          : request,
      ),
  },
  {
    bug: 'streams without event ids',
    check: 'events.resume',
    rule: 'events.resume',
    fault: () =>
      changingResponse('events.subscribe', (response) => {
        const { status, headers } = response;
        const id = '00000000-0000-7000-8000-000000000000';
        return response.ok
          ? new Response(`event: ready\ndata: {"organizationId":"${id}"}\n\n`, { status, headers })
          : response;
      }),
  },
];
