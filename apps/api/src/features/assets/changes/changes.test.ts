// @module-tag slow

import { eq, sql } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { assetFavorites, assets, assetVersions } from '../../../db/generated/schema.ts';
import { newId } from '../../../kernel/ids.ts';
import { changesOf } from '../../../testing/activities.ts';
import { newUser } from '../../../testing/accounts.ts';
import { call, type CallOptions } from '../../../testing/api.ts';
import { inspected, newCollection, someFile, uploadFile } from '../../../testing/library.ts';
import { joinTeam } from '../../../testing/organizations.ts';
import { setUpApiWithUser } from '../../../testing/set-up.ts';

const { api, user } = await setUpApiWithUser();
const collectionId = await newCollection(api, user);

const newAsset = async (into = collectionId, as = user) => {
  const { id } = await uploadFile(api, as, someFile(1), { collectionId: into });
  await inspected(api, id);
  return (await get(id, { token: as.token })).body.data;
};
const get = (id: string, options: CallOptions = {}) =>
  call(api, 'assets.get', { token: user.token, params: { id }, ...options });
const update = (id: string, body: unknown, options: CallOptions = {}) =>
  call(api, 'assets.update', { token: user.token, params: { id }, body, ...options });
const favorite = (id: string, isFavorite: unknown, options: CallOptions = {}) =>
  call(api, 'assets.favorite', {
    token: user.token,
    params: { id },
    body: { isFavorite },
    ...options,
  });
const remove = (id: string, options: CallOptions = {}) =>
  call(api, 'assets.remove', { token: user.token, params: { id }, ...options });
const removeCollection = (id: string) =>
  call(api, 'collections.remove', { token: user.token, params: { id } });
const countOf = async (id: string) =>
  (await call(api, 'collections.get', { token: user.token, params: { id } })).body.data.assetCount;
const changes = [
  ['update', (id: string, options: CallOptions) => update(id, { assetName: newId() }, options)],
  ['favorite', (id: string, options: CallOptions) => favorite(id, true, options)],
  ['remove', remove],
] as const;

const ifMatch = (eTag: string | null) => ({ headers: { 'if-match': String(eTag) } });
const rowOf = async (id: string) => {
  const [row] = await api.db.select().from(assets).where(eq(assets.id, id));
  return row;
};
/** Without the first one, which is the creation. */
const codeOf = ({ assetShortUrl }: { assetShortUrl: string }) =>
  String(assetShortUrl.split('/').at(-1));
const steady = ({ assetLongUrl: _, ...asset }: Record<string, unknown>) => asset;

describe('describing an asset', () => {
  const details = { description: 'On dark ground\nfor the fair', tags: [' Fair 26 ', 'Logo'] };

  test('keeps the order of tags, names the changes, and adds no version', async () => {
    const asset = await newAsset();
    const described = await update(asset.id, details);
    expect(described.body.data).toMatchObject({
      description: details.description,
      tags: ['Fair 26', 'Logo'],
      currentVersion: 1,
    });
    expect((await get(asset.id)).body.data).toEqual({
      ...described.body.data,
      // Signed at another time.
      assetLongUrl: expect.any(String),
    });
    const [change] = await changesOf(api, asset.id);
    expect(change).toMatchObject({
      action: 'asset.update',
      changes: [
        { field: 'description', from: null, to: details.description },
        { field: 'tags', from: [], to: ['Fair 26', 'Logo'] },
      ],
    });
    expect(await rowOf(asset.id)).toMatchObject({
      tagKeys: ['fair 26', 'logo'],
      detailsFolded: 'on dark ground\nfor the fair\nfair 26\nlogo',
    });
  });

  test('is a no-op when unchanged, and leaves alone what is absent', async () => {
    const { id } = await newAsset();
    const first = (await update(id, details)).body.data;
    api.clock.advance({ seconds: 1 });
    expect(steady((await update(id, details)).body.data)).toEqual(steady(first));
    const renamed = (await update(id, { assetName: 'b.bin' })).body.data;
    expect(renamed).toMatchObject({ description: details.description, tags: ['Fair 26', 'Logo'] });
  });

  test('clears both', async () => {
    const { id } = await newAsset();
    await update(id, details);
    const { body } = await update(id, { description: null, tags: [] });
    expect(body.data).toMatchObject({ description: null, tags: [] });
    expect(await rowOf(id)).toMatchObject({ tags: null, tagKeys: null, detailsFolded: null });
  });

  test('takes tags once that differ only in case or width', async () => {
    const { id } = await newAsset();
    const { body } = await update(id, { tags: ['Logo', 'LOGO', 'Ｌｏｇｏ', 'Größe', 'größe'] });
    expect(body.data.tags).toEqual(['Logo', 'Größe']);
  });

  test.each([
    { tags: [''] },
    { tags: ['  '] },
    { tags: ['a,b'] },
    { tags: ['x'.repeat(41)] },
    { tags: Array.from({ length: 21 }, (_, index) => `tag ${index}`) },
    { tags: [1] },
    { tags: null },
    { description: 'x'.repeat(2001) },
    { description: 'nul \0' },
  ])('refuses %j', async (body) => {
    const { id } = await newAsset();
    const response = await update(id, body);
    expect([response.status, response.body.code]).toEqual([400, 'validation_failed']);
  });

  test('with an outdated ETag is refused', async () => {
    const { id } = await newAsset();
    const eTag = (await get(id)).headers.get('etag');
    await update(id, { tags: ['first'] });
    expect((await update(id, { tags: ['second'] }, ifMatch(eTag))).status).toBe(412);
    expect((await get(id)).body.data.tags).toEqual(['first']);
  });
});

