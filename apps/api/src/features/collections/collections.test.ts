import { eq, sql } from 'drizzle-orm';
import { beforeAll, describe, expect, test } from 'vitest';
import { activities, collections } from '../../db/generated/schema.ts';
import { newId } from '../../kernel/ids.ts';
import { newUser, type TestUser } from '../../testing/accounts.ts';
import { call, type CallOptions } from '../../testing/api.ts';
import { newCollection, someFile, uploadFile } from '../../testing/library.ts';
import { setUpApiWithUser } from '../../testing/set-up.ts';

const { api, user } = await setUpApiWithUser();

const create = (body: unknown, options: CallOptions = {}) =>
  call(api, 'collections.create', { token: user.token, body, ...options });
const list = (query: NonNullable<CallOptions['query']>, as: TestUser = user) =>
  call(api, 'collections.list', { token: as.token, query });
const get = (id: string, options: CallOptions = {}) =>
  call(api, 'collections.get', { token: user.token, params: { id }, ...options });

describe('creating a collection', () => {
  test('responds 201 with the collection and records one activity', async () => {
    const { status, body } = await create({ title: '  Brand pictures  ' });
    expect(status).toBe(201);
    expect(body).toEqual({
      message: 'Collection created',
      data: {
        id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
        title: 'Brand pictures',
        organizationId: user.organizationId,
        createdBy: user.id,
        assetCount: 0,
        isFavorite: false,
        createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        updatedAt: body.data.createdAt,
      },
    });
    const rows = await api.db
      .select()
      .from(activities)
      .where(eq(activities.resourceId, body.data.id));
    expect(rows).toEqual([
      expect.objectContaining({
        action: 'collection.create',
        actorId: user.id,
        organizationId: user.organizationId,
        resourceName: 'Brand pictures',
        changes: [{ field: 'title', from: null, to: 'Brand pictures' }],
      }),
    ]);
    expect((await get(body.data.id)).body.data).toEqual(body.data);
  });

  test.each([
    ['nothing', {}, 'required'],
    ['null', { title: null }, 'invalid_type'],
    ['blanks', { title: ' \t ' }, 'too_small'],
    ['121 characters', { title: 'x'.repeat(121) }, 'too_big'],
    ['121 emoji', { title: '🦊'.repeat(121) }, 'too_big'],
    ['NUL', { title: 'a\0' }, 'custom'],
    ['a lone surrogate', { title: 'a\udfff' }, 'custom'],
    ['an object', { title: { $gt: '' } }, 'invalid_type'],
  ])('with a title of %s is refused and stores nothing', async (_, body, code) => {
    const before = await api.db.$count(collections);
    const response = await create(body);
    expect([response.status, response.body.code]).toEqual([400, 'validation_failed']);
    expect(response.body.errors).toEqual([
      expect.objectContaining({ in: 'body', path: ['title'], code }),
    ]);
    expect(await api.db.$count(collections)).toBe(before);
  });

  test('accepts 120 emoji, and ignores unknown fields', async () => {
    const { status, body } = await create({
      title: '🦊'.repeat(120),
      id: newId(),
      organizationId: newId(),
      createdBy: newId(),
      deletedAt: '2020-01-01T00:00:00Z',
      __proto__: { admin: true },
    });
    expect(status).toBe(201);
    expect(body.data).toMatchObject({ organizationId: user.organizationId, createdBy: user.id });
  });
});

