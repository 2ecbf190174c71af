// @module-tag slow

import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { memberships, organizations } from '../../db/generated/schema.ts';
import { newId } from '../../kernel/ids.ts';
import { activitiesOf } from '../../testing/activities.ts';
import { newUser, type TestUser } from '../../testing/accounts.ts';
import { call, type CallOptions } from '../../testing/api.ts';
import { joinTeam, newTeam } from '../../testing/organizations.ts';
import { setUpApi } from '../../testing/set-up.ts';

const api = await setUpApi();
const [user, other] = await Promise.all([newUser(api, 'ada'), newUser(api, 'grace')]);

const create = (name: unknown, options: CallOptions = {}) =>
  call(api, 'organizations.create', { token: user.token, body: { name }, ...options });
const list = (query: NonNullable<CallOptions['query']> = {}, as: TestUser = user) =>
  call(api, 'organizations.list', { token: as.token, query });
const get = (id: string, options: CallOptions = {}) =>
  call(api, 'organizations.get', { token: user.token, params: { id }, ...options });
const rename = (id: string, name: unknown, options: CallOptions = {}) =>
  call(api, 'organizations.rename', {
    token: user.token,
    params: { id },
    body: { name },
    ...options,
  });
const ifMatch = (eTag: string | null) => ({ headers: { 'if-match': String(eTag) } });
const slugOf = async (id: string) => (await get(id)).body.data.slug;

