// @module-tag slow

import { and, eq, isNull } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { activities, assets, collections } from '../../db/generated/schema.ts';
import { newUser, type TestUser } from '../../testing/accounts.ts';
import { call } from '../../testing/api.ts';
import { someFile, uploadFile } from '../../testing/library.ts';
import { setUpApi } from '../../testing/set-up.ts';
import { storeTeam } from '../../testing/teams.ts';

const api = await setUpApi();
const [owner, admin, member, other] = await Promise.all([
  newUser(api),
  newUser(api),
  newUser(api),
  newUser(api),
]);
const organizationId = await storeTeam(api, owner, [
  { user: admin, role: 'ADMIN' },
  { user: member, role: 'MEMBER' },
  { user: other, role: 'MEMBER' },
]);

const ask = (as: TestUser, id: 'collections.remove' | 'collections.restore', collection: string) =>
  call(api, id, { token: as.token, organizationId, params: { id: collection } });
const put = (as: TestUser, collectionId: string) =>
  uploadFile(api, as, someFile(3), { collectionId, organizationId });

/** The member's own, with assets of both. */
async function shared(mine: number, others: number) {
  const { body } = await call(api, 'collections.create', {
    token: member.token,
    organizationId,
    body: { title: 'Shared' },
  });
  const collectionId: string = body.data.id;
  for (let count = 0; count < mine; count += 1) await put(member, collectionId);
  for (let count = 0; count < others; count += 1) await put(other, collectionId);
  return collectionId;
}

async function standing(id: string) {
  const [row] = await api.db.select().from(collections).where(eq(collections.id, id));
  const inside = and(eq(assets.collectionId, id), isNull(assets.deletedAt));
  const there = await api.db.$count(assets, inside);
  return { isDeleted: row?.deletedAt !== null, there };
}

describe('deleting one’s own collection', () => {
  test('deletes one’s own assets with it, also when those of others are already in the bin', async () => {
    const id = await shared(1, 1);
    const [theirs] = await api.db
      .select()
      .from(assets)
      .where(and(eq(assets.collectionId, id), eq(assets.createdBy, other.id)));
    await call(api, 'assets.remove', {
      token: other.token,
      organizationId,
      params: { id: String(theirs?.id) },
    });
    expect((await ask(member, 'collections.remove', id)).status).toBe(200);
    expect(await standing(id)).toEqual({ isDeleted: true, there: 0 });
    expect((await ask(member, 'collections.restore', id)).status).toBe(200);
    expect(await standing(id)).toEqual({ isDeleted: false, there: 1 });
  });

  test.each([
    [1, '1 asset of others'],
    [2, '2 assets of others'],
  ])('with %i of others is a 409 with their number, and changes nothing', async (count, text) => {
    const id = await shared(1, count);
    const { status, body } = await ask(member, 'collections.remove', id);
    expect([status, body.code]).toEqual([409, 'collection_has_others_assets']);
    expect(body.message).toContain(text);
    expect(await standing(id)).toEqual({ isDeleted: false, there: count + 1 });
    const recorded = and(eq(activities.resourceId, id), eq(activities.action, 'collection.delete'));
    expect(await api.db.$count(activities, recorded)).toBe(0);
  });

  test.each(['owner', 'admin'] as const)('is allowed to the %s, also undoing it', async (who) => {
    const id = await shared(1, 2);
    const as = { owner, admin }[who];
    expect((await ask(as, 'collections.remove', id)).status).toBe(200);
    expect(await standing(id)).toEqual({ isDeleted: true, there: 0 });
    // Even for the collection's owner: what they may not delete, they may not restore either.
    const refused = await ask(member, 'collections.restore', id);
    expect([refused.status, refused.body.code]).toEqual([409, 'collection_has_others_assets']);
    expect(await standing(id)).toEqual({ isDeleted: true, there: 0 });
    expect((await ask(as, 'collections.restore', id)).status).toBe(200);
    expect(await standing(id)).toEqual({ isDeleted: false, there: 3 });
  });

  test('in parallel with 40 uploads of another member never deletes theirs', async () => {
    for (let round = 0; round < 3; round += 1) {
      const id = await shared(1, 0);
      const uploads = Array.from({ length: 40 }, () => put(other, id).catch(() => null));
      const attempts = Array.from({ length: 5 }, () => ask(member, 'collections.remove', id));
      const responses = await Promise.all(attempts);
      await Promise.all(uploads);
      const { isDeleted } = await standing(id);
      expect(responses.some(({ status }) => status === 200)).toBe(isDeleted);
      const lost = and(eq(assets.collectionId, id), eq(assets.createdBy, other.id));
      const binned = await api.db.select().from(assets).where(lost);
      expect(binned.filter(({ deletedAt }) => deletedAt !== null)).toEqual([]);
    }
  });
});