describe('x-organization-id', () => {
  test('selects only the user’s own organizations', async () => {
    const stranger = await newUser(api);
    const own = await create({ title: 'Mine' }, { organizationId: user.organizationId });
    expect(own.status).toBe(201);
    for (const organizationId of [stranger.organizationId, newId()]) {
      const { status, body } = await create({ title: 'Theirs' }, { organizationId });
      expect([status, body.code]).toEqual([403, 'organization_access_denied']);
    }
    const rows = await api.db
      .select()
      .from(collections)
      .where(eq(collections.organizationId, stranger.organizationId));
    expect(rows).toEqual([]);
  });

  test.each(['', ' ', 'personal', '1', newId().toUpperCase(), `${newId()},${newId()}`])(
    'of %j is malformed',
    async (organizationId) => {
      const { status, body } = await create({ title: 'x' }, { organizationId });
      expect([status, body.code]).toEqual([400, 'validation_failed']);
      expect(body.errors[0]).toMatchObject({ in: 'headers', path: ['x-organization-id'] });
    },
  );

  test('respects role and status of the membership', async () => {
    const owner = await newUser(api);
    const member = await newUser(api);
    const theirs = await newCollection(api, owner);
    const join = (role: string, status: string) =>
      api.db.execute(sql`
        insert into memberships (id, organization_id, user_id, role, status, joined_at)
        values (${newId()}, ${owner.organizationId}, ${member.id}, ${role}, ${status}, now())
        on conflict (organization_id, user_id) do update set role = excluded.role, status = excluded.status`);
    const options = { token: member.token, organizationId: owner.organizationId };

    await join('VIEWER', 'ACTIVE');
    expect((await get(theirs, options)).status).toBe(200);
    const refused = await create({ title: 'x' }, options);
    expect([refused.status, refused.body.code]).toEqual([403, 'permission_denied']);

    await join('MEMBER', 'ACTIVE');
    expect((await create({ title: 'x' }, options)).status).toBe(201);

    await join('OWNER', 'SUSPENDED');
    const suspended = await get(theirs, options);
    expect([suspended.status, suspended.body.code]).toEqual([403, 'organization_access_denied']);
  });
});

describe('getting a collection', () => {
  test("returns the same 404 for another organization's, an unknown and a deleted one", async () => {
    const stranger = await newUser(api);
    const theirs = await newCollection(api, stranger);
    const deleted = await newCollection(api, user);
    await api.db.execute(sql`update collections set deleted_at = now() where id = ${deleted}`);
    for (const id of [theirs, newId(), deleted]) {
      const { status, body } = await get(id);
      expect([status, body.code, body.message]).toEqual([404, 'not_found', 'Not found']);
    }
  });

  test.each(['1', 'null', "'; drop table collections; --", '%2e%2e', '%00', 'x'.repeat(200)])(
    'with the id %j is a 400',
    async (id) => {
      const { status, body } = await get(id);
      expect([status, body.code]).toEqual([400, 'validation_failed']);
      expect(body.errors[0]).toMatchObject({ in: 'path', path: ['id'] });
    },
  );

  test('counts the assets that are not deleted', async () => {
    const id = await newCollection(api, user);
    const asset = await uploadFile(api, user, someFile(1), { collectionId: id });
    await uploadFile(api, user, someFile(1), { collectionId: id });
    expect((await get(id)).body.data.assetCount).toBe(2);
    await api.db.execute(sql`update assets set deleted_at = now() where id = ${asset.id}`);
    expect((await get(id)).body.data.assetCount).toBe(1);
  });
});

