// @module-tag slow

import { eq, sql } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import {
  activities,
  assets,
  collections,
  invitations,
  memberships,
  organizations,
  uploads,
  users,
} from '../../../db/generated/schema.ts';
import { newId } from '../../../kernel/ids.ts';
import { newUser } from '../../../testing/accounts.ts';
import { call, send, type CallOptions, type TestResponse } from '../../../testing/api.ts';
import { filledTeam } from '../../../testing/filled-team.ts';
import { rowsOfOrganization } from '../../../testing/fingerprints.ts';
import {
  completion,
  initiate,
  putParts,
  someFile,
  untilFollowed,
  untilIdle,
} from '../../../testing/library.ts';
import { leftBehind } from '../../../testing/tenant-rows.ts';
import { joinTeam, newTeam, whileLocked } from '../../../testing/organizations.ts';
import { setUpApi } from '../../../testing/set-up.ts';

const api = await setUpApi();
const [owner, ada, stranger, platformAdministrator] = await Promise.all([
  newUser(api, 'owner'),
  newUser(api, 'ada'),
  newUser(api, 'stranger'),
  newUser(api, 'operator'),
]);
await api.db
  .update(users)
  .set({ platformRole: 'ADMIN' })
  .where(eq(users.id, platformAdministrator.id));

const remove = (id: string, confirmName: string, options: CallOptions = {}) =>
  call(api, 'organizations.remove', {
    token: owner.token,
    params: { id },
    query: { confirmName },
    ...options,
  });
const get = (id: string, as = owner) =>
  call(api, 'organizations.get', { token: as.token, params: { id } });
const within = (id: string, as = owner): CallOptions => ({ token: as.token, organizationId: id });
const createCollection = (id: string, as = owner) =>
  call(api, 'collections.create', { ...within(id, as), body: { title: 'Pictures' } });
const rowOf = async (id: string) => {
  const [row] = await api.db.select().from(organizations).where(eq(organizations.id, id));
  return row;
};
/** Creates a team of the owner with records of every kind. */
const fullTeam = (mark: string) => filledTeam(api, { owner, member: ada, mark, times: 2 });
const file = someFile(3);

async function publicPathOf(organizationId: string, assetId: string): Promise<string> {
  const { body } = await call(api, 'assets.update', {
    ...within(organizationId),
    params: { id: assetId },
    body: { publicLinkEnabled: true },
  });
  return new URL(body.data.assetShortUrl).pathname;
}

async function addAccepted(organizationId: string): Promise<void> {
  await api.db.insert(invitations).values({
    organizationId,
    id: newId(),
    email: 'accepted@example.com',
    role: 'MEMBER',
    status: 'ACCEPTED',
    invitedBy: owner.id,
    createdAt: new Date(),
    expiresAt: new Date(),
  });
}

async function statusesIn(table: typeof invitations | typeof uploads, organizationId: string) {
  const rows = await api.db
    .select({ status: table.status })
    .from(table)
    .where(eq(table.organizationId, organizationId));
  return rows.map(({ status }) => status).toSorted();
}
const invitationsOf = (id: string) => statusesIn(invitations, id);
const uploadsOf = (id: string) => statusesIn(uploads, id);

const deletionsOf = (id: string) =>
  api.db
    .select()
    .from(activities)
    .where(sql`${activities.resourceId} = ${id} and ${activities.action} = 'organization.delete'`);

