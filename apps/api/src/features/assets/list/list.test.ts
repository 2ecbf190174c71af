// @module-tag slow

import { eq, sql } from 'drizzle-orm';
import { beforeAll, describe, expect, test } from 'vitest';
import { assets, storedObjects, assetVersions } from '../../../db/generated/schema.ts';
import { newId, newShortCode } from '../../../kernel/ids.ts';
import { newUser, type TestUser } from '../../../testing/accounts.ts';
import { call, type CallOptions } from '../../../testing/api.ts';
import { inspected, newCollection, someFile, uploadFile } from '../../../testing/library.ts';
import { joinTeam, newTeam } from '../../../testing/organizations.ts';
import { setUpApiWithUser } from '../../../testing/set-up.ts';

type Query = NonNullable<CallOptions['query']>;
interface NewAsset {
  readonly name: string;
  readonly contentType?: string;
  readonly fileSizeBytes?: number;
  readonly createdBy?: string;
  readonly collectionId?: string;
}
let teamId: string;
let collectionId: string;
let otherCollectionId: string;
let marked: string;

const names = ['delta.png', 'alpha.jpg', 'charlie.pdf', 'bravo.mp4', 'Echo_%\\.png'];

const { api, user: owner } = await setUpApiWithUser();
const mate = await newUser(api);
beforeAll(async () => {
  const stranger = await newUser(api);
  teamId = (await newTeam(api, owner)).id;
  await joinTeam(api, teamId, mate, 'MEMBER');
  const otherTeam = (await newTeam(api, owner)).id;
  collectionId = await collectionIn(teamId, owner);
  otherCollectionId = await collectionIn(teamId, owner);
  const types = ['image/png', 'image/jpeg', 'application/pdf', 'video/mp4', 'image_x/png'];
  const ids = await insertAssets(
    teamId,
    collectionId,
    names.map((name, index) => ({
      name,
      contentType: String(types[index]),
      fileSizeBytes: 100 - index,
    })),
  );
  marked = String(ids[2]);
  await insertAssets(teamId, otherCollectionId, [{ name: 'mate.png', createdBy: mate.id }]);
  // The same names in the same person's other team and in another user's.
  await insertAssets(
    otherTeam,
    await collectionIn(otherTeam, owner),
    names.map((name) => ({ name })),
  );
  await insertAssets(
    stranger.organizationId,
    await newCollection(api, stranger),
    names.map((name) => ({ name, createdBy: stranger.id })),
  );
  const { status } = await call(api, 'assets.favorite', {
    token: owner.token,
    organizationId: teamId,
    params: { id: marked },
    body: { isFavorite: true },
  });
  expect(status).toBe(200);
});

async function collectionIn(organizationId: string, user: TestUser): Promise<string> {
  const { body } = await call(api, 'collections.create', {
    token: user.token,
    organizationId,
    body: { title: 'Pictures' },
  });
  return body.data.id;
}

/** Inserts rows without content in the storage, which a list never reads. Each is a second newer than the previous one. */
async function insertAssets(organizationId: string, into: string, rows: NewAsset[]) {
  const start = Date.now() - 3_600_000;
  const objects = rows.map((row, index) => ({
    organizationId,
    id: newId(),
    key: `collection/${into}/${newId()}/${row.name}`,
    sizeBytes: row.fileSizeBytes ?? 1,
    eTag: 'x',
    createdAt: new Date(start + index * 1000),
  }));
  await api.db.insert(storedObjects).values(objects);
  const created = rows.map((row, index) => ({
    id: newId(),
    organizationId,
    collectionId: into,
    name: row.name,
    contentType: row.contentType ?? 'image/png',
    fileSizeBytes: row.fileSizeBytes ?? 1,
    currentVersion: 1,
    shortCode: newShortCode(),
    createdBy: row.createdBy ?? owner.id,
    createdAt: new Date(start + index * 1000),
    updatedAt: new Date(start - index * 1000),
  }));
  await api.db.insert(assets).values(created);
  await api.db.insert(assetVersions).values(
    created.map(({ id, contentType, createdBy, createdAt }, index) => ({
      assetId: id,
      versionNumber: 1,
      organizationId,
      storedObjectId: String(objects[index]?.id),
      contentType,
      createdBy,
      createdAt,
    })),
  );
  return created.map(({ id }) => id);
}

const list = (query: Query = {}, as = owner, organizationId = teamId) =>
  call(api, 'assets.list', { token: as.token, organizationId, query });
const inCollection = (id: string, query: Query = {}, as = owner, organizationId = teamId) =>
  call(api, 'assets.listInCollection', {
    token: as.token,
    organizationId,
    params: { collectionId: id },
    query,
  });
