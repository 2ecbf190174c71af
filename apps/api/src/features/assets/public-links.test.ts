import type { PublicLinks, Role } from '@atelier/contract';
import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { activities, assets } from '../../db/generated/schema.ts';
import { newUser, type TestUser } from '../../testing/accounts.ts';
import { call } from '../../testing/api.ts';
import { newCollection, someFile, uploadFile } from '../../testing/library.ts';
import { setUpApi } from '../../testing/set-up.ts';
import { storeTeam } from '../../testing/teams.ts';

const api = await setUpApi();
const [owner, admin, member, viewer] = await Promise.all([
  newUser(api),
  newUser(api),
  newUser(api),
  newUser(api),
]);

interface Team {
  readonly organizationId: string;
  readonly collectionId: string;
}

async function newTeam(publicLinks?: PublicLinks): Promise<Team> {
  const organizationId = await storeTeam(api, owner, [
    { user: admin, role: 'ADMIN' },
    { user: member, role: 'MEMBER' },
    { user: viewer, role: 'VIEWER' },
  ]);
  if (publicLinks) expect((await set(organizationId, { publicLinks })).status).toBe(200);
  const { body } = await call(api, 'collections.create', {
    token: owner.token,
    organizationId,
    body: { title: 'Pictures' },
  });
  return { organizationId, collectionId: body.data.id };
}

const set = (id: string, body: object, options: { as?: TestUser; ifMatch?: string } = {}) =>
  call(api, 'organizations.rename', {
    token: (options.as ?? owner).token,
    params: { id },
    body,
    ...(options.ifMatch !== undefined && { headers: { 'if-match': options.ifMatch } }),
  });
const upload = (team: Team, assetId?: string) =>
  uploadFile(api, owner, someFile(9), { ...team, ...(assetId !== undefined && { assetId }) });
const link = (id: string, { organizationId }: Team, publicLinkEnabled: boolean) =>
  call(api, 'assets.update', {
    token: owner.token,
    organizationId,
    params: { id },
    body: { publicLinkEnabled },
  });
async function follow({ assetShortUrl }: { assetShortUrl: string }): Promise<number> {
  const code = String(assetShortUrl.split('/').at(-1));
  return (await call(api, 'assets.followShortLink', { params: { code } })).status;
}

describe('a new asset', () => {
  test('in a personal organization starts with a public link', async () => {
    const collectionId = await newCollection(api, owner);
    const asset = await uploadFile(api, owner, someFile(9), { collectionId });
    expect([asset.publicLinkEnabled, await follow(asset)]).toEqual([true, 302]);
  });

  test.each([
    [undefined, false, 404],
    ['OFF_FOR_NEW', false, 404],
    ['ON_FOR_NEW', true, 302],
    ['FORBIDDEN', false, 404],
  ] as const)('of a team that says %s: public %s, %i', async (publicLinks, isPublic, status) => {
    const team = await newTeam(publicLinks);
    const asset = await upload(team);
    expect([asset.publicLinkEnabled, await follow(asset)]).toEqual([isPublic, status]);
    // A new version doesn't change this.
    const changed = await upload(team, asset.id);
    expect([changed.publicLinkEnabled, await follow(changed)]).toEqual([isPublic, status]);
    expect(changed.assetShortUrl).toBe(asset.assetShortUrl);
  });

  test.each([
    ['OFF_FOR_NEW', false],
    ['ON_FOR_NEW', true],
    ['FORBIDDEN', false],
  ] as const)('that is published into a team that says %s: public %s', async (says, isPublic) => {
    const collectionId = await newCollection(api, owner);
    const own = await uploadFile(api, owner, someFile(9), { collectionId });
    const { organizationId } = await newTeam(says);
    const { status, body } = await call(api, 'assets.publish', {
      token: owner.token,
      organizationId,
      params: { id: own.id },
      body: {},
    });
    expect([status, body.data.publicLinkEnabled]).toEqual([201, isPublic]);
    expect([await follow(body.data), await follow(own)]).toEqual([isPublic ? 302 : 404, 302]);
  });
});