describe('creating an organization', () => {
  test('creates a team with the caller as its owner, and records it once', async () => {
    const { status, headers, body } = await create('  Analytical Engines  ');
    expect([status, body.message]).toEqual([201, 'Organization created']);
    expect(body.data).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
      name: 'Analytical Engines',
      slug: 'analytical-engines',
      type: 'TEAM',
      ownerId: user.id,
      planCode: 'FREE',
      memberCount: 1,
      myRole: 'OWNER',
      publicLinks: 'OFF_FOR_NEW',
      mailContent: 'TITLES',
      secondFactorRequiredFrom: null,
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      updatedAt: body.data.createdAt,
    });
    const { id } = body.data;
    const read = await get(id);
    expect(read.body).toEqual({ message: 'Organization retrieved', data: body.data });
    expect(read.headers.get('etag')).toBe(headers.get('etag'));
    const members = await api.db
      .select()
      .from(memberships)
      .where(eq(memberships.organizationId, id));
    expect(members).toEqual([
      expect.objectContaining({ userId: user.id, role: 'OWNER', status: 'ACTIVE' }),
    ]);
    expect(await activitiesOf(api, id)).toEqual([
      expect.objectContaining({
        action: 'organization.create',
        actorId: user.id,
        organizationId: id,
        resourceType: 'organization',
        resourceName: 'Analytical Engines',
        changes: [{ field: 'name', from: null, to: 'Analytical Engines' }],
      }),
    ]);
  });

  test('is usable by its header at once', async () => {
    const { body } = await create('Usable');
    const created = await call(api, 'collections.create', {
      token: user.token,
      organizationId: body.data.id,
      body: { title: 'First' },
    });
    expect([created.status, created.body.data.organizationId]).toEqual([201, body.data.id]);
  });

  test('20 times in parallel with one name creates 20 with distinct slugs', async () => {
    // The maximum number for one account.
    const { token } = await newUser(api, 'crowd');
    const responses = await Promise.all(
      Array.from({ length: 20 }, () => create('Crowded Place', { token })),
    );
    expect(responses.map(({ status }) => status)).toEqual(Array(20).fill(201));
    const slugs = responses.map(({ body }) => body.data.slug);
    expect(new Set(slugs).size).toBe(20);
    expect(slugs.filter((slug) => slug === 'crowded-place')).toHaveLength(1);
    for (const slug of slugs) expect(slug).toMatch(/^crowded-place(-[0-9a-f]{8})?$/);
    const stored = await api.db
      .select({ id: organizations.id })
      .from(organizations)
      .where(eq(organizations.name, 'Crowded Place'));
    expect(stored).toHaveLength(20);
  });

  test('twice with one idempotency key creates one, also in parallel', async () => {
    const once = { headers: { 'idempotency-key': newId() } };
    const first = await create('Only Once', once);
    const again = await create('Only Once', once);
    expect([again.status, again.text]).toEqual([201, first.text]);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    const changed = await create('Other', once);
    expect([changed.status, changed.body.code]).toEqual([422, 'idempotency_key_reused']);

    const overloaded = { headers: { 'idempotency-key': newId() } };
    const responses = await Promise.all(
      Array.from({ length: 10 }, () => create('Only Once', overloaded)),
    );
    for (const { status } of responses) expect([201, 409]).toContain(status);
    const ids = responses.flatMap(({ status, body }) => (status === 201 ? [body.data.id] : []));
    expect(new Set(ids).size).toBe(1);
    const stored = await api.db.$count(organizations, eq(organizations.name, 'Only Once'));
    expect(stored).toBe(2);
  });

  test.each([
    ['nothing', undefined],
    ['null', null],
    ['blanks', ' \t '],
    ['81 characters', 'x'.repeat(81)],
    ['81 emoji', '🦊'.repeat(81)],
    ['NUL', 'a\0'],
    ['a lone surrogate', 'a\udfff'],
    ['a list', ['x']],
  ])('with a name of %s is refused and stores nothing', async (_, name) => {
    const before = await api.db.$count(organizations);
    const { status, body } = await create(name);
    expect([status, body.code]).toEqual([400, 'validation_failed']);
    expect(body.errors).toEqual([expect.objectContaining({ in: 'body', path: ['name'] })]);
    expect(await api.db.$count(organizations)).toBe(before);
  });

  test('accepts 80 emoji, and ignores unknown fields', async () => {
    const { status, body } = await create('', {
      body: {
        name: '🦊'.repeat(80),
        id: newId(),
        type: 'PERSONAL',
        slug: 'mine',
        ownerId: other.id,
        planCode: 'BUSINESS',
      },
    });
    expect(status).toBe(201);
    expect(body.data).toMatchObject({ type: 'TEAM', ownerId: user.id, planCode: 'FREE' });
    expect(body.data.slug).toMatch(/^team(-[0-9a-f]{8})?$/);
  });

  test('requires a token', async () => {
    const { status, body } = await call(api, 'organizations.create', { body: { name: 'x' } });
    expect([status, body.code]).toEqual([401, 'unauthenticated']);
  });
});