type Page = { body: { data: { items: { id: string; assetName: string }[] } } };
const namesOf = (response: Page) => response.body.data.items.map(({ assetName }) => assetName);

describe('listing assets', () => {
  test("shows the caller's own of the selected organization, the newest first", async () => {
    const { status, body } = await list();
    expect([status, body.message]).toEqual([200, 'Assets retrieved']);
    expect(namesOf({ body })).toEqual(names.toReversed());
    expect(body.data.pagination).toEqual({
      page: 1,
      limit: 20,
      total: 5,
      totalPages: 1,
      hasNext: false,
    });
    expect(namesOf(await list({}, mate))).toEqual(['mate.png']);
    expect(namesOf(await list({ scope: 'organization' }, mate))).toHaveLength(6);
  });

  test('shows each as its own request does, with addresses that work', async () => {
    const user = await newUser(api);
    const into = await newCollection(api, user);
    const file = someFile(10, "it's (an) ärchive!*.bin");
    const { id } = await uploadFile(api, user, file, { collectionId: into });
    await inspected(api, id);
    const asset = await call(api, 'assets.get', { token: user.token, params: { id } });
    const { body } = await list({}, user, user.organizationId);
    const { assetLongUrl, ...steady } = body.data.items[0];
    expect(asset.body.data).toMatchObject(steady);
    expect(assetLongUrl).toContain('X-Amz-Expires=900');
    const content = await (await fetch(assetLongUrl)).arrayBuffer();
    expect(Buffer.from(content).equals(file.content)).toBe(true);
    expect((await fetch(assetLongUrl.replace('900', '901'))).status).toBe(403);
  });

  test.each(
    ['assetName', 'fileSize', 'createdAt', 'updatedAt'].flatMap((name) => [name, `-${name}`]),
  )('sorted by %s, pages and cursors show the same without gap or repetition', async (sort) => {
    for (const fetchPage of [
      (query: Query) => list({ sort, scope: 'organization', ...query }),
      (query: Query) => list({ sort, ...query }),
      (query: Query) => list({ sort, type: 'image', ...query }),
      (query: Query) => list({ sort, q: 'a', ...query }),
      (query: Query) => inCollection(collectionId, { sort, ...query }),
    ]) {
      const whole = await fetchPage({});
      const all = namesOf(whole);
      const { total } = whole.body.data.pagination;
      expect(all).toHaveLength(total);
      const opposite = sort.startsWith('-') ? sort.slice(1) : `-${sort}`;
      expect(namesOf(await fetchPage({ sort: opposite }))).toEqual(all.toReversed());

      const byPage: string[] = [];
      for (let page = 1; page <= Math.ceil(total / 2); page += 1) {
        const response = await fetchPage({ limit: 2, page });
        expect(response.body.data.pagination).toMatchObject({ total, hasNext: page * 2 < total });
        byPage.push(...namesOf(response));
      }
      expect(byPage).toEqual(all);

      const byCursor: string[] = [];
      let cursor: string | undefined;
      do {
        const response = await fetchPage({ limit: 2, ...(cursor && { cursor }) });
        expect(response.body.data.pagination.total).toBe(total);
        byCursor.push(...namesOf(response));
        cursor = response.body.data.pagination.nextCursor;
      } while (cursor);
      expect(byCursor).toEqual(all);
    }
  });

  test('breaks ties by id: equal timestamps and sizes are shown once each', async () => {
    const user = await newUser(api);
    const into = await newCollection(api, user);
    const ids = await insertAssets(
      user.organizationId,
      into,
      Array.from({ length: 45 }, () => ({ name: 'same', createdBy: user.id })),
    );
    await api.db
      .update(assets)
      .set({ createdAt: new Date(0) })
      .where(eq(assets.collectionId, into));
    for (const sort of ['-createdAt', 'assetName', '-fileSize']) {
      const seen: string[] = [];
      let cursor: string | undefined;
      do {
        const page = await list({ sort, ...(cursor && { cursor }) }, user, user.organizationId);
        seen.push(...page.body.data.items.map(({ id }: { id: string }) => id));
        cursor = page.body.data.pagination.nextCursor;
      } while (cursor);
      expect(seen).toEqual(sort.startsWith('-') ? ids.toSorted().toReversed() : ids.toSorted());
    }
  });

  test.each<[Query, string[]]>([
    [{ q: 'ALPHA' }, ['alpha.jpg']],
    [{ q: 'lph' }, ['alpha.jpg']],
    [{ q: '_%\\' }, ['Echo_%\\.png']],
    [{ q: '%' }, ['Echo_%\\.png']],
    [{ q: 'foxtrot' }, []],
    [{ q: 'AL' }, ['alpha.jpg']],
    [{ q: 'ph' }, ['alpha.jpg']],
    [{ q: 'ha' }, ['charlie.pdf', 'alpha.jpg']],
    [{ q: 'PG' }, ['alpha.jpg']],
    [{ q: 'zz' }, []],
    [{ type: 'image/' }, ['alpha.jpg', 'delta.png']],
    [{ type: 'image_' }, ['Echo_%\\.png']],
    [{ type: '%' }, []],
    [{ favorite: true }, ['charlie.pdf']],
    [{ favorite: false }, ['Echo_%\\.png', 'bravo.mp4', 'alpha.jpg', 'delta.png']],
    [{ favorite: false, type: 'image/', q: 'a' }, ['alpha.jpg', 'delta.png']],
  ])('filtered by %j finds exactly what fits', async (query, expected) => {
    expect(namesOf(await list(query))).toEqual(expected);
    expect(namesOf(await inCollection(collectionId, query))).toEqual(expected);
    const within = await list({ ...query, scope: 'organization', collectionId });
    expect(namesOf(within)).toEqual(expected);
    expect(within.body.data.pagination.total).toBe(expected.length);
  });

  test('shows everyone’s assets of a collection; as a filter, only those in it', async () => {
    expect(namesOf(await inCollection(otherCollectionId))).toEqual(['mate.png']);
    expect(namesOf(await list({ collectionId: otherCollectionId }))).toEqual([]);
    const all = await list({ collectionId: otherCollectionId, scope: 'organization' });
    expect(namesOf(all)).toEqual(['mate.png']);
  });

  test.each([
    ['alpha.jpg', ['alpha.jpg']],
    ['delta.png/no such/alpha.jpg', ['alpha.jpg', 'delta.png']],
    ['Echo_%\\.png/', ['Echo_%\\.png']],
    ['ALPHA.JPG', []],
    ['alpha', []],
    ['%', []],
    ['mate.png', []],
  ])('finds the names %j in a collection, and nothing similar', async (asked, expected) => {
    const found = await inCollection(collectionId, { names: asked });
    expect(namesOf(found)).toEqual(expected);
    expect(found.body.data.pagination.total).toBe(expected.length);
    const onePage = await inCollection(collectionId, { names: asked, limit: 1 });
    expect(namesOf(onePage)).toEqual(expected.slice(0, 1));
  });

  test('combines names with the other filters, and limits their length', async () => {
    const both = { names: 'alpha.jpg/delta.png' };
    expect(namesOf(await inCollection(collectionId, { ...both, q: 'lph' }))).toEqual(['alpha.jpg']);
    expect(namesOf(await inCollection(collectionId, { ...both, favorite: true }))).toEqual([]);
    for (const refused of ['', 'x'.repeat(4097)]) {
      const { status, body } = await inCollection(collectionId, { names: refused });
      expect([status, body.code]).toEqual([400, 'validation_failed']);
      expect(body.errors[0]).toMatchObject({ in: 'query', path: ['names'] });
    }
  });

  test('shows the viewer’s own marks', async () => {
    const marks = async (as: TestUser) =>
      (await inCollection(collectionId, {}, as)).body.data.items
        .filter(({ isFavorite }: { isFavorite: boolean }) => isFavorite)
        .map(({ id }: { id: string }) => id);
    expect([await marks(owner), await marks(mate)]).toEqual([[marked], []]);
    expect(namesOf(await list({ favorite: true, scope: 'organization' }, mate))).toEqual([]);
  });

  test("returns the same 404 for another organization's, an unknown and a deleted collection; an empty one is empty", async () => {
    const deleted = await collectionIn(teamId, owner);
    const { status } = await call(api, 'collections.remove', {
      token: owner.token,
      organizationId: teamId,
      params: { id: deleted },
    });
    expect(status).toBe(200);
    for (const id of [await newCollection(api, owner), newId(), deleted]) {
      const response = await inCollection(id);
      expect([response.status, response.body.code]).toEqual([404, 'not_found']);
      // As a filter it matches nothing.
      const filtered = await list({ collectionId: id, scope: 'organization' });
      expect([filtered.status, filtered.body.data.pagination.total]).toEqual([200, 0]);
    }
    const empty = await inCollection(await collectionIn(teamId, owner));
    expect([empty.status, empty.body.data.items]).toEqual([200, []]);
  });

  test('finds two letters before any other and at the end', async () => {
    const user = await newUser(api);
    const into = await newCollection(api, user);
    const others = Array.from({ length: 127 }, (_, index) => String.fromCharCode(index + 1));
    const names = ['q3', ...others.map((other) => `q3${other}`), 'q-3'];
    await insertAssets(
      user.organizationId,
      into,
      names.map((name) => ({ name, createdBy: user.id })),
    );
    const { body } = await list({ q: 'Q3', limit: 1 }, user, user.organizationId);
    expect(body.data.pagination.total).toBe(128);
  });

  test('is empty past its end, with the total', async () => {
    const { body } = await list({ page: 1_000_000, limit: 100 });
    expect(body.data).toMatchObject({ items: [], pagination: { total: 5, hasNext: false } });
  });

  test('counts up to 10,000, or 1,000 with a text, and indicates when there are more', async () => {
    const user = await newUser(api);
    const into = await newCollection(api, user);
    const [id] = await insertAssets(user.organizationId, into, [{ name: 'x', createdBy: user.id }]);
    const copies = (count: number, { as = 'x', newerBy = '0' } = {}) =>
      api.db.execute(sql`
        with copied as (
          insert into assets (id, organization_id, collection_id, name, content_type, file_size_bytes, current_version, short_code, created_by, created_at, updated_at)
          select uuidv7(), organization_id, collection_id, ${as}, content_type, file_size_bytes, 1, gen_random_uuid()::text, created_by, created_at + ${newerBy}::interval, updated_at
          from assets, generate_series(1, ${count}::int) where id = ${id} returning *)
        insert into asset_versions (asset_id, version_number, organization_id, stored_object_id, content_type, created_by, created_at)
        select copied.id, 1, copied.organization_id, v.stored_object_id, copied.content_type, copied.created_by, copied.created_at
        from copied, asset_versions v where v.asset_id = ${id}`);
    const page = async (query: Query) =>
      (await list({ limit: 1, ...query }, user, user.organizationId)).body.data;
    const ways = async (search: Query) => {
      const { nextCursor } = (await page(search)).pagination;
      const queries = [{}, { page: 3 }, { sort: 'createdAt' }, { cursor: nextCursor }];
      const pages = await Promise.all(
        queries.map((query) => page({ ...search, limit: 3, ...query })),
      );
      return pages.map(({ items }) => items.map(({ id }: { id: string }) => id));
    };
    const totalOf = async (query: Query) => {
      const { total, isTotalLowerBound = false } = (await page(query)).pagination;
      return [total, isTotalLowerBound];
    };
    await copies(999);
    expect(await Promise.all([totalOf({}), totalOf({ q: 'X' })])).toEqual([
      [1_000, false],
      [1_000, false],
    ]);
    await copies(1);
    expect(await Promise.all([totalOf({}), totalOf({ q: 'X' })])).toEqual([
      [1_001, false],
      [1_000, true],
    ]);
    expect(await totalOf({ q: 'X', page: 5_000 })).toEqual([1_000, true]);
    expect(await ways({ q: 'X' })).toEqual(await ways({}));
    // For the plans of foreign keys, which were made for a small table.
    await api.db.execute(sql`analyze assets`);
    await copies(8_999);
    const { pagination } = await page({});
    expect(pagination).toMatchObject({ total: 10_000, totalPages: 10_000, hasNext: true });
    expect(pagination).not.toHaveProperty('isTotalLowerBound');
    await copies(1);
    expect(await totalOf({})).toEqual([10_000, true]);
    const found = await ways({ q: 'X' });
    expect(found).toEqual(await ways({}));
    // Newer ones before them all.
    await copies(4_001, { as: 'y', newerBy: '1 hour' });
    expect(await ways({ q: 'X' })).toEqual(found);
    expect(await totalOf({ q: 'X' })).toEqual([1_000, true]);
    // Enough of them for a page, and too few to count on in that order.
    await copies(60, { newerBy: '2 hours' });
    expect(await ways({ q: 'X' })).toEqual(await ways({}));
    expect(await totalOf({ q: 'X' })).toEqual([1_000, true]);
    await copies(60, { as: 'z', newerBy: '3 hours' });
    expect(await totalOf({ q: 'Z' })).toEqual([60, false]);
  });

  test.each([
    ['scope', 'team'],
    ['sort', 'name'],
    ['sort', 'key; drop table assets'],
    ['type', ''],
    ['type', '\0'],
    ['favorite', '1'],
    ['q', 'x'.repeat(201)],
    ['collectionId', 'x'],
    ['cursor', 'forged'],
    ['limit', '101'],
  ])('refuses %s=%s and names it', async (name, value) => {
    const { status, body } = await list({ [name]: value });
    expect([status, body.code]).toEqual([400, 'validation_failed']);
    expect(body.errors[0]).toMatchObject({ in: 'query', path: [name] });
  });

  test('refuses the cursor of another order', async () => {
    const { body } = await list({ limit: 2, sort: 'assetName' });
    const cursor = body.data.pagination.nextCursor;
    expect((await list({ cursor, sort: '-assetName' })).status).toBe(400);
    expect((await list({ cursor, sort: 'fileSize' })).status).toBe(400);
  });
});
