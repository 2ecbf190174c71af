// @module-tag slow

import { eq, sql } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { activities, assets, collections } from '../../../db/generated/schema.ts';
import { dayMs } from '../../../kernel/durations.ts';
import { newId } from '../../../kernel/ids.ts';
import { newUser } from '../../../testing/accounts.ts';
import { call, type CallOptions } from '../../../testing/api.ts';
import {
  inspected,
  completion,
  initiate,
  newCollection,
  putParts,
  someFile,
  uploadFile,
} from '../../../testing/library.ts';
import { joinTeam } from '../../../testing/organizations.ts';
import { setUpApiWithUser } from '../../../testing/set-up.ts';

type Group = 'assets' | 'collections';

const { api, user } = await setUpApiWithUser();
const collectionId = await newCollection(api, user);

const newAsset = (into = collectionId, as = user, name = 'notes.bin') =>
  uploadFile(api, as, someFile(1, name), { collectionId: into });
const get = (group: Group, id: string, as = user) =>
  call(api, `${group}.get`, { token: as.token, params: { id } });
const remove = (group: Group, id: string, as = user) =>
  call(api, `${group}.remove`, { token: as.token, params: { id } });
const restore = (group: Group, id: string, options: CallOptions = {}) =>
  call(api, `${group}.restore`, { token: user.token, params: { id }, ...options });
const bin = (group: Group, query = {}, as = user, organizationId = as.organizationId) =>
  call(api, `${group}.bin`, { token: as.token, organizationId, query });
type Page = { body: { data: { items: { id: string }[] } } };
const idsOf = (response: Page) => response.body.data.items.map(({ id }) => id);
const actionsOn = async (id: string) => {
  const rows = await api.db
    .select({ action: activities.action })
    .from(activities)
    .where(eq(activities.resourceId, id))
    .orderBy(activities.createdAt, activities.id);
  return rows.slice(1).map(({ action }) => action);
};
const deletionOf = async (id: string) => {
  const [row] = await api.db
    .select({ deletedAt: assets.deletedAt })
    .from(assets)
    .where(eq(assets.id, id));
  return row?.deletedAt ?? null;
};
const steady = ({ assetLongUrl: _, ...asset }: Record<string, unknown>) => asset;

describe('the bin', () => {
  test('shows deleted items, their expiry, and links that do not work', async () => {
    const { id } = await newAsset();
    await inspected(api, id);
    const asset = (await get('assets', id)).body.data;
    await remove('assets', asset.id);
    const { status, body } = await bin('assets', { q: 'notes' });
    expect([status, body.message]).toEqual([200, 'Bin retrieved']);
    const binned = body.data.items.find(({ id }: { id: string }) => id === asset.id);
    const { deletedAt, purgeAt, ...rest } = binned;
    expect(steady(rest)).toEqual(steady(asset));
    expect(Date.parse(purgeAt) - Date.parse(deletedAt)).toBe(30 * dayMs);
    expect((await fetch(binned.assetLongUrl)).status).toBe(403);
  });

  test('is limited to one organization and, unless asked for all, to one person', async () => {
    const [owner, mate, stranger] = [await newUser(api), await newUser(api), await newUser(api)];
    await joinTeam(api, owner.organizationId, mate, 'ADMIN');
    for (const group of ['assets', 'collections'] as const) {
      const made: string[] = [];
      for (const maker of [owner, stranger]) {
        const own = await newCollection(api, maker, 'Twin');
        const { id } = group === 'assets' ? await newAsset(own, maker, 'Twin') : { id: own };
        await remove(group, id, maker);
        made.push(id);
      }
      expect(idsOf(await bin(group, {}, owner))).toEqual([made[0]]);
      expect(idsOf(await bin(group, {}, stranger))).toEqual([made[1]]);
      const everybodys = { scope: 'organization', q: 'tWi' };
      const seen = await bin(group, everybodys, mate, owner.organizationId);
      expect(idsOf(seen)).toEqual([made[0]]);
      expect(seen.body.data.pagination.total).toBe(1);
      const own = await bin(group, {}, mate, owner.organizationId);
      expect([own.status, idsOf(own), own.body.data.pagination.total]).toEqual([200, [], 0]);
      expect(idsOf(await bin(group, { q: '%' }, owner))).toEqual([]);
    }
  });

  test('lists the latest deletion first; pages and cursors show the same', async () => {
    const owner = await newUser(api);
    for (const group of ['assets', 'collections'] as const) {
      const ids: string[] = [];
      for (let index = 0; index < 5; index += 1) {
        const into = await newCollection(api, owner);
        ids.unshift(group === 'assets' ? (await newAsset(into, owner)).id : into);
        await remove(group, String(ids[0]), owner);
      }
      const seen: string[] = [];
      let cursor: string | undefined;
      do {
        const page = await bin(group, { limit: 2, ...(cursor && { cursor }) }, owner);
        expect(page.body.data.pagination.total).toBe(5);
        seen.push(...idsOf(page));
        cursor = page.body.data.pagination.nextCursor;
      } while (cursor);
      expect(seen).toEqual(ids);
      expect(idsOf(await bin(group, { limit: 2, page: 3 }, owner))).toEqual(ids.slice(4));
      const past = await bin(group, { page: 9 }, owner);
      expect(past.body.data).toMatchObject({ items: [], pagination: { total: 5 } });
    }
  });

  test('shows the assets of a deleted collection under the collection only', async () => {
    const owner = await newUser(api);
    const into = await newCollection(api, owner, 'Old');
    const [before, along] = [await newAsset(into, owner), await newAsset(into, owner)];
    await remove('assets', before.id, owner);
    await remove('collections', into, owner);
    expect(idsOf(await bin('assets', {}, owner))).toEqual([before.id]);
    expect(idsOf(await bin('assets', { collectionId: into }, owner))).toEqual([
      along.id,
      before.id,
    ]);
    const { items } = (await bin('collections', {}, owner)).body.data;
    expect(items).toEqual([
      expect.objectContaining({ id: into, title: 'Old', assetCount: 1, isFavorite: false }),
    ]);
    expect(Date.parse(items[0].purgeAt) - Date.parse(items[0].deletedAt)).toBe(30 * dayMs);
  });
});