describe('listing organizations', () => {
  test('shows those with an active membership of the caller, including the personal one, and no other', async () => {
    const viewer = await newUser(api);
    const owned = await newTeam(api, viewer, 'Owned');
    const joined = await newTeam(api, other, 'Joined');
    const suspended = await newTeam(api, other, 'Suspended');
    await newTeam(api, other, 'Foreign');
    await joinTeam(api, joined.id, viewer, 'VIEWER');
    await joinTeam(api, joined.id, user, 'MEMBER', 'SUSPENDED');
    await joinTeam(api, suspended.id, viewer, 'ADMIN', 'SUSPENDED');

    const { status, body } = await list({ sort: '-name' }, viewer);
    expect([status, body.message]).toEqual([200, 'Organizations retrieved']);
    expect(
      body.data.items.map(({ id, name, type, myRole, memberCount }: Record<string, unknown>) => [
        id,
        name,
        type,
        myRole,
        memberCount,
      ]),
    ).toEqual([
      [viewer.organizationId, 'Personal', 'PERSONAL', 'OWNER', 1],
      [owned.id, 'Owned', 'TEAM', 'OWNER', 1],
      [joined.id, 'Joined', 'TEAM', 'VIEWER', 3],
    ]);
    expect(body.data.pagination).toEqual({
      page: 1,
      limit: 20,
      total: 3,
      totalPages: 1,
      hasNext: false,
    });
    const read = await get(joined.id, { token: viewer.token });
    expect(body.data.items[2]).toEqual(read.body.data);
    expect((await get(suspended.id, { token: viewer.token })).status).toBe(404);
  });

  test('filters by type and by literal text', async () => {
    const seeker = await newUser(api);
    await newTeam(api, seeker, '100% Wool');
    await newTeam(api, seeker, '1000 Wool');
    await newTeam(api, seeker, 'Snake_Case');
    const names = async (query: NonNullable<CallOptions['query']>) => {
      const { data } = (await list(query, seeker)).body;
      expect(data.pagination.total).toBe(data.items.length);
      return data.items.map(({ name }: { name: string }) => name);
    };
    expect(await names({ type: 'PERSONAL' })).toEqual(['Personal']);
    expect(await names({ type: 'TEAM' })).toEqual(['100% Wool', '1000 Wool', 'Snake_Case']);
    expect(await names({ q: 'wOOL' })).toEqual(['100% Wool', '1000 Wool']);
    expect(await names({ q: '0%' })).toEqual(['100% Wool']);
    expect(await names({ q: '_' })).toEqual(['Snake_Case']);
    expect(await names({ q: '\\' })).toEqual([]);
    expect(await names({ q: 'wool', type: 'PERSONAL' })).toEqual([]);
  });

  test('pages through each order without gaps or repeats, and keeps the total past the end', async () => {
    const collector = await newUser(api);
    for (const [index, name] of ['b', 'A', 'b', 'C', 'a'].entries()) {
      const { id } = await newTeam(api, collector, name);
      const createdAt = new Date(Date.now() + (index + 1) * 1000);
      await api.db.update(organizations).set({ createdAt }).where(eq(organizations.id, id));
    }
    const walk = async (sort: string) => {
      const items: Record<string, string>[] = [];
      for (const page of [1, 2, 3, 4]) {
        const { data } = (await list({ sort, limit: 2, page }, collector)).body;
        expect(data.pagination).toEqual({
          page,
          limit: 2,
          total: 6,
          totalPages: 3,
          hasNext: page < 3,
        });
        items.push(...data.items);
      }
      expect(new Set(items.map(({ id }) => id)).size).toBe(6);
      return items;
    };
    const byName = await walk('name');
    expect(byName.map(({ name }) => name?.toLowerCase())).toEqual([
      'a',
      'a',
      'b',
      'b',
      'c',
      'personal',
    ]);
    expect(await walk('-name')).toEqual(byName.toReversed());
    const byAge = await walk('createdAt');
    expect(byAge.map(({ name }) => name)).toEqual(['Personal', 'b', 'A', 'b', 'C', 'a']);
    expect(await walk('-createdAt')).toEqual(byAge.toReversed());
  });

  test.each([
    ['page', '0'],
    ['limit', '101'],
    ['type', 'SECRET'],
    ['sort', 'slug'],
    ['q', 'x'.repeat(201)],
  ])('refuses %s=%s', async (field, value) => {
    const { status, body } = await list({ [field]: value });
    expect([status, body.errors[0].path]).toEqual([400, [field]]);
  });
});

describe('reading an organization', () => {
  test('returns the same 404 for one of others, an unknown and a deleted one', async () => {
    const deleted = await newTeam(api, user);
    await api.db
      .update(organizations)
      .set({ deletedAt: new Date() })
      .where(eq(organizations.id, deleted.id));
    for (const id of [other.organizationId, newId(), deleted.id]) {
      for (const response of [await get(id), await rename(id, 'Taken')]) {
        expect([response.status, response.body.code]).toEqual([404, 'not_found']);
      }
    }
    expect((await get('personal')).status).toBe(400);
  });

  test('responds 304 when unchanged, until a member joins', async () => {
    const team = await newTeam(api, user);
    const eTag = String((await get(team.id)).headers.get('etag'));
    const known = { headers: { 'if-none-match': eTag } };
    const unchanged = await get(team.id, known);
    expect([unchanged.status, unchanged.text]).toEqual([304, '']);
    await joinTeam(api, team.id, other, 'MEMBER');
    const changed = await get(team.id, known);
    expect([changed.status, changed.body.data.memberCount]).toEqual([200, 2]);
    const theirs = await get(team.id, { token: other.token });
    expect(theirs.body.data).toEqual({ ...changed.body.data, myRole: 'MEMBER' });
  });
});