describe('updating an asset', () => {
  test('renames, moves and switches the link, names the changes, and adds no version', async () => {
    const target = await newCollection(api, user);
    const asset = await newAsset();
    api.clock.advance({ seconds: 1 });
    const change = { assetName: ' New.bin ', collectionId: target, publicLinkEnabled: false };
    const { status, body, headers } = await update(asset.id, { ...change, createdBy: newId() });
    expect([status, body.message]).toEqual([200, 'Asset updated']);
    expect(steady(body.data)).toEqual({
      ...steady(asset),
      ...change,
      assetName: 'New.bin',
      assetShortUrl: expect.not.stringContaining(codeOf(asset)),
      updatedAt: body.data.updatedAt,
    });
    expect(body.data.updatedAt > asset.updatedAt).toBe(true);
    const seen = await get(asset.id);
    expect(steady(seen.body.data)).toEqual(steady(body.data));
    expect(seen.headers.get('etag')).toBe(headers.get('etag'));
    expect(await api.db.$count(assetVersions, eq(assetVersions.assetId, asset.id))).toBe(1);
    expect(await changesOf(api, asset.id)).toEqual([
      {
        action: 'asset.update',
        actorId: user.id,
        resourceName: 'New.bin',
        changes: [
          { field: 'assetName', from: 'notes.bin', to: 'New.bin' },
          { field: 'collectionId', from: collectionId, to: target },
          { field: 'publicLinkEnabled', from: true, to: false },
        ],
        metadata: {},
      },
    ]);
  });

  test('is a no-op when unchanged', async () => {
    const asset = await newAsset();
    api.clock.advance({ seconds: 1 });
    const same = { assetName: 'notes.bin', collectionId, publicLinkEnabled: true };
    for (const body of [{}, same, { assetName: 'notes.bin' }]) {
      const response = await update(asset.id, body);
      expect([response.status, steady(response.body.data)]).toEqual([200, steady(asset)]);
    }
    expect(await changesOf(api, asset.id)).toEqual([]);
  });

  test('updates the counts', async () => {
    const [from, to] = [await newCollection(api, user), await newCollection(api, user)];
    const asset = await newAsset(from);
    await newAsset(from);
    expect((await update(asset.id, { collectionId: to })).status).toBe(200);
    expect([await countOf(from), await countOf(to)]).toEqual([1, 1]);
  });

  test("into another organization's, an unknown or a deleted collection is a 404 that changes nothing", async () => {
    const asset = await newAsset();
    const deleted = await newCollection(api, user);
    await removeCollection(deleted);
    const foreign = await newCollection(api, await newUser(api));
    for (const target of [foreign, deleted, newId()]) {
      const { status, body } = await update(asset.id, { collectionId: target, assetName: 'x' });
      expect([status, body.code]).toEqual([404, 'not_found']);
    }
    expect(steady((await get(asset.id)).body.data)).toEqual(steady(asset));
    expect(await changesOf(api, asset.id)).toEqual([]);
  });

  test('switches the short link off permanently, and on under the returned address', async () => {
    const asset = await newAsset();
    const follow = async (of: { assetShortUrl: string }) =>
      (await call(api, 'assets.followShortLink', { params: { code: codeOf(of) } })).status;
    const off = (await update(asset.id, { publicLinkEnabled: false })).body.data;
    expect([await follow(asset), await follow(off)]).toEqual([404, 404]);
    const on = (await update(asset.id, { publicLinkEnabled: true })).body.data;
    expect(codeOf(on)).toMatch(/^[0-9A-Za-z]{16}$/);
    expect(codeOf(on)).toBe(codeOf(off));
    expect([await follow(asset), await follow(on)]).toEqual([404, 302]);
  });

  test('40 parallel requests to switch it off create one new address and one activity', async () => {
    const asset = await newAsset();
    const responses = await Promise.all(
      Array.from({ length: 40 }, () => update(asset.id, { publicLinkEnabled: false })),
    );
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
    const codes = new Set(responses.map(({ body }) => codeOf(body.data)));
    expect([codes.size, codes.has(codeOf(asset))]).toEqual([1, false]);
    expect(await changesOf(api, asset.id)).toHaveLength(1);
  });

  test.each([
    [{ assetName: '' }],
    [{ assetName: ' ' }],
    [{ assetName: 'x'.repeat(256) }],
    [{ assetName: 'a\0' }],
    [{ assetName: null }],
    [{ collectionId: 'x' }],
    [{ publicLinkEnabled: 'false' }],
  ])('refuses %j', async (body) => {
    const asset = await newAsset();
    const response = await update(asset.id, body);
    expect([response.status, response.body.code]).toEqual([400, 'validation_failed']);
    expect(await changesOf(api, asset.id)).toEqual([]);
  });

  test('moving in parallel with the deletion of the target leaves no live asset in a deleted collection', async () => {
    for (let round = 0; round < 8; round += 1) {
      const target = await newCollection(api, user);
      const asset = await newAsset();
      const [moved, removed] = await Promise.all([
        update(asset.id, { collectionId: target }),
        removeCollection(target),
      ]);
      expect(removed.status).toBe(200);
      expect([200, 404]).toContain(moved.status);
      const row = await rowOf(asset.id);
      expect([row?.collectionId === target, row?.deletedAt !== null]).toEqual(
        moved.status === 200 ? [true, true] : [false, false],
      );
    }
  });

  test('crossing moves and deletions of two collections end without deadlock', async () => {
    for (let round = 0; round < 5; round += 1) {
      const [left, right] = [await newCollection(api, user), await newCollection(api, user)];
      const [a, b] = [await newAsset(left), await newAsset(right)];
      const responses = await Promise.all([
        update(a.id, { collectionId: right }),
        update(b.id, { collectionId: left }),
        removeCollection(left),
        removeCollection(right),
        remove(a.id),
      ]);
      for (const { status } of responses) expect([200, 404]).toContain(status);
      const live = await api.db.execute(sql`
        select 1 from assets a join collections c on c.id = a.collection_id
        where a.deleted_at is null and c.deleted_at is not null`);
      expect(live).toEqual([]);
    }
  });
});