describe('restoring an asset', () => {
  test('brings it back unchanged, links included, and records it once', async () => {
    const asset = await newAsset();
    // Nothing else changes it in the meantime.
    await inspected(api, asset.id);
    await call(api, 'assets.favorite', {
      token: user.token,
      params: { id: asset.id },
      body: { isFavorite: true },
    });
    const before = (await get('assets', asset.id)).body.data;
    await remove('assets', asset.id);
    for (let repeat = 1; repeat <= 2; repeat += 1) {
      const { status, body } = await restore('assets', asset.id);
      expect([status, body.message]).toEqual([200, 'Asset restored']);
      expect(steady(body.data)).toEqual(steady(before));
    }
    expect(steady((await get('assets', asset.id)).body.data)).toEqual(steady(before));
    const code = String(asset.assetShortUrl.split('/').at(-1));
    expect((await call(api, 'assets.followShortLink', { params: { code } })).status).toBe(302);
    expect(await actionsOn(asset.id)).toEqual(['asset.favorite', 'asset.delete', 'asset.restore']);
  });

  test('requires its collection: 409 until that is restored', async () => {
    const into = await newCollection(api, user);
    const [before, along] = [await newAsset(into), await newAsset(into)];
    await remove('assets', before.id);
    await remove('collections', into);
    for (const { id } of [before, along]) {
      const { status, body } = await restore('assets', id);
      expect([status, body.code]).toEqual([409, 'collection_deleted']);
    }
    await restore('collections', into);
    expect((await get('assets', along.id)).status).toBe(200);
    expect((await get('assets', before.id)).status).toBe(404);
    expect((await restore('assets', before.id)).status).toBe(200);
  });

  test('20 deletions and restorations in parallel leave one state and alternating activities', async () => {
    const asset = await newAsset();
    const responses = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        index % 2 ? restore('assets', asset.id) : remove('assets', asset.id),
      ),
    );
    for (const { status } of responses) expect([200, 404]).toContain(status);
    const [row] = await api.db.execute<{ deleted: number; restored: number }>(sql`
      select count(*) filter (where action = 'asset.delete')::int as deleted,
        count(*) filter (where action = 'asset.restore')::int as restored
      from activities where resource_id = ${asset.id}`);
    const isDeleted = (await deletionOf(asset.id)) !== null;
    expect(Number(row?.deleted) - Number(row?.restored)).toBe(isDeleted ? 1 : 0);
  });
});

