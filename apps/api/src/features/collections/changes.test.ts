// @module-tag slow

import { and, eq, isNotNull, sql } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { assets, collectionFavorites, collections } from '../../db/generated/schema.ts';
import { newId } from '../../kernel/ids.ts';
import { crowd, times } from '../../testing/crowd.ts';
import { changesOf } from '../../testing/activities.ts';
import { newUser, type TestUser } from '../../testing/accounts.ts';
import { call, type CallOptions } from '../../testing/api.ts';
import { newCollection, someFile, uploadFile } from '../../testing/library.ts';
import { setUpApiWithUser } from '../../testing/set-up.ts';

const { api, user } = await setUpApiWithUser();

const get = (id: string, options: CallOptions = {}) =>
  call(api, 'collections.get', { token: user.token, params: { id }, ...options });
const rename = (id: string, title: unknown, options: CallOptions = {}) =>
  call(api, 'collections.rename', {
    token: user.token,
    params: { id },
    body: { title },
    ...options,
  });
const favorite = (id: string, isFavorite: unknown, options: CallOptions = {}) =>
  call(api, 'collections.favorite', {
    token: user.token,
    params: { id },
    body: { isFavorite },
    ...options,
  });
const remove = (id: string, options: CallOptions = {}) =>
  call(api, 'collections.remove', { token: user.token, params: { id }, ...options });
const changes = [
  ['rename', (id: string, options: CallOptions) => rename(id, 'Changed', options)],
  ['favorite', (id: string, options: CallOptions) => favorite(id, true, options)],
  ['remove', remove],
] as const;

const ifMatch = (eTag: string | null) => ({ headers: { 'if-match': String(eTag) } });
const row = async (id: string) => {
  const [found] = await api.db.select().from(collections).where(eq(collections.id, id));
  return found;
};

async function join(
  owner: TestUser,
  role: string,
): Promise<{ member: TestUser; options: CallOptions }> {
  const member = await newUser(api);
  await api.db.execute(sql`
    insert into memberships (id, organization_id, user_id, role, status, joined_at)
    values (${newId()}, ${owner.organizationId}, ${member.id}, ${role}, 'ACTIVE', now())`);
  return { member, options: { token: member.token, organizationId: owner.organizationId } };
}

describe('renaming a collection', () => {
  test('returns the updated collection and records the changes', async () => {
    const id = await newCollection(api, user, 'Before');
    const before = (await get(id)).body.data;
    api.clock.advance({ seconds: 1 });
    const { status, body } = await rename(id, '  After ');
    expect([status, body.message]).toEqual([200, 'Collection updated']);
    expect(body.data).toEqual({ ...before, title: 'After', updatedAt: expect.any(String) });
    expect(body.data.updatedAt > before.updatedAt).toBe(true);
    expect((await get(id)).body.data).toEqual(body.data);
    expect(await changesOf(api, id)).toEqual([
      {
        action: 'collection.rename',
        actorId: user.id,
        resourceName: 'After',
        changes: [{ field: 'title', from: 'Before', to: 'After' }],
        metadata: {},
      },
    ]);
  });

  test('is a no-op when unchanged', async () => {
    const id = await newCollection(api, user, 'Same');
    const before = await get(id);
    api.clock.advance({ seconds: 1 });
    const { status, body } = await rename(id, 'Same');
    expect([status, body.data]).toEqual([200, before.body.data]);
    expect(await changesOf(api, id)).toEqual([]);
  });

  test('20 times in parallel with the same If-Match succeeds once', async () => {
    const id = await newCollection(api, user);
    const eTag = (await get(id)).headers.get('etag');
    const responses = await crowd(
      api,
      sql`select id from collections where id = ${id}`,
      times(20, (index) => () => rename(id, `Title ${index}`, ifMatch(eTag))),
    );
    const winners = responses.filter(({ status }) => status === 200);
    expect(winners).toHaveLength(1);
    for (const { status, body } of responses.filter((response) => response !== winners[0])) {
      expect([status, body.code]).toEqual([412, 'precondition_failed']);
    }
    expect((await get(id)).body.data).toEqual(winners[0]?.body.data);
    expect(await changesOf(api, id)).toHaveLength(1);

    const next = await rename(id, 'Next', ifMatch(String(winners[0]?.headers.get('etag'))));
    expect(next.status).toBe(200);
  });

  test('is refused with an invalid title, and without one', async () => {
    const id = await newCollection(api, user, 'Kept');
    for (const title of [undefined, null, '', ' ', 'x'.repeat(121), 'a\0', 7]) {
      const { status, body } = await rename(id, title);
      expect([status, body.code]).toEqual([400, 'validation_failed']);
    }
    expect((await row(id))?.title).toBe('Kept');
  });
});