describe('marking an asset', () => {
  test("sets the caller's mark only, and records it once", async () => {
    const asset = await newAsset();
    const viewer = await newUser(api);
    await joinTeam(api, user.organizationId, viewer, 'VIEWER');
    const options = { token: viewer.token, organizationId: user.organizationId };
    for (const isFavorite of [true, true]) {
      const { status, body } = await favorite(asset.id, isFavorite, options);
      expect([status, body.message, body.data.isFavorite]).toEqual([200, 'Favorite updated', true]);
    }
    expect((await get(asset.id)).body.data.isFavorite).toBe(false);
    const marks = await api.db
      .select({ userId: assetFavorites.userId })
      .from(assetFavorites)
      .where(eq(assetFavorites.assetId, asset.id));
    expect(marks).toEqual([{ userId: viewer.id }]);
    for (const isFavorite of [false, false]) {
      const { body } = await favorite(asset.id, isFavorite, options);
      expect(steady(body.data)).toEqual(steady(asset));
    }
    expect(
      (await changesOf(api, asset.id)).map(({ action, actorId }) => [action, actorId]),
    ).toEqual([
      ['asset.favorite', viewer.id],
      ['asset.unfavorite', viewer.id],
    ]);
  });

  test('20 times in parallel is marked once and recorded once', async () => {
    const asset = await newAsset();
    const responses = await Promise.all(Array.from({ length: 20 }, () => favorite(asset.id, true)));
    for (const { status, body } of responses) {
      expect([status, body.data.isFavorite]).toEqual([200, true]);
    }
    expect(await changesOf(api, asset.id)).toHaveLength(1);
  });
});