describe('renaming an organization', () => {
  test('returns the updated organization, keeps its slug, and records the changes', async () => {
    const created = (await create('First Name')).body.data;
    api.clock.advance({ seconds: 1 });
    const { status, body, headers } = await rename(created.id, '  Second Name ');
    expect([status, body.message]).toEqual([200, 'Organization updated']);
    expect(body.data).toEqual({
      ...created,
      name: 'Second Name',
      updatedAt: expect.any(String),
    });
    expect(body.data.updatedAt > created.updatedAt).toBe(true);
    const read = await get(created.id);
    expect(read.body.data).toEqual(body.data);
    expect(read.headers.get('etag')).toBe(headers.get('etag'));
    expect((await activitiesOf(api, created.id))[1]).toMatchObject({
      action: 'organization.rename',
      actorId: user.id,
      organizationId: created.id,
      resourceName: 'Second Name',
      changes: [{ field: 'name', from: 'First Name', to: 'Second Name' }],
    });

    const same = await rename(created.id, 'Second Name');
    expect([same.status, same.body.data]).toEqual([200, body.data]);
    expect(await activitiesOf(api, created.id)).toHaveLength(2);
  });

  test('allows equal names, and a name for the personal one', async () => {
    const [one, two] = [await newTeam(api, user), await newTeam(api, user)];
    for (const id of [one.id, two.id, user.organizationId]) {
      const { status, body } = await rename(id, 'Everywhere');
      expect([status, body.data.name]).toEqual([200, 'Everywhere']);
    }
    expect(await slugOf(one.id)).not.toBe(await slugOf(two.id));
  });

  test('depends on the role', async () => {
    const team = await newTeam(api, user, 'Before');
    const expected = { ADMIN: 200, MEMBER: 403, VIEWER: 403 } as const;
    for (const role of ['MEMBER', 'VIEWER', 'ADMIN'] as const) {
      const member = await newUser(api);
      await joinTeam(api, team.id, member, role);
      const { status, body } = await rename(team.id, `By ${role}`, { token: member.token });
      expect([role, status]).toEqual([role, expected[role]]);
      if (status === 403) expect(body.code).toBe('permission_denied');
    }
    expect((await get(team.id)).body.data.name).toBe('By ADMIN');
    expect(await activitiesOf(api, team.id)).toHaveLength(1);
  });

  test('20 times in parallel with the same If-Match succeeds once', async () => {
    const team = await newTeam(api, user);
    const eTag = (await get(team.id)).headers.get('etag');
    const responses = await Promise.all(
      Array.from({ length: 20 }, (_, index) => rename(team.id, `Name ${index}`, ifMatch(eTag))),
    );
    const winners = responses.filter(({ status }) => status === 200);
    expect(winners).toHaveLength(1);
    for (const { status, body } of responses.filter((response) => response !== winners[0])) {
      expect([status, body.code]).toEqual([412, 'precondition_failed']);
    }
    expect((await get(team.id)).body.data).toEqual(winners[0]?.body.data);
    expect(await activitiesOf(api, team.id)).toHaveLength(1);
  });

  test('is refused with an invalid name', async () => {
    const team = await newTeam(api, user, 'Kept');
    for (const name of [undefined, null, '', ' ', 'x'.repeat(81), 'a\0', 7]) {
      const { status, body } = await rename(team.id, name);
      expect([status, body.code]).toEqual([400, 'validation_failed']);
    }
    expect((await get(team.id)).body.data.name).toBe('Kept');
  });
});