describe('marking a collection', () => {
  test('sets the mark of the caller alone, and records it once', async () => {
    const id = await newCollection(api, user);
    const { member, options } = await join(user, 'VIEWER');
    const before = (await get(id)).body.data;
    for (let repeat = 1; repeat <= 2; repeat += 1) {
      const { status, body } = await favorite(id, true, options);
      expect([status, body.message]).toEqual([200, 'Favorite updated']);
      expect(body.data).toEqual({ ...before, isFavorite: true });
    }
    expect((await get(id)).body.data).toEqual(before);
    const marks = await api.db
      .select({ userId: collectionFavorites.userId })
      .from(collectionFavorites)
      .where(eq(collectionFavorites.collectionId, id));
    expect(marks).toEqual([{ userId: member.id }]);

    for (let repeat = 1; repeat <= 2; repeat += 1) {
      expect((await favorite(id, false, options)).body.data).toEqual(before);
    }
    expect((await changesOf(api, id)).map(({ action, actorId }) => [action, actorId])).toEqual([
      ['collection.favorite', member.id],
      ['collection.unfavorite', member.id],
    ]);
  });

  test('20 times in parallel is marked once and recorded once', async () => {
    const id = await newCollection(api, user);
    const responses = await Promise.all(Array.from({ length: 20 }, () => favorite(id, true)));
    for (const { status, body } of responses)
      expect([status, body.data.isFavorite]).toEqual([200, true]);
    expect(await changesOf(api, id)).toHaveLength(1);
  });

  test('accepts only true and false', async () => {
    const id = await newCollection(api, user);
    for (const value of [undefined, null, 'true', 1, {}]) {
      expect((await favorite(id, value)).status).toBe(400);
    }
    expect(await changesOf(api, id)).toEqual([]);
  });
});

describe('deleting a collection', () => {
  test('moves its assets into the bin with it, and records it once', async () => {
    const id = await newCollection(api, user, 'Old');
    const other = await newCollection(api, user);
    const asset = await uploadFile(api, user, someFile(1), { collectionId: id });
    const earlier = await uploadFile(api, user, someFile(1), { collectionId: id });
    await api.db.execute(sql`update assets set deleted_at = '2020-01-01' where id = ${earlier.id}`);
    const kept = await uploadFile(api, user, someFile(1), { collectionId: other });

    const { status, body } = await remove(id);
    expect([status, body]).toEqual([200, { message: 'Collection deleted', data: { id } }]);
    expect((await get(id)).status).toBe(404);
    expect((await remove(id)).status).toBe(404);
    const read = (assetId: string) =>
      call(api, 'assets.get', { token: user.token, params: { id: assetId } });
    expect((await read(asset.id)).status).toBe(404);
    expect((await read(kept.id)).status).toBe(200);

    const deletedAt = (await row(id))?.deletedAt;
    expect(deletedAt).toBeInstanceOf(Date);
    const binned = await api.db
      .select({ id: assets.id, deletedAt: assets.deletedAt })
      .from(assets)
      .where(and(eq(assets.collectionId, id), isNotNull(assets.deletedAt)))
      .orderBy(assets.id);
    expect(binned).toEqual([
      { id: asset.id, deletedAt },
      { id: earlier.id, deletedAt: new Date('2020-01-01T00:00:00Z') },
    ]);
    expect(await changesOf(api, id)).toEqual([
      {
        action: 'collection.delete',
        actorId: user.id,
        resourceName: 'Old',
        changes: [],
        metadata: { assetCount: 1 },
      },
    ]);
  });

  test('20 times in parallel deletes once', async () => {
    const id = await newCollection(api, user);
    const responses = await Promise.all(Array.from({ length: 20 }, () => remove(id)));
    expect(responses.map(({ status }) => status).toSorted()).toEqual([200, ...Array(19).fill(404)]);
    expect(await changesOf(api, id)).toHaveLength(1);
  });

  test('in parallel with renaming leaves it deleted and nothing lost', async () => {
    const id = await newCollection(api, user, 'Contested');
    const eTag = (await get(id)).headers.get('etag');
    const [renamed, removed] = await Promise.all([
      rename(id, 'Won', ifMatch(eTag)),
      remove(id, ifMatch(eTag)),
    ]);
    const statuses = [renamed.status, removed.status];
    expect([
      [200, 412],
      [404, 200],
    ]).toContainEqual(statuses);
    expect(await changesOf(api, id)).toHaveLength(1);
  });
});