describe('deleting an asset', () => {
  test('removes it from everything but the bin, disables its links, and records it once', async () => {
    const into = await newCollection(api, user);
    const asset = await newAsset(into);
    const { status, body } = await remove(asset.id);
    expect([status, body]).toEqual([200, { message: 'Asset deleted', data: { id: asset.id } }]);
    const code = String(asset.assetShortUrl.split('/').at(-1));
    for (const response of [
      await get(asset.id),
      await remove(asset.id),
      await update(asset.id, {}),
      await favorite(asset.id, true),
      await call(api, 'assets.download', { token: user.token, params: { id: asset.id } }),
      await call(api, 'assets.followShortLink', { params: { code } }),
    ]) {
      expect([response.status, response.body.code]).toEqual([404, 'not_found']);
    }
    expect(await countOf(into)).toBe(0);
    const listed = await call(api, 'assets.listInCollection', {
      token: user.token,
      params: { collectionId: into },
    });
    expect(listed.body.data.pagination.total).toBe(0);
    expect((await changesOf(api, asset.id)).map(({ action }) => action)).toEqual(['asset.delete']);
  });

  test('20 times in parallel deletes once', async () => {
    const asset = await newAsset();
    const responses = await Promise.all(Array.from({ length: 20 }, () => remove(asset.id)));
    expect(responses.map(({ status }) => status).toSorted()).toEqual([200, ...Array(19).fill(404)]);
    expect(await changesOf(api, asset.id)).toHaveLength(1);
  });
});

describe.each(changes)('%s', (_, change) => {
  test("returns the same 404 for another organization's, an unknown and a deleted one", async () => {
    const stranger = await newUser(api);
    const theirs = await newAsset(await newCollection(api, stranger), stranger);
    const deleted = await newAsset();
    await remove(deleted.id);
    for (const id of [theirs.id, newId(), deleted.id]) {
      const { status, body } = await change(id, { headers: { 'if-match': '*' } });
      expect([status, body.code]).toEqual([404, 'not_found']);
    }
    expect(await rowOf(theirs.id)).toMatchObject({ name: 'notes.bin', deletedAt: null });
    expect(await changesOf(api, theirs.id)).toEqual([]);
  });

  test('depends on the role: administrators change any, members their own, viewers none', async () => {
    const isMark = change === changes[1][1];
    const attempt = async (role: 'ADMIN' | 'MEMBER' | 'VIEWER', isOwn: boolean) => {
      const asset = await newAsset();
      const member = await newUser(api);
      await joinTeam(api, user.organizationId, member, role);
      if (isOwn) {
        await api.db.update(assets).set({ createdBy: member.id }).where(eq(assets.id, asset.id));
      }
      const { status } = await change(asset.id, {
        token: member.token,
        organizationId: user.organizationId,
      });
      expect(await changesOf(api, asset.id)).toHaveLength(status === 200 ? 1 : 0);
      return status;
    };
    const refused = isMark ? 200 : 403;
    expect(await attempt('ADMIN', false)).toBe(200);
    expect(await attempt('MEMBER', true)).toBe(200);
    expect(await attempt('MEMBER', false)).toBe(refused);
    expect(await attempt('VIEWER', true)).toBe(refused);
  });

  test('with the If-Match of an earlier state is a 412 that changes nothing', async () => {
    const asset = await newAsset();
    const stale = (await get(asset.id)).headers.get('etag');
    await update(asset.id, { assetName: 'Second' });
    const current = await get(asset.id);
    const { status, body } = await change(asset.id, ifMatch(stale));
    expect([status, body.code]).toEqual([412, 'precondition_failed']);
    expect(steady((await get(asset.id)).body.data)).toEqual(steady(current.body.data));
    expect(await changesOf(api, asset.id)).toHaveLength(1);
    expect((await change(asset.id, ifMatch(current.headers.get('etag')))).status).toBe(200);
  });

  test('20 times in parallel with the same If-Match succeeds once', async () => {
    const asset = await newAsset();
    const eTag = (await get(asset.id)).headers.get('etag');
    const responses = await Promise.all(
      Array.from({ length: 20 }, () => change(asset.id, ifMatch(eTag))),
    );
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await changesOf(api, asset.id)).toHaveLength(1);
  });
});
