import { randomUUID } from 'node:crypto';
import {
  answering,
  asking,
  errorInstead,
  giving,
  idIn,
  insteadOf,
  recordIn,
  refusing,
  repeatingSuccess,
  saying,
  success,
  withoutCallHeader,
  withQuery,
} from '../faults.ts';
import type { PlantedBug } from './planted-bug.ts';

/** Things that do not do what they are for. */
export const wrongThings: readonly PlantedBug[] = [
  {
    bug: 'deletes a collection in words only',
    check: 'collection.life',
    rule: 'resource.after-delete',
    fault: () =>
      insteadOf('collections.remove', (call) =>
        success({ message: 'Collection deleted', data: { id: idIn(call) } }),
      ),
  },
  {
    bug: 'deletes a task in words only',
    check: 'task.life',
    rule: 'resource.after-delete',
    fault: () =>
      insteadOf('tasks.remove', (call) =>
        success({ message: 'Task deleted', data: { id: idIn(call) } }),
      ),
  },
  {
    bug: 'does not count the assets of a collection',
    check: 'collection.life',
    rule: 'collection.life',
    fault: () => giving('collections.favorite', (data) => ({ ...data, assetCount: 0 })),
  },
  {
    bug: 'forgets the mark of an asset',
    check: 'asset.life',
    rule: 'asset.life',
    fault: () => giving('assets.favorite', (data) => ({ ...data, isFavorite: false })),
  },
  {
    bug: 'publishes the same content twice',
    check: 'asset.publish',
    rule: 'asset.publish',
    fault: () => repeatingSuccess('assets.publish'),
  },
  {
    bug: 'makes two assets of one upload',
    check: 'upload.three-steps',
    rule: 'upload.completes-once',
    fault: () => giving('uploads.complete', (data) => ({ ...data, id: randomUUID() })),
  },
  {
    bug: 'downloads other bytes',
    check: 'upload.three-steps',
    rule: 'download.bytes',
    fault: () => async (call, ask) => {
      if (call.path === '/other-bytes') return new Response('something else');
      const url = `${call.origin}/other-bytes`;
      return giving('assets.download', (data) => ({ ...data, url }))(call, ask);
    },
  },
  {
    bug: 'completes with parts that are not there',
    check: 'upload.three-steps',
    rule: 'upload.three-steps',
    fault: () => refusing('uploads.complete', (answer) => errorInstead(answer, 'upload_mismatch')),
  },
  {
    bug: 'gives addresses for parts that the storage refuses',
    check: 'upload.abort',
    rule: 'storage.takes-parts',
    fault: () => async (call, ask) => {
      if (call.path === '/no-storage') return new Response(null, { status: 403 });
      const parts = [{ partNumber: 1, url: `${call.origin}/no-storage` }];
      return giving('uploads.initiate', (data) => ({ ...data, parts }))(call, ask);
    },
  },
  {
    bug: 'gives addresses that take any number of bytes',
    check: 'upload.metered',
    rule: 'storage.refuses-other-sizes',
    fault: () => async (call, ask) => {
      if (call.path === '/any-length') return new Response(null, { headers: { etag: '"x"' } });
      const parts = [{ partNumber: 1, url: `${call.origin}/any-length` }];
      return giving('uploads.initiate', (data) => ({ ...data, parts }))(call, ask);
    },
  },
  {
    bug: 'follows links that their team forbids',
    check: 'organization.public-links',
    rule: 'organization.public-links',
    fault: () =>
      refusing(
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
      refusing('collections.remove', (answer) => errorInstead(answer, 'permission_denied')),
  },
  {
    bug: 'lists the oldest version first',
    check: 'upload.versions',
    rule: 'upload.versions',
    fault: () =>
      giving('assets.versions', (data) => ({
        ...data,
        items: (Array.isArray(data['items']) ? data['items'] : []).toReversed() as unknown[],
      })),
  },
  {
    bug: 'restores a version in words only',
    check: 'upload.versions',
    rule: 'upload.versions',
    fault: () => giving('assets.restoreVersion', (data) => ({ ...data, currentVersion: 2 })),
  },
  {
    bug: 'moves tasks in words only',
    check: 'task.order',
    rule: 'task.order',
    fault: () => async (call, ask) => {
      if (call.operation !== 'tasks.move') return ask(call);
      const path = call.path.replace('/position', '');
      const { 'content-type': _, ...headers } = call.headers;
      const read = await ask({ ...call, method: 'GET', path, headers, body: null });
      return saying('tasks.move', (body) => ({ ...body, message: 'Task moved' }))(
        call,
        async () => read,
      );
    },
  },
  {
    bug: 'has gaps in its positions',
    check: 'task.order',
    rule: 'task.order',
    fault: () =>
      giving('tasks.listInProject', (data) => ({
        ...data,
        items: (Array.isArray(data['items']) ? data['items'] : []).map((item, index) => ({
          ...recordIn(item),
          position: index * 1000,
        })),
      })),
  },
  {
    bug: 'does not say when a comment was edited',
    check: 'task.life',
    rule: 'task.life',
    fault: () => giving('comments.update', (data) => ({ ...data, editedAt: null })),
  },
  {
    bug: 'takes tasks into an archived project',
    check: 'project.life',
    rule: 'project.life',
    fault: () => repeatingSuccess('tasks.create'),
  },
  {
    bug: 'records a change twice',
    check: 'timeline.one-row',
    rule: 'timeline.one-row',
    fault: () =>
      giving('timeline.mine', (data) => ({
        ...data,
        items: (Array.isArray(data['items']) ? data['items'] : []).flatMap((item) => [item, item]),
      })),
  },
  {
    bug: 'does not record what changed',
    check: 'timeline.one-row',
    rule: 'timeline.changes',
    fault: () =>
      giving('timeline.mine', (data) => ({
        ...data,
        items: (Array.isArray(data['items']) ? data['items'] : []).map((item) => ({
          ...recordIn(item),
          changes: [],
        })),
      })),
  },
  {
    bug: 'lets the last owner go',
    check: 'organization.last-owner',
    rule: 'organization.last-owner',
    fault: () =>
      refusing('organizations.removeMember', () =>
        success({ message: 'Member removed', data: { id: randomUUID() } }),
      ),
  },
  {
    bug: 'deletes a team without its exact name',
    check: 'organization.last-owner',
    rule: 'organization.deletion',
    fault: () =>
      asking('organizations.remove', (call) =>
        withQuery(call, (query) => {
          if (query.get('confirmName') === 'renamed') query.set('confirmName', 'Renamed');
        }),
      ),
  },
  {
    bug: 'shows a revoked invitation',
    check: 'organization.invitations',
    rule: 'organization.invitations',
    fault: () =>
      refusing('organizations.getInvitation', (answer) => errorInstead(answer, 'not_found')),
  },
  {
    bug: 'lets a caller become an administrator',
    check: 'profile.life',
    rule: 'profile.life',
    fault: () => giving('profile.update', (data) => ({ ...data, platformRole: 'ADMIN' })),
  },
  {
    bug: 'takes more projects than the plan allows',
    check: 'plan.projects',
    rule: 'plan.limits',
    fault: () => repeatingSuccess('projects.create'),
  },
  {
    bug: 'reserves no storage for what is being uploaded',
    check: 'plan.storage',
    rule: 'plan.limits',
    fault: () => repeatingSuccess('uploads.initiate'),
  },
  {
    bug: 'streams from any position',
    check: 'events.resume',
    rule: 'events.forged-position',
    fault: () =>
      asking('events.subscribe', (call) =>
        call.headers['last-event-id'] === 'no-such-position'
          ? withoutCallHeader(call, 'last-event-id')
          : call,
      ),
  },
  {
    bug: 'streams without a position to come back to',
    check: 'events.resume',
    rule: 'events.resume',
    fault: () =>
      answering('events.subscribe', (answer) => {
        const { status, headers } = answer;
        const id = '00000000-0000-7000-8000-000000000000';
        return answer.ok
          ? new Response(`event: ready\ndata: {"organizationId":"${id}"}\n\n`, { status, headers })
          : answer;
      }),
  },
];