describe('a team that forbids public links', () => {
  test('makes existing ones respond 404, and restores them when it allows them again', async () => {
    const team = await newTeam('ON_FOR_NEW');
    const asset = await upload(team);
    expect(await follow(asset)).toBe(302);
    await set(team.organizationId, { publicLinks: 'FORBIDDEN' });
    expect(await follow(asset)).toBe(404);
    await set(team.organizationId, { publicLinks: 'OFF_FOR_NEW' });
    expect(await follow(asset)).toBe(302);
  });

  test('prevents everyone from switching one on, but lets every editor switch one off', async () => {
    const team = await newTeam('ON_FOR_NEW');
    const [asset, off] = [await upload(team), await upload(team)];
    await link(off.id, team, false);
    await set(team.organizationId, { publicLinks: 'FORBIDDEN' });
    const refused = await link(off.id, team, true);
    expect([refused.status, refused.body.code]).toEqual([409, 'public_links_forbidden']);
    const [row] = await api.db.select().from(assets).where(eq(assets.id, off.id));
    expect(row?.publicLinkEnabled).toBe(false);
    expect((await link(asset.id, team, false)).body.data.publicLinkEnabled).toBe(false);
    await set(team.organizationId, { publicLinks: 'OFF_FOR_NEW' });
    expect(await follow(asset)).toBe(404);
    const on = await link(asset.id, team, true);
    expect([on.status, await follow(on.body.data)]).toEqual([200, 302]);
  });

  test('prevents 40 concurrent requests from switching one on', async () => {
    const team = await newTeam();
    const made = await Promise.all(Array.from({ length: 8 }, () => upload(team)));
    const attempts = Array.from({ length: 40 }, (_, index) =>
      link(made[index % made.length]?.id ?? '', team, index % 5 !== 0),
    );
    await set(team.organizationId, { publicLinks: 'FORBIDDEN' });
    for (const { status } of await Promise.all(attempts)) expect([200, 409]).toContain(status);
    const list = await call(api, 'assets.list', {
      token: owner.token,
      organizationId: team.organizationId,
    });
    for (const asset of list.body.data.items) expect(await follow(asset)).toBe(404);
  });
});

describe('the public links of an organization', () => {
  test.each([
    ['OWNER', 200],
    ['ADMIN', 200],
    ['MEMBER', 403],
    ['VIEWER', 403],
  ] satisfies [Role, number][])('are set by %s: %i', async (role, expected) => {
    const { organizationId } = await newTeam();
    const as = { OWNER: owner, ADMIN: admin, MEMBER: member, VIEWER: viewer }[role];
    const { status } = await set(organizationId, { publicLinks: 'FORBIDDEN' }, { as });
    expect(status).toBe(expected);
    const read = await call(api, 'organizations.get', {
      token: owner.token,
      params: { id: organizationId },
    });
    expect(read.body.data.publicLinks).toBe(status === 200 ? 'FORBIDDEN' : 'OFF_FOR_NEW');
  });

  test('change with one activity that names the changes, and without one when unchanged', async () => {
    const { organizationId } = await newTeam();
    const recorded = async () =>
      (await api.db.select().from(activities).where(eq(activities.resourceId, organizationId))).map(
        ({ action, changes }) => ({ action, changes }),
      );
    await set(organizationId, { publicLinks: 'OFF_FOR_NEW' });
    expect(await recorded()).toEqual([]);
    await set(organizationId, { publicLinks: 'FORBIDDEN' });
    await set(organizationId, { publicLinks: 'ON_FOR_NEW', name: 'Open' });
    expect(await recorded()).toEqual([
      {
        action: 'organization.update',
        changes: [{ field: 'publicLinks', from: 'OFF_FOR_NEW', to: 'FORBIDDEN' }],
      },
      {
        action: 'organization.rename',
        changes: [
          { field: 'name', from: 'Team', to: 'Open' },
          { field: 'publicLinks', from: 'FORBIDDEN', to: 'ON_FOR_NEW' },
        ],
      },
    ]);
  });

  test('are part of its ETag', async () => {
    const { organizationId } = await newTeam();
    const params = { id: organizationId };
    const { headers } = await call(api, 'organizations.get', { token: owner.token, params });
    const ifMatch = String(headers.get('etag'));
    expect((await set(organizationId, { publicLinks: 'FORBIDDEN' }, { ifMatch })).status).toBe(200);
    const late = await set(organizationId, { publicLinks: 'ON_FOR_NEW' }, { ifMatch });
    expect([late.status, late.body.code]).toEqual([412, 'precondition_failed']);
  });

  test.each([[{}], [{ publicLinks: 'ON' }], [{ publicLinks: null }], [{ other: 1 }]])(
    'are not set by %j',
    async (body) => {
      const { organizationId } = await newTeam();
      const { status, body: response } = await set(organizationId, body);
      expect([status, response.code]).toEqual([400, 'validation_failed']);
    },
  );

  test('of a personal organization are on and stay so', async () => {
    const id = owner.organizationId;
    const refused = await set(id, { publicLinks: 'FORBIDDEN' });
    expect([refused.status, refused.body.code]).toEqual([409, 'personal_organization']);
    const same = await set(id, { publicLinks: 'ON_FOR_NEW' });
    expect([same.status, same.body.data.publicLinks]).toEqual([200, 'ON_FOR_NEW']);
  });

  test('end with the organization and with the asset, whose link follows it out of the bin', async () => {
    const team = await newTeam('ON_FOR_NEW');
    const [asset, binned] = [await upload(team), await upload(team)];
    const options = {
      token: owner.token,
      organizationId: team.organizationId,
      params: { id: binned.id },
    };
    await call(api, 'assets.remove', options);
    expect(await follow(binned)).toBe(404);
    await call(api, 'assets.restore', options);
    expect(await follow(binned)).toBe(302);
    const deleted = await call(api, 'organizations.remove', {
      token: owner.token,
      params: { id: team.organizationId },
      query: { confirmName: 'Team' },
    });
    expect(deleted.status).toBe(200);
    expect([await follow(asset), await follow(binned)]).toEqual([404, 404]);
  });
});