describe('deleting an organization', () => {
  test('deletes everything in it and nothing else, and records it once', async () => {
    const [team, beside] = [await fullTeam('team'), await fullTeam('beside')];
    const { organizationId: id, binnedCollectionId: binned } = team;
    // Its index of search is made from its activities.
    await untilFollowed(api);
    await untilIdle(api);
    const besideBefore = await rowsOfOrganization(api, beside.organizationId);
    await addAccepted(id);
    const longAgo = new Date('2020-01-01T00:00:00Z');
    await api.db.update(collections).set({ deletedAt: longAgo }).where(eq(collections.id, binned));

    const { status, body } = await remove(id, team.name);
    expect([status, body]).toEqual([200, { message: 'Organization deleted', data: { id } }]);
    expect(await leftBehind(api, id)).toEqual([]);
    expect(await invitationsOf(id)).toEqual(['ACCEPTED', 'REVOKED']);
    expect(new Set(await uploadsOf(id))).toEqual(new Set(['ABORTED', 'COMPLETED']));
    const row = await rowOf(id);
    expect(row).toMatchObject({ name: team.name, deletedAt: expect.any(Date) });
    const binnedAt = await api.db
      .select({ id: collections.id, deletedAt: collections.deletedAt })
      .from(collections)
      .where(eq(collections.organizationId, id));
    expect(binnedAt).toContainEqual({ id: binned, deletedAt: longAgo });
    expect(binnedAt).toContainEqual({ id: team.collectionId, deletedAt: row?.deletedAt });
    const [asset] = await api.db.select().from(assets).where(eq(assets.id, team.assetId));
    expect(asset?.deletedAt).toEqual(row?.deletedAt);
    expect(await deletionsOf(id)).toEqual([
      expect.objectContaining({
        actorId: owner.id,
        organizationId: id,
        resourceType: 'organization',
        resourceName: team.name,
        metadata: { memberCount: 2 },
      }),
    ]);
    expect(await rowsOfOrganization(api, beside.organizationId)).toEqual(besideBefore);
    expect((await rowOf(beside.organizationId))?.deletedAt).toBeNull();
  });

  test('ends all access', async () => {
    const { organizationId: id, name, assetId } = await fullTeam('team');
    const team = { id, shortPath: await publicPathOf(id, assetId) };
    const shortLink = () => send(api, team.shortPath, { redirect: 'manual' });
    const administrate = () => call(api, 'timeline.list', within(team.id, platformAdministrator));
    expect((await shortLink()).status).toBe(302);
    expect((await administrate()).body?.code).not.toBe('organization_access_denied');
    expect((await remove(team.id, name)).status).toBe(200);

    for (const user of [owner, ada, stranger, platformAdministrator]) {
      const byHeader = [
        await call(api, 'collections.list', within(team.id, user)),
        await createCollection(team.id, user),
      ];
      for (const { status, body } of byHeader) {
        expect([status, body.code]).toEqual([403, 'organization_access_denied']);
      }
      const byPath = [
        await get(team.id, user),
        await remove(team.id, name, { token: user.token }),
        await call(api, 'organizations.listMembers', {
          token: user.token,
          params: { id: team.id },
        }),
      ];
      for (const { status, body } of byPath) {
        expect([status, body.code]).toEqual([404, 'not_found']);
      }
      const own = await call(api, 'organizations.list', { token: user.token });
      const ids = own.body.data.items.map(({ id }: { id: string }) => id);
      expect(ids).not.toContain(team.id);
    }
    for (const user of [owner, platformAdministrator]) {
      const { status, body } = await call(api, 'timeline.list', within(team.id, user));
      expect([status, body.code]).toEqual([403, 'organization_access_denied']);
    }
    expect((await shortLink()).status).toBe(404);
    expect(await deletionsOf(team.id)).toHaveLength(1);
  });

  test.each([
    'analytical engines',
    'Analytical Engine',
    ' Analytical Engines',
    'Analytical  Engines',
  ])('is refused when the confirmation is %j', async (confirmName) => {
    const team = await newTeam(api, owner, 'Analytical Engines');
    const { status, body } = await remove(team.id, confirmName);
    expect([status, body.code]).toEqual([400, 'confirmation_mismatch']);
    expect((await rowOf(team.id))?.deletedAt).toBeNull();
    expect((await get(team.id)).status).toBe(200);
  });

  test('is refused without a name and with its old name, and accepts its new one', async () => {
    const team = await newTeam(api, owner, 'Before');
    for (const query of [{}, { confirmName: '' }, { confirmName: 'x'.repeat(81) }]) {
      const { status, body } = await remove(team.id, '', { query });
      expect([status, body.code]).toEqual([400, 'validation_failed']);
      expect(body.errors[0]).toMatchObject({ in: 'query', path: ['confirmName'] });
    }
    await call(api, 'organizations.rename', {
      token: owner.token,
      params: { id: team.id },
      body: { name: '100% 🦊 & Söhne?' },
    });
    expect((await remove(team.id, 'Before')).body.code).toBe('confirmation_mismatch');
    expect((await remove(team.id, '100% 🦊 & Söhne?')).status).toBe(200);
  });

  test('is allowed to owners only', async () => {
    const team = await newTeam(api, owner);
    for (const role of ['ADMIN', 'MEMBER', 'VIEWER'] as const) {
      const { memberId } = await joinTeam(api, team.id, ada, role);
      const { status, body } = await remove(team.id, 'Analytical Engines', { token: ada.token });
      expect([status, body.code]).toEqual([403, 'permission_denied']);
      await api.db.delete(memberships).where(eq(memberships.id, memberId));
    }
    for (const { token } of [stranger, platformAdministrator]) {
      const { status, body } = await remove(team.id, 'Analytical Engines', { token });
      expect([status, body.code]).toEqual([404, 'not_found']);
    }
    expect((await rowOf(team.id))?.deletedAt).toBeNull();
    await joinTeam(api, team.id, ada, 'OWNER');
    const byTheSecond = await remove(team.id, 'Analytical Engines', { token: ada.token });
    expect(byTheSecond.status).toBe(200);
  });

  test('is refused for a personal one', async () => {
    for (const name of ['Personal', 'wrong']) {
      const { status, body } = await remove(owner.organizationId, name);
      expect([status, body.code]).toEqual([409, 'personal_organization']);
    }
    expect((await get(owner.organizationId)).status).toBe(200);
  });

  test('with the If-Match of an earlier state is a 412 that changes nothing', async () => {
    const team = await newTeam(api, owner);
    const stale = String((await get(team.id)).headers.get('etag'));
    await joinTeam(api, team.id, ada, 'MEMBER');
    const current = String((await get(team.id)).headers.get('etag'));
    const refused = await remove(team.id, 'Analytical Engines', { headers: { 'if-match': stale } });
    expect([refused.status, refused.body.code]).toEqual([412, 'precondition_failed']);
    expect((await rowOf(team.id))?.deletedAt).toBeNull();
    const headers = { 'if-match': current };
    expect((await remove(team.id, 'Analytical Engines', { headers })).status).toBe(200);
  });
});

