import { describe, expect, test } from 'vitest';
import { newUser, type TestUser } from '../../../testing/accounts.ts';
import { call, type CallOptions } from '../../../testing/api.ts';
import { newCollection, someFile, untilFollowed, uploadFile } from '../../../testing/library.ts';
import { joinTeam, newTeam } from '../../../testing/organizations.ts';
import { search } from '../../../testing/searches.ts';
import { setUpApiWithUser } from '../../../testing/set-up.ts';

const { api, user } = await setUpApiWithUser();

interface Details {
  readonly tags?: readonly string[];
  readonly description?: string;
}

async function tagged(name: string, details: Details, { owner = user, into = '' } = {}) {
  const collectionId = into || (await newCollection(api, owner));
  const { id } = await uploadFile(api, owner, someFile(1, name), { collectionId });
  const { token } = owner;
  const { status } = await call(api, 'assets.update', { token, params: { id }, body: details });
  expect(status).toBe(200);
  return { id, collectionId };
}

type Query = NonNullable<CallOptions['query']>;

const namesIn = async (query: Query, { token }: Pick<TestUser, 'token'> = user) => {
  const { status, body } = await call(api, 'assets.list', { token, query });
  expect([query, status]).toEqual([query, 200]);
  return body.data.items.map(({ assetName }: { assetName: string }) => assetName).toSorted();
};
const suggestions = async (q?: string, { token }: Pick<TestUser, 'token'> = user) => {
  const { body } = await call(api, 'assets.tags', { token, query: q === undefined ? {} : { q } });
  return body.data.items;
};

const { collectionId } = await tagged('one.bin', {
  tags: ['Logo', 'Print'],
  description: 'Für die Messe in Köln',
});
await tagged('two.bin', { tags: ['logo', 'Größe'] }, { into: collectionId });
await tagged('three.bin', { description: '100% final' });
const stranger = await newUser(api);
await tagged('foreign.bin', { tags: ['Logo', 'foreign'] }, { owner: stranger });

describe('the filter by tags', () => {
  test('has what carries all of them, in any case and width', async () => {
    expect(await namesIn({ tags: 'logo' })).toEqual(['one.bin', 'two.bin']);
    expect(await namesIn({ tags: 'LOGO, print' })).toEqual(['one.bin']);
    expect(await namesIn({ tags: 'ｐｒｉｎｔ' })).toEqual(['one.bin']);
    expect(await namesIn({ tags: 'GRÖSSE' })).toEqual([]);
    expect(await namesIn({ tags: 'größe' })).toEqual(['two.bin']);
    expect(await namesIn({ tags: 'log' })).toEqual([]);
    expect(await namesIn({ tags: ',' })).toEqual([]);
    expect(await namesIn({ tags: 'foreign' })).toEqual([]);
  });

  test('is counted, and goes with the other filters, orders and pages', async () => {
    const inCollection = (query: Query) =>
      call(api, 'assets.listInCollection', { token: user.token, params: { collectionId }, query });
    const first = (await inCollection({ tags: 'logo', sort: 'assetName', limit: 1 })).body.data;
    expect(first.pagination).toMatchObject({ total: 2, hasNext: true });
    const rest = { tags: 'logo', sort: 'assetName', cursor: first.pagination.nextCursor };
    const second = (await inCollection(rest)).body.data;
    expect(
      [first, second].flatMap(({ items }) =>
        items.map(({ assetName }: { assetName: string }) => assetName),
      ),
    ).toEqual(['one.bin', 'two.bin']);
    expect(await namesIn({ tags: 'logo', q: 'messe' })).toEqual(['one.bin']);
    // A cursor belongs to its filters.
    expect((await inCollection({ ...rest, tags: 'print' })).body.data.pagination.total).toBe(1);
  });

  test('refuses a text that is too long', async () => {
    const { status } = await call(api, 'assets.list', {
      token: user.token,
      query: { tags: 'x'.repeat(821) },
    });
    expect(status).toBe(400);
  });
});

describe('the search of lists', () => {
  test('finds descriptions and tags like names', async () => {
    expect(await namesIn({ q: 'koln' })).toEqual(['one.bin']);
    expect(await namesIn({ q: 'KÖLN' })).toEqual(['one.bin']);
    expect(await namesIn({ q: 'grosse' })).toEqual(['two.bin']);
    expect(await namesIn({ q: '0%' })).toEqual(['three.bin']);
    expect(await namesIn({ q: 'o' })).toEqual(['one.bin', 'two.bin']);
  });
});

describe('suggested tags', () => {
  test('are those of the organization, the most frequent first, as they were written last', async () => {
    expect(await suggestions()).toEqual([
      { tag: 'logo', assetCount: 2 },
      { tag: 'Größe', assetCount: 1 },
      { tag: 'Print', assetCount: 1 },
    ]);
    expect(await suggestions('pR')).toEqual([{ tag: 'Print', assetCount: 1 }]);
    expect(await suggestions('%')).toEqual([]);
    expect(await suggestions(undefined, stranger)).toHaveLength(2);
  });

  test('are at most twenty, and not those of deleted assets', async () => {
    const owner = await newUser(api);
    const many = (from: number) => Array.from({ length: 20 }, (_, index) => `t${from + index}`);
    const { id } = await tagged('a.bin', { tags: many(0) }, { owner });
    await tagged('b.bin', { tags: many(10) }, { owner });
    expect(await suggestions(undefined, owner)).toHaveLength(20);
    await call(api, 'assets.remove', { token: owner.token, params: { id } });
    expect(await suggestions('t0', owner)).toEqual([]);
    expect(await suggestions('t2', owner)).toHaveLength(10);
  });

  test('are for members only', async () => {
    const team = await newTeam(api, user);
    const viewer = await newUser(api);
    const options = { token: viewer.token, organizationId: team.id };
    expect((await call(api, 'assets.tags', options)).status).toBe(403);
    await joinTeam(api, team.id, viewer, 'VIEWER');
    expect((await call(api, 'assets.tags', options)).status).toBe(200);
  });
});

describe('the search across everything', () => {
  test('finds an asset by its tags and description, and highlights both', async () => {
    const searcher = { token: user.token, organizationId: user.organizationId };
    await untilFollowed(api);
    for (const q of ['messe', 'print']) {
      const { items } = await search(api, searcher, { q });
      expect(items.map(({ title }) => title)).toEqual(['one.bin']);
    }
    const { items } = await search(api, searcher, { q: 'messe print' });
    expect(items[0]?.highlights.map(({ field, text }) => [field, text])).toEqual([
      ['tags', 'Logo, Print'],
      ['description', 'Für die Messe in Köln'],
    ]);
  });
});
