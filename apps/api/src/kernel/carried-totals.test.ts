import type { OperationId } from '@atelier/contract';
import { beforeAll, describe, expect, test } from 'vitest';
import { newUser, type TestUser } from '../testing/accounts.ts';
import { call } from '../testing/api.ts';
import { newCollection, someFile, uploadFile } from '../testing/library.ts';
import { setUpApi } from '../testing/set-up.ts';
import { newProject, newTask } from '../testing/work.ts';

const api = await setUpApi();

interface List {
  readonly operation: OperationId;
  /** Adds a row to the list of a user. */
  readonly add: (user: TestUser) => Promise<unknown>;
  /** The list in the cursor. */
  readonly name: string;
  /** A filter with the same order. */
  readonly narrowed: Readonly<Record<string, string>>;
  readonly narrowedTotal: number;
}

const projectIds = new Map<string, string>();
const collectionIds = new Map<string, string>();

const binned = async (user: TestUser, group: 'assets' | 'collections', id: string) =>
  call(api, `${group}.remove`, { token: user.token, params: { id } });
const newAsset = (user: TestUser) =>
  uploadFile(api, user, someFile(3), { collectionId: collectionIds.get(user.id) ?? '' });

const lists: readonly List[] = [
  {
    operation: 'tasks.list',
    add: (user) => newTask(api, user, { projectId: projectIds.get(user.id) ?? '' }),
    name: 'tasks:-createdAt:all:all',
    narrowed: { q: 'nowhere' },
    narrowedTotal: 0,
  },
  {
    operation: 'assets.list',
    add: newAsset,
    name: 'assets:-createdAt',
    narrowed: { type: 'video/' },
    narrowedTotal: 0,
  },
  {
    operation: 'assets.bin',
    add: async (user) => binned(user, 'assets', (await newAsset(user)).id),
    name: 'assets:bin',
    narrowed: { q: 'nowhere' },
    narrowedTotal: 0,
  },
  {
    operation: 'collections.list',
    add: (user) => newCollection(api, user),
    name: 'collections:-createdAt',
    narrowed: { q: 'nowhere' },
    narrowedTotal: 0,
  },
  {
    operation: 'collections.bin',
    add: async (user) => binned(user, 'collections', await newCollection(api, user)),
    name: 'collections:bin',
    narrowed: { q: 'nowhere' },
    narrowedTotal: 0,
  },
];

describe.each(lists)('$operation', ({ operation, add, name, narrowed, narrowedTotal }) => {
  let user: TestUser;
  let cursor: string;
  let counted: number;
  const page = async (query: Record<string, string | number>) => {
    const { status, body } = await call(api, operation, { token: user.token, query });
    expect(status).toBe(200);
    return body.data.pagination;
  };
  beforeAll(async () => {
    user = await newUser(api);
    projectIds.set(user.id, await newProject(api, user));
    collectionIds.set(user.id, await newCollection(api, user));
    for (let index = 0; index < 3; index += 1) await add(user);
    const first = await page({ limit: 1 });
    cursor = first.nextCursor;
    counted = first.total;
    await add(user);
  });

  test('only the first page counts', async () => {
    const second = await page({ limit: 1, cursor });
    expect(second).toMatchObject({ total: counted, totalPages: counted, hasNext: true });
    expect((await page({ limit: 1, cursor: second.nextCursor })).total).toBe(counted);
    expect((await page({ limit: 1 })).total).toBe(counted + 1);
  });

  test('a cursor of an earlier release continues, and counts', async () => {
    const { sortValue, id } = api.deps.cursors.decode(name, cursor);
    const before = api.deps.cursors.encode(name, { sortValue, id });
    const continued = await page({ limit: 1, cursor: before });
    expect(continued).toMatchObject({ total: counted + 1, hasNext: true });
    expect((await page({ limit: 1, cursor: continued.nextCursor })).total).toBe(counted + 1);
  });

  test('another filter doesn’t take over the total', async () => {
    expect((await page({ limit: 1, cursor, ...narrowed })).total).toBe(narrowedTotal);
  });

  test('another user doesn’t take over the total', async () => {
    const other = await newUser(api);
    const { body } = await call(api, operation, { token: other.token, query: { cursor } });
    expect(body.data).toMatchObject({ items: [], pagination: { total: 0 } });
  });
});