describe('deleting an organization in parallel', () => {
  test('20 times deletes once', async () => {
    const team = await newTeam(api, owner);
    const responses = await Promise.all(
      Array.from({ length: 20 }, () => remove(team.id, 'Analytical Engines')),
    );
    expect(responses.map(({ status }) => status).toSorted()).toEqual([200, ...Array(19).fill(404)]);
    expect(await deletionsOf(team.id)).toHaveLength(1);
  });

  test('with waiting changes of it makes them fail', async () => {
    const team = await newTeam(api, owner);
    const { memberId } = await joinTeam(api, team.id, ada, 'ADMIN');
    const changes: (() => Promise<TestResponse>)[] = [
      () =>
        call(api, 'organizations.rename', {
          token: ada.token,
          params: { id: team.id },
          body: { name: 'Too late' },
        }),
      () =>
        call(api, 'organizations.updateMember', {
          token: owner.token,
          params: { id: team.id, memberId },
          body: { role: 'OWNER' },
        }),
      () =>
        call(api, 'organizations.removeMember', {
          token: ada.token,
          params: { id: team.id, memberId },
        }),
      () => createCollection(team.id, ada),
    ];
    const responses = await whileLocked(api, team.id, changes, async (tx) => {
      await tx.delete(memberships).where(eq(memberships.organizationId, team.id));
      await tx
        .update(organizations)
        .set({ deletedAt: new Date() })
        .where(eq(organizations.id, team.id));
    });
    expect(responses.map(({ status, body }) => [status, body.code])).toEqual([
      [404, 'not_found'],
      [404, 'not_found'],
      [404, 'not_found'],
      [403, 'organization_access_denied'],
    ]);
    expect(await api.db.$count(activities, eq(activities.organizationId, team.id))).toBe(0);
    expect(await api.db.$count(collections, eq(collections.organizationId, team.id))).toBe(0);
  });

  test('with writing members and completing uploads leaves nothing outside the bin', async () => {
    for (let round = 1; round <= 5; round += 1) {
      const { id } = await newTeam(api, owner);
      await joinTeam(api, id, ada, 'MEMBER');
      const collectionId: string = (await createCollection(id)).body.data.id;
      const started = await Promise.all(
        [1, 2, 3].map(async () => {
          const upload = await initiate(api, owner, file, { collectionId, organizationId: id });
          return completion(upload, file, collectionId, await putParts(upload, file.content));
        }),
      );
      const writing = Array.from({ length: 30 }, (_, index) =>
        createCollection(id, index % 2 ? ada : owner),
      );
      const completing = started.map((body) =>
        call(api, 'uploads.complete', { ...within(id), body }),
      );
      await Promise.race([...writing, ...completing]);
      expect((await remove(id, 'Analytical Engines')).status).toBe(200);

      for (const { status } of await Promise.all(writing)) expect([201, 403]).toContain(status);
      for (const { status, body } of await Promise.all(completing)) {
        expect([200, 400, 403, 404]).toContain(status);
        if (status === 400) expect(body.code).toBe('upload_not_active');
      }
      expect(await leftBehind(api, id)).toEqual([]);
      expect(await uploadsOf(id)).not.toContain('ACTIVE');
    }
  });
});
