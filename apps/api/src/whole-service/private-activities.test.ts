// @module-tag slow

import { activityActions, operations, type OperationId } from '@atelier/contract';
import { z } from 'zod';
import { afterAll, describe, expect, test } from 'vitest';
import { privateActions } from '../domain/activity-view/audience.ts';
import { newUser, type TestUser } from '../testing/accounts.ts';
import { call, type CallOptions } from '../testing/api.ts';
import { openStream } from '../testing/event-streams.ts';
import { initiate, someFile, uploadFile } from '../testing/library.ts';
import { setUpApi } from '../testing/set-up.ts';
import { makePlatformAdministrator, storeTeam } from '../testing/teams.ts';
let assetId: string;
let collectionId: string;

const api = await setUpApi();
const [actor, owner, admin, member, viewer, platform] = await Promise.all([
  newUser(api),
  newUser(api),
  newUser(api),
  newUser(api),
  newUser(api),
  newUser(api),
]);
const people: Record<'actor' | 'owner' | 'admin' | 'member' | 'viewer' | 'platform', TestUser> = {
  actor,
  owner,
  admin,
  member,
  viewer,
  platform,
};
await makePlatformAdministrator(api, platform);
const organizationId = await storeTeam(api, owner, [
  { user: actor, role: 'ADMIN' },
  { user: admin, role: 'ADMIN' },
  { user: member, role: 'MEMBER' },
  { user: viewer, role: 'VIEWER' },
  { user: platform, role: 'MEMBER' },
]);
const streams: Record<string, Awaited<ReturnType<typeof openStream>>> = {};
for (const [name, { token }] of Object.entries(people)) {
  streams[name] = await openStream(api, { token, organizationId });
}
await doEverythingPrivate();
afterAll(() => Object.values(streams).forEach((stream) => stream.leave()));

/** Every private action, by the actor, and finally one change that is public. */
async function doEverythingPrivate(): Promise<void> {
  const { actor } = people;
  const as = { token: actor.token, organizationId };
  const made = await call(api, 'collections.create', { ...as, body: { title: 'Pictures' } });
  collectionId = made.body.data.id;
  assetId = (await uploadFile(api, actor, someFile(3), { collectionId, organizationId })).id;
  for (const isFavorite of [true, false]) {
    await call(api, 'assets.favorite', { ...as, params: { id: assetId }, body: { isFavorite } });
    await call(api, 'collections.favorite', {
      ...as,
      params: { id: collectionId },
      body: { isFavorite },
    });
  }
  const file = someFile(3, 'secret plans.pdf');
  const { uploadId, key } = await initiate(api, actor, file, { collectionId, organizationId });
  await call(api, 'uploads.abort', { ...as, body: { uploadId, key } });
  const last = await call(api, 'collections.create', { ...as, body: { title: 'Last' } });
  await Promise.all(Object.values(streams).map((stream) => stream.change(last.body.data.id)));
}

/** Every operation whose response contains activities, and its inputs. */
const readers: Partial<Record<OperationId, (type: string, id: string) => CallOptions>> = {
  'timeline.mine': () => ({}),
  'timeline.list': () => ({}),
  'timeline.resource': (type, id) => ({ params: { type, id } }),
  'assets.myLogs': () => ({}),
  'assets.logs': () => ({ params: { id: assetId } }),
  'dashboard.summary': () => ({}),
};

function showsActivities(data: z.ZodType | null): boolean {
  if (data === null) return false;
  return JSON.stringify(z.toJSONSchema(data, { unrepresentable: 'any' })).includes(
    'ActivityAction',
  );
}

interface Shown {
  readonly action: string;
  readonly actor: { readonly id: string } | null;
}

async function shownTo(user: TestUser, id: OperationId, options: CallOptions): Promise<Shown[]> {
  const { status, body } = await call(api, id, { token: user.token, organizationId, ...options });
  if (status === 403) return [];
  expect(status).toBe(200);
  return body.data.items ?? body.data.recentActivity;
}

const isPrivate = ({ action }: { action: string }) =>
  privateActions.some((name) => name === action);

test('only favorites and unfinished uploads are private', () => {
  expect(privateActions).toEqual(
    activityActions.filter((action) => /favorite$|^upload\./.test(action)),
  );
});

test('every operation that shows activities is tested here', () => {
  const found = operations.filter(({ endpoint }) =>
    showsActivities('data' in endpoint.metadata.success ? endpoint.metadata.success.data : null),
  );
  // The summary and the stream have other responses, and their own tests below.
  const others = ['timeline.summary', 'events.subscribe'];
  expect(found.map(({ id }) => id).toSorted()).toEqual(
    [...Object.keys(readers), ...others].toSorted(),
  );
});

describe.each(Object.keys(readers) as OperationId[])('%s', (id) => {
  const inputs = readers[id];
  const requested = () =>
    [
      ['asset', assetId],
      ['collection', collectionId],
      ['upload', assetId],
    ].map(([type = '', resource = '']) => inputs?.(type, resource) ?? {});

  test.each(['owner', 'admin', 'member', 'viewer', 'platform'] as const)(
    'shows the %s nothing that the actor keeps to themselves, whatever is asked for',
    async (name) => {
      const filters = [
        {},
        ...privateActions.map((action) => ({ action })),
        { actorId: people.actor.id },
      ];
      for (const input of requested()) {
        for (const filter of id === 'dashboard.summary' ? [{}] : filters) {
          const query = { ...input.query, ...filter };
          const shown = await shownTo(people[name], id, { ...input, query });
          expect(shown.filter(isPrivate)).toEqual([]);
        }
      }
    },
  );

  test('shows the actor their own', async () => {
    const shown: Shown[] = [];
    for (const input of requested()) shown.push(...(await shownTo(people.actor, id, input)));
    expect(shown.some(isPrivate)).toBe(true);
  });
});

test('a platform administrator sees no private activities across all organizations', async () => {
  const { status, body } = await call(api, 'timeline.list', {
    token: people.platform.token,
    query: { limit: 100 },
  });
  expect(status).toBe(200);
  expect(body.data.items.some(({ actor }: Shown) => actor?.id === people.actor.id)).toBe(true);
  expect(body.data.items.filter(isPrivate)).toEqual([]);
});

test('a summary counts only the caller’s own private activities', async () => {
  for (const [name, { token }] of Object.entries(people)) {
    const { status, body } = await call(api, 'timeline.summary', { token, organizationId });
    if (status === 403) continue;
    const counted = Object.keys(body.data.byAction).filter((action) => isPrivate({ action }));
    expect(counted.toSorted()).toEqual(name === 'actor' ? [...privateActions].toSorted() : []);
    const sum = Object.values<number>(body.data.byAction).reduce((all, count) => all + count, 0);
    expect(sum).toBe(body.data.total);
  }
});

test('a stream sends only the subscriber’s own private activities', () => {
  for (const [name, { messages }] of Object.entries(streams)) {
    const actions = messages.flatMap((message) =>
      message.event === 'activity' && isPrivate(message.data) ? [message.data.action] : [],
    );
    expect(new Set(actions)).toEqual(new Set(name === 'actor' ? privateActions : []));
  }
});