describe.each(changes)('%s', (operation, change) => {
  test('returns the same 404 for another organization’s, an unknown and a deleted one', async () => {
    const stranger = await newUser(api);
    const theirs = await newCollection(api, stranger, 'Theirs');
    const deleted = await newCollection(api, user);
    await remove(deleted);
    for (const id of [theirs, newId(), deleted]) {
      for (const headers of [{}, { 'if-match': '*' }]) {
        const { status, body } = await change(id, { headers });
        expect([status, body.code]).toEqual([404, 'not_found']);
      }
    }
    expect(await row(theirs)).toMatchObject({ title: 'Theirs', deletedAt: null });
    expect(await changesOf(api, theirs)).toEqual([]);
  });

  test('depends on the role: administrators change any, members their own, viewers none', async () => {
    const owner = await newUser(api);
    const isMark = operation === 'favorite';
    const administrator = await join(owner, 'ADMIN');
    const member = await join(owner, 'MEMBER');
    const viewer = await join(owner, 'VIEWER');
    const attempt = async (by: TestUser, { options }: { options: CallOptions }) => {
      const created = await call(api, 'collections.create', {
        token: by.token,
        organizationId: owner.organizationId,
        body: { title: 'x' },
      });
      const { id } = created.body.data;
      const response = await change(id, options);
      expect(await changesOf(api, id)).toHaveLength(response.status === 200 ? 1 : 0);
      return response.status === 200 ? 200 : [response.status, response.body.code];
    };
    const refused = isMark ? 200 : [403, 'permission_denied'];
    expect(await attempt(owner, administrator)).toBe(200);
    expect(await attempt(member.member, administrator)).toBe(200);
    expect(await attempt(member.member, member)).toBe(200);
    expect(await attempt(owner, member)).toEqual(refused);
    expect(await attempt(owner, viewer)).toEqual(refused);
  });

  test('with the If-Match of an earlier state is a 412 that changes nothing', async () => {
    const id = await newCollection(api, user, 'First');
    const stale = (await get(id)).headers.get('etag');
    await rename(id, 'Second');
    const current = await get(id);
    for (const eTag of [String(stale), '"x"', `W/${current.headers.get('etag')}`]) {
      const { status, body } = await change(id, ifMatch(eTag));
      expect([status, body.code]).toEqual([412, 'precondition_failed']);
    }
    expect((await get(id)).body.data).toEqual(current.body.data);
    expect(await changesOf(api, id)).toHaveLength(1);
    const matching = await change(id, ifMatch(`${stale}, ${current.headers.get('etag')}`));
    expect(matching.status).toBe(200);
    expect(await changesOf(api, id)).toHaveLength(2);
  });
});
