import { eq, sql } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { assets, memberships } from '../../../db/generated/schema.ts';
import { newId } from '../../../kernel/ids.ts';
import { newUser, type TestUser } from '../../../testing/accounts.ts';
import { call, type CallOptions } from '../../../testing/api.ts';
import { initiate, newCollection, someFile, uploadFile } from '../../../testing/library.ts';
import { setUpApi } from '../../../testing/set-up.ts';

const api = await setUpApi();
const [owner, viewer, stranger] = await Promise.all([newUser(api), newUser(api), newUser(api)]);
await api.db.insert(memberships).values({
  id: newId(),
  organizationId: owner.organizationId,
  userId: viewer.id,
  role: 'VIEWER',
  joinedAt: new Date(),
});
const collectionId = await newCollection(api, owner);

const newAsset = async (): Promise<string> =>
  (await uploadFile(api, owner, someFile(10), { collectionId })).id;
const logsOf = (id: string, as: TestUser, options: CallOptions = {}) =>
  call(api, 'assets.logs', { token: as.token, params: { id }, ...options });
const myLogs = (as: TestUser, options: CallOptions = {}) =>
  call(api, 'assets.myLogs', { token: as.token, ...options });
const inOwners = () => ({ organizationId: owner.organizationId });

describe('the activity of one asset', () => {
  test('contains only that asset, newest first, in pages', async () => {
    const [id] = [await newAsset(), await newAsset()];
    await uploadFile(api, owner, someFile(11, 'final (3).bin'), { collectionId, assetId: id });
    const { status, body } = await logsOf(id, owner);
    expect([status, body.message]).toEqual([200, 'Asset activity retrieved']);
    const shown = body.data.items.map(
      ({ action, resourceId, resourceName }: Record<string, string>) => [
        action,
        resourceId,
        resourceName,
      ],
    );
    // The name of the asset, not of the uploaded file.
    expect(shown).toEqual([
      ['asset.add_version', id, 'notes.bin'],
      ['asset.create', id, 'notes.bin'],
    ]);
    const first = await logsOf(id, owner, { query: { limit: 1 } });
    const { nextCursor: cursor, ...pagination } = first.body.data.pagination;
    expect(pagination).toEqual({ page: 1, limit: 1, total: 2, totalPages: 2, hasNext: true });
    const second = await logsOf(id, owner, { query: { limit: 1, cursor } });
    expect(second.body.data.items).toEqual(body.data.items.slice(1));
    const elsewhere = await myLogs(owner, { query: { cursor } });
    expect([elsewhere.status, elsewhere.body.errors[0].code]).toEqual([400, 'invalid_cursor']);
    const created = await logsOf(id, owner, { query: { action: 'asset.create' } });
    expect(created.body.data.items).toEqual(body.data.items.slice(1));
  });

  test('is visible to every member, also while the asset is in the bin', async () => {
    const id = await newAsset();
    for (const isDeleted of [false, true]) {
      if (isDeleted) {
        await api.db.update(assets).set({ deletedAt: new Date() }).where(eq(assets.id, id));
      }
      for (const member of [owner, viewer]) {
        const { status, body } = await logsOf(id, member, inOwners());
        expect([status, body.data.pagination.total]).toEqual([200, 1]);
      }
    }
  });

  test('is a 404 for an unknown asset and for one of another organization', async () => {
    const id = await newAsset();
    for (const response of [
      await logsOf(newId(), owner),
      await logsOf(id, stranger),
      await logsOf(id, viewer),
    ]) {
      expect([response.status, response.body.code]).toEqual([404, 'not_found']);
    }
    const { status, body } = await logsOf(id, stranger, inOwners());
    expect([status, body.code]).toEqual([403, 'organization_access_denied']);
  });
});

describe('the caller’s own asset activity', () => {
  test('contains what they did to assets of the selected organization, and nothing else', async () => {
    const person = await newUser(api);
    await api.db.insert(memberships).values({
      id: newId(),
      organizationId: person.organizationId,
      userId: owner.id,
      role: 'MEMBER',
      joinedAt: new Date(),
    });
    const ownCollection = await newCollection(api, person);
    await initiate(api, person, someFile(5), { collectionId: ownCollection });
    const asset = await uploadFile(api, person, someFile(5), { collectionId: ownCollection });
    const { status, body } = await myLogs(person);
    expect([status, body.message]).toEqual([200, 'Asset activity retrieved']);
    expect(body.data.items).toEqual([
      expect.objectContaining({ action: 'asset.create', resourceId: asset.id }),
    ]);
    expect(body.data.pagination.total).toBe(1);

    // A fellow member did nothing there, whatever they did elsewhere.
    await newAsset();
    const fellow = await myLogs(owner, { organizationId: person.organizationId });
    expect(fellow.body.data).toMatchObject({ items: [], pagination: { total: 0 } });
    const requested = await myLogs(owner, {
      organizationId: person.organizationId,
      query: { actorId: person.id },
    });
    expect(requested.body.data.items).toEqual([]);
    const outside = await myLogs(person, { query: { resourceType: 'upload' } });
    expect(outside.body.data.items).toEqual([]);
    const denied = await myLogs(person, inOwners());
    expect([denied.status, denied.body.code]).toEqual([403, 'organization_access_denied']);
  });

  test('stays when the asset is permanently deleted', async () => {
    const person = await newUser(api);
    const ownCollection = await newCollection(api, person);
    const { id } = await uploadFile(api, person, someFile(5), { collectionId: ownCollection });
    await api.db.execute(sql`delete from uploads where asset_id = ${id}`);
    await api.db.execute(sql`delete from asset_versions where asset_id = ${id}`);
    await api.db.execute(sql`delete from assets where id = ${id}`);
    expect((await logsOf(id, person)).status).toBe(404);
    expect((await myLogs(person)).body.data.items).toHaveLength(1);
  });
});