describe('listing collections', () => {
  let owner: TestUser;
  const titles = ['delta', 'alpha', 'charlie', 'bravo', 'echo_%\\'];
  beforeAll(async () => {
    owner = await newUser(api);
    for (const title of titles) await newCollection(api, owner, title);
    await newCollection(api, await newUser(api), 'foreign');
  });
  const titlesOf = (response: { body: { data: { items: { title: string }[] } } }) =>
    response.body.data.items.map(({ title }) => title);

  test('shows the newest first, a page of 20, and no other organization’s', async () => {
    const response = await list({}, owner);
    expect(response.status).toBe(200);
    expect(titlesOf(response)).toEqual(titles.toReversed());
    expect(response.body.data.pagination).toEqual({
      page: 1,
      limit: 20,
      total: 5,
      totalPages: 1,
      hasNext: false,
    });
  });

  test.each(['title', '-title', 'createdAt', '-createdAt', 'updatedAt', '-updatedAt'])(
    'sorted by %s, pages and cursors match without gaps or repeats',
    async (sort) => {
      const all = titlesOf(await list({ sort }, owner));
      expect(all).toHaveLength(5);
      if (sort === 'title') expect(all).toEqual(titles.toSorted());

      const byPage: string[] = [];
      for (let page = 1; page <= 3; page += 1) {
        const response = await list({ sort, limit: 2, page }, owner);
        expect(response.body.data.pagination).toMatchObject({
          page,
          total: 5,
          totalPages: 3,
          hasNext: page < 3,
        });
        byPage.push(...titlesOf(response));
      }
      expect(byPage).toEqual(all);

      const byCursor: string[] = [];
      let cursor: string | undefined;
      do {
        const response = await list({ sort, limit: 2, ...(cursor && { cursor }) }, owner);
        byCursor.push(...titlesOf(response));
        cursor = response.body.data.pagination.nextCursor;
      } while (cursor);
      expect(byCursor).toEqual(all);
    },
  );

  test('a cursor is stable while others insert', async () => {
    const writer = await newUser(api);
    for (const title of ['1', '2', '3']) await newCollection(api, writer, title);
    const first = await list({ limit: 2 }, writer);
    await newCollection(api, writer, 'in between');
    const { nextCursor } = first.body.data.pagination;
    const second = await list({ limit: 2, cursor: nextCursor }, writer);
    expect([...titlesOf(first), ...titlesOf(second)]).toEqual(['3', '2', '1']);
  });

  test('searches titles in any case, and matches wildcards literally', async () => {
    expect(titlesOf(await list({ q: 'ALPHA' }, owner))).toEqual(['alpha']);
    expect(titlesOf(await list({ q: '_%\\' }, owner))).toEqual(['echo_%\\']);
    expect(titlesOf(await list({ q: '%' }, owner))).toEqual(['echo_%\\']);
  });

  test('filters by mark and by scope', async () => {
    const [marked] = (await list({ q: 'delta' }, owner)).body.data.items;
    await api.db.execute(
      sql`insert into collection_favorites (organization_id, user_id, collection_id, created_at) values (${owner.organizationId}, ${owner.id}, ${marked.id}, now())`,
    );
    expect(titlesOf(await list({ favorite: true }, owner))).toEqual(['delta']);
    expect(titlesOf(await list({ favorite: false }, owner))).toHaveLength(4);

    await api.db.execute(
      sql`update collections set created_by = ${user.id} where id = ${marked.id}`,
    );
    expect(titlesOf(await list({}, owner))).not.toContain('delta');
    const organization = await list({ scope: 'organization' }, owner);
    expect(titlesOf(organization)).toContain('delta');
  });

  test('an empty page past the end has the correct total', async () => {
    const response = await list({ page: 1_000_000, scope: 'organization' }, owner);
    expect(response.body.data).toMatchObject({
      items: [],
      pagination: { total: 5, hasNext: false },
    });
  });

  test.each([
    ['page', '0'],
    ['page', '-1'],
    ['page', '1.5'],
    ['page', '1e3'],
    ['page', 'x'],
    ['page', '99999999999999999999'],
    ['limit', '0'],
    ['limit', '101'],
    ['limit', ''],
    ['scope', 'team'],
    ['sort', 'password'],
    ['sort', 'title;drop table users'],
    ['favorite', 'yes'],
    ['q', 'x'.repeat(201)],
    ['q', '\0'],
    ['cursor', 'forged'],
    ['cursor', 'WyJ4IiwieSJd.AAAAAAAAAAAAAAAAAAAAAA'],
  ])('refuses %s=%s and names it', async (name, value) => {
    const { status, body } = await list({ [name]: value }, owner);
    expect([status, body.code]).toEqual([400, 'validation_failed']);
    expect(body.errors[0]).toMatchObject({ in: 'query', path: [name] });
  });

  test('refuses a cursor of another order, and a cursor with a page', async () => {
    const { body } = await list({ limit: 2, sort: 'title' }, owner);
    const cursor = body.data.pagination.nextCursor;
    expect((await list({ cursor, sort: '-title' }, owner)).status).toBe(400);
    expect((await list({ cursor, sort: 'title', page: 2 }, owner)).status).toBe(400);
  });

  test('refuses a repeated parameter', async () => {
    const response = await fetch(`${api.url}/api/collections?limit=2&limit=3`, {
      headers: { authorization: `Bearer ${owner.token}` },
    });
    expect(response.status).toBe(400);
  });
});