describe('restoring a collection', () => {
  test('restores exactly the assets that were deleted with it', async () => {
    const into = await newCollection(api, user, 'Back');
    const [before, along, moved] = [
      await newAsset(into),
      await newAsset(into),
      await newAsset(into),
    ];
    const other = await newCollection(api, user);
    await call(api, 'assets.update', {
      token: user.token,
      params: { id: moved.id },
      body: { collectionId: other },
    });
    await remove('assets', before.id);
    const live = (await get('collections', into)).body.data;
    await remove('collections', into);
    for (let repeat = 1; repeat <= 2; repeat += 1) {
      const { status, body } = await restore('collections', into);
      expect([status, body.message]).toEqual([200, 'Collection restored']);
      expect(body.data).toEqual(live);
    }
    expect((await get('collections', into)).body.data).toEqual(live);
    expect(await deletionOf(along.id)).toBeNull();
    expect(await deletionOf(before.id)).not.toBeNull();
    expect(await actionsOn(into)).toEqual(['collection.delete', 'collection.restore']);
    expect(await actionsOn(along.id)).toEqual([]);
  });

  test('distinguishes them even when the clock stops or goes back', async () => {
    const into = await newCollection(api, user);
    const [before, along] = [await newAsset(into), await newAsset(into)];
    await remove('assets', before.id);
    const ahead = new Date(Date.now() + 60_000);
    await api.db.update(assets).set({ deletedAt: ahead }).where(eq(assets.id, before.id));
    await remove('collections', into);
    expect((await deletionOf(along.id))?.getTime()).toBe(ahead.getTime() + 1);
    await restore('collections', into);
    expect([await deletionOf(before.id), await deletionOf(along.id)]).toEqual([ahead, null]);
  });

  test('in parallel with deletions and restorations of its assets keeps both consistent', async () => {
    for (let round = 0; round < 5; round += 1) {
      const into = await newCollection(api, user);
      const [a, b] = [await newAsset(into), await newAsset(into)];
      const responses = await Promise.all([
        remove('assets', a.id),
        remove('collections', into),
        restore('assets', a.id),
        restore('collections', into),
        remove('assets', b.id),
        restore('assets', b.id),
      ]);
      for (const { status } of responses) expect([200, 404, 409]).toContain(status);
      const live = await api.db.execute(sql`
        select 1 from assets a join collections c on c.id = a.collection_id
        where a.deleted_at is null and c.deleted_at is not null`);
      expect(live).toEqual([]);
    }
  });

  test('deletion in parallel with the completion of an upload into it bins the asset too, or leaves none', async () => {
    for (let round = 0; round < 5; round += 1) {
      const into = await newCollection(api, user);
      const file = someFile(3);
      const upload = await initiate(api, user, file, { collectionId: into });
      const parts = await putParts(upload, file.content);
      const [completed, removed] = await Promise.all([
        call(api, 'uploads.complete', {
          token: user.token,
          body: completion(upload, file, into, parts),
        }),
        remove('collections', into),
      ]);
      expect(removed.status).toBe(200);
      expect(completed.status).toBeLessThan(500);
      const [row] = await api.db
        .select({ deletedAt: collections.deletedAt })
        .from(collections)
        .where(eq(collections.id, into));
      const inside = await api.db
        .select({ deletedAt: assets.deletedAt })
        .from(assets)
        .where(eq(assets.collectionId, into));
      for (const { deletedAt } of inside) expect(deletedAt).toEqual(row?.deletedAt);
    }
  });
});

describe.each(['assets', 'collections'] as const)('restoring %s', (group) => {
  const newOne = async (as = user) => {
    const into = await newCollection(api, as);
    return group === 'assets' ? (await newAsset(into, as)).id : into;
  };

  test("returns the same 404 for another organization's and an unknown one", async () => {
    const stranger = await newUser(api);
    const theirs = await newOne(stranger);
    await remove(group, theirs, stranger);
    for (const id of [theirs, newId()]) {
      const { status, body } = await restore(group, id);
      expect([status, body.code]).toEqual([404, 'not_found']);
    }
    expect(idsOf(await bin(group, {}, stranger))).toEqual([theirs]);
  });

  test('returns 404 from the thirtieth day on, before any purge, and not earlier', async () => {
    const [early, late] = [await newOne(), await newOne()];
    await remove(group, early);
    await remove(group, late);
    const listed = async () => idsOf(await bin(group, { limit: 100 }));
    const table = sql.identifier(group);
    const age = (id: string, ms: number) =>
      api.db.execute(
        sql`update ${table} set deleted_at = ${new Date(api.clock.now().getTime() - ms).toISOString()}::timestamptz where id = ${id}`,
      );
    await age(early, 30 * dayMs);
    await age(late, 30 * dayMs - 60_000);
    expect(await listed()).not.toContain(early);
    expect(await listed()).toContain(late);
    expect((await restore(group, early)).status).toBe(404);
    expect((await restore(group, late)).status).toBe(200);
  });

  test('depends on the role: administrators restore any, members their own, viewers none', async () => {
    const attempt = async (role: 'ADMIN' | 'MEMBER' | 'VIEWER', isOwn: boolean) => {
      const id = await newOne();
      await remove(group, id);
      const member = await newUser(api);
      await joinTeam(api, user.organizationId, member, role);
      if (isOwn) {
        await api.db.execute(
          sql`update ${sql.identifier(group)} set created_by = ${member.id} where id = ${id}`,
        );
      }
      const { status } = await restore(group, id, {
        token: member.token,
        organizationId: user.organizationId,
      });
      return status;
    };
    expect(await attempt('ADMIN', false)).toBe(200);
    expect(await attempt('MEMBER', true)).toBe(200);
    expect(await attempt('MEMBER', false)).toBe(403);
    expect(await attempt('VIEWER', true)).toBe(403);
  });
});
