import { sql } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { newId } from '../../../kernel/ids.ts';
import { newUser } from '../../../testing/accounts.ts';
import { call, type CallOptions } from '../../../testing/api.ts';
import {
  inspected,
  newCollection,
  someFile,
  type TestFile,
  uploadFile,
} from '../../../testing/library.ts';
import { joinTeam, newTeam } from '../../../testing/organizations.ts';
import {
  newTeamCollection,
  objectsOf,
  publicationsIn,
  publish,
  publishedFrom,
  usageOf,
} from '../../../testing/publishing.ts';
import { setUpApiWithUser } from '../../../testing/set-up.ts';

const { api, user } = await setUpApiWithUser();
const collectionId = await newCollection(api, user);

const team = async () => (await newTeam(api, user)).id;
const upload = async (file: TestFile, assetId?: string) => {
  const target = { collectionId, ...(assetId !== undefined && { assetId }) };
  const asset = await uploadFile(api, user, file, target);
  await inspected(api, asset.id);
  return asset;
};
const into = (organizationId: string | null, assetId: string, options: CallOptions = {}) =>
  publish(api, { user, assetId, ...(organizationId !== null && { organizationId }), ...options });
const read = (organizationId: string, id: string) =>
  call(api, 'assets.get', { token: user.token, organizationId, params: { id } });
const restore = (id: string, versionNumber: number, organizationId = user.organizationId) =>
  call(api, 'assets.restoreVersion', {
    token: user.token,
    organizationId,
    params: { id, versionNumber },
  });
const bin = (id: string) =>
  api.db.execute(sql`update assets set deleted_at = now() where id = ${id}`);

const picture: TestFile = { ...someFile(40, 'Plakat für Köln.png'), contentType: 'image/png' };

describe('publishing', () => {
  test('gives the team its own asset with the same content', async () => {
    const teamId = await team();
    const source = await upload(picture);
    const response = await into(teamId, source.id);
    expect([response.status, response.body.message]).toEqual([201, 'Asset published']);
    const published = response.body.data;
    expect(published).toMatchObject({
      assetName: picture.fileName,
      assetType: 'image/png',
      fileSize: 40,
      currentVersion: 1,
      organizationId: teamId,
      createdBy: user.id,
      publishedFromAssetId: source.id,
      isFavorite: false,
      publicLinkEnabled: false,
    });
    expect(published.id).not.toBe(source.id);
    expect(published.assetShortUrl).not.toBe(source.assetShortUrl);
    const shown = await read(teamId, published.id);
    expect(shown.headers.get('etag')).toBe(response.headers.get('etag'));
    expect(await objectsOf(api, published.id)).toEqual(await objectsOf(api, source.id));
    expect(await usageOf(api, teamId)).toEqual({ counted: 40, summed: 40 });
    expect(await publicationsIn(api, teamId)).toEqual([
      {
        actor_id: user.id,
        resource_id: published.id,
        resource_name: picture.fileName,
        metadata: { sourceAssetId: source.id, versionNumber: 1 },
      },
    ]);
    const { body } = await call(api, 'assets.get', {
      token: user.token,
      params: { id: source.id },
    });
    expect(body.data).toMatchObject({ currentVersion: 1, updatedAt: source.updatedAt });
  });

  test('makes the content downloadable for the team under its name', async () => {
    const teamId = await team();
    const source = await upload(picture);
    const { data: published } = (await into(teamId, source.id)).body;
    const viewer = await newUser(api);
    await joinTeam(api, teamId, viewer, 'VIEWER');
    const { body } = await call(api, 'assets.download', {
      token: viewer.token,
      organizationId: teamId,
      params: { id: published.id },
      query: { version: 1 },
    });
    expect(body.data.fileName).toBe(picture.fileName);
    const response = await fetch(body.data.url);
    expect(response.headers.get('content-disposition')).toContain(
      "filename*=UTF-8''Plakat%20f%C3%BCr%20K%C3%B6ln.png",
    );
    expect(Buffer.from(await response.arrayBuffer()).equals(picture.content)).toBe(true);
    const code = published.assetShortUrl.split('/').at(-1);
    const follow = () => call(api, 'assets.followShortLink', { params: { code } });
    expect((await follow()).status).toBe(404);
    await call(api, 'assets.update', {
      token: user.token,
      organizationId: teamId,
      params: { id: published.id },
      body: { publicLinkEnabled: true },
    });
    const followed = await follow();
    const linked = await (await fetch(String(followed.headers.get('location')))).arrayBuffer();
    expect(Buffer.from(linked).equals(picture.content)).toBe(true);
  });

  test.each(['ADMIN', 'MEMBER'] as const)('is allowed to %s', async (role) => {
    const teamId = await team();
    const member = await newUser(api);
    await joinTeam(api, teamId, member, role);
    const home = await newCollection(api, member);
    const source = await uploadFile(api, member, someFile(5), { collectionId: home });
    const response = await publish(api, {
      user: member,
      assetId: source.id,
      organizationId: teamId,
    });
    expect([response.status, response.body.data.createdBy]).toEqual([201, member.id]);
  });

  test.each([
    ['VIEWER', 'ACTIVE', 'permission_denied'],
    ['OWNER', 'SUSPENDED', 'organization_access_denied'],
  ] as const)('is refused to %s, %s', async (role, status, code) => {
    const teamId = await team();
    const member = await newUser(api);
    await joinTeam(api, teamId, member, role, status);
    const home = await newCollection(api, member);
    const source = await uploadFile(api, member, someFile(5), { collectionId: home });
    const response = await publish(api, {
      user: member,
      assetId: source.id,
      organizationId: teamId,
    });
    expect([response.status, response.body.code]).toEqual([403, code]);
    expect(await publicationsIn(api, teamId)).toEqual([]);
  });

  test('needs a team as its target', async () => {
    const source = await upload(someFile(5));
    const stranger = await newUser(api);
    await joinTeam(api, stranger.organizationId, user, 'OWNER');
    for (const target of [null, user.organizationId, stranger.organizationId]) {
      const { status, body } = await into(target, source.id);
      expect([status, body.code]).toEqual([400, 'publish_target_required']);
    }
    const foreign = (await newTeam(api, stranger)).id;
    expect((await into(foreign, source.id)).body.code).toBe('organization_access_denied');
    expect((await into('team', source.id)).body.code).toBe('validation_failed');
  });

  test('needs an existing personal source', async () => {
    const teamId = await team();
    const stranger = await newUser(api);
    await joinTeam(api, stranger.organizationId, user, 'OWNER');
    const theirCollection = await newCollection(api, stranger);
    const theirs = await uploadFile(api, stranger, someFile(5), { collectionId: theirCollection });
    const shared = await newTeamCollection(api, user, teamId);
    const teams = await uploadFile(api, user, someFile(5), {
      collectionId: shared,
      organizationId: teamId,
    });
    const deleted = await upload(someFile(5));
    await bin(deleted.id);
    for (const id of [theirs.id, teams.id, deleted.id, newId()]) {
      const { status, body } = await into(teamId, id);
      expect([status, body.code]).toEqual([404, 'not_found']);
    }
    expect((await into(teamId, 'ABC')).status).toBe(400);
    expect(await publicationsIn(api, teamId)).toEqual([]);
  });
});

describe('the collection of a published asset', () => {
  test('is the named one, also when another member created it', async () => {
    const teamId = await team();
    const member = await newUser(api);
    await joinTeam(api, teamId, member, 'MEMBER');
    const shared = await newTeamCollection(api, member, teamId);
    const source = await upload(someFile(5));
    const { status, body } = await into(teamId, source.id, { body: { collectionId: shared } });
    expect([status, body.data.collectionId]).toEqual([201, shared]);
  });

  test("cannot be another organization's or one in the bin, also for a further version", async () => {
    const teamId = await team();
    const foreign = await newTeamCollection(api, user, await team());
    const binned = await newTeamCollection(api, user, teamId);
    await api.db.execute(sql`update collections set deleted_at = now() where id = ${binned}`);
    const source = await upload(someFile(5));
    const attempt = async () => {
      for (const wanted of [foreign, binned, collectionId, newId()]) {
        const { status, body } = await into(teamId, source.id, { body: { collectionId: wanted } });
        expect([status, body.code]).toEqual([404, 'not_found']);
      }
    };
    await attempt();
    expect(await usageOf(api, teamId)).toEqual({ counted: 0, summed: 0 });
    await into(teamId, source.id);
    await upload(someFile(6), source.id);
    await attempt();
    expect(await publicationsIn(api, teamId)).toHaveLength(1);
    expect((await into(teamId, source.id, { body: { collectionId: 7 } })).status).toBe(400);
  });

  test("defaults to the member's own, created when missing", async () => {
    const teamId = await team();
    const member = await newUser(api);
    await joinTeam(api, teamId, member, 'MEMBER');
    const home = await newCollection(api, member);
    const theirs = await uploadFile(api, member, someFile(5), { collectionId: home });
    const organizationId = teamId;
    const first = await publish(api, { user: member, assetId: theirs.id, organizationId });
    const [one, other] = [await upload(someFile(5)), await upload(someFile(6))];
    const second = await into(teamId, one.id, { body: {} });
    const third = await into(teamId, other.id);
    expect(second.body.data.collectionId).toBe(third.body.data.collectionId);
    expect(first.body.data.collectionId).not.toBe(second.body.data.collectionId);

    const params = { id: second.body.data.collectionId };
    const as = { token: user.token, organizationId, params };
    const { body } = await call(api, 'collections.get', as);
    expect(body.data).toMatchObject({ title: 'Published', createdBy: user.id, assetCount: 2 });
    expect((await call(api, 'collections.remove', as)).status).toBe(200);
    const anew = await into(teamId, one.id);
    expect(anew.status).toBe(201);
    expect(anew.body.data.collectionId).not.toBe(params.id);
    // Records only the three publications of these two members and the one above.
    expect(await publicationsIn(api, teamId)).toHaveLength(4);
    const recorded = await api.db.execute(sql`
      select action from activities where organization_id = ${teamId} group by action order by action`);
    expect(recorded.map(({ action }) => action)).toEqual(['asset.publish', 'collection.delete']);
  });
});

describe('publishing again', () => {
  test('without a change of the content is a 409, whatever the name', async () => {
    const teamId = await team();
    const source = await upload(someFile(5));
    expect((await into(teamId, source.id)).status).toBe(201);
    await api.db.execute(sql`update assets set name = 'renamed' where id = ${source.id}`);
    for (const body of [undefined, { collectionId: await newTeamCollection(api, user, teamId) }]) {
      const response = await into(teamId, source.id, body && { body });
      expect([response.status, response.body.code]).toEqual([409, 'already_published']);
    }
    expect(await publishedFrom(api, source.id, teamId)).toHaveLength(1);
    expect(await publicationsIn(api, teamId)).toHaveLength(1);
  });

  test("after a change adds a version, with the asset's name and place", async () => {
    const teamId = await team();
    const source = await upload(someFile(5, 'first.bin'));
    const { data: first } = (await into(teamId, source.id)).body;
    await api.db.execute(sql`update assets set name = 'theirs' where id = ${first.id}`);
    await upload(picture, source.id);
    api.clock.advance({ seconds: 1 });
    const elsewhere = await newTeamCollection(api, user, teamId);
    const second = await into(teamId, source.id, { body: { collectionId: elsewhere } });
    expect(second.status).toBe(201);
    expect(second.body.data).toMatchObject({
      id: first.id,
      assetName: 'theirs',
      collectionId: first.collectionId,
      assetType: 'image/png',
      fileSize: 40,
      currentVersion: 2,
      createdAt: first.createdAt,
    });
    expect(second.body.data.updatedAt > first.updatedAt).toBe(true);

    expect((await restore(source.id, 1)).status).toBe(200);
    const third = await into(teamId, source.id);
    expect([third.status, third.body.data.currentVersion]).toEqual([201, 3]);
    const [one, two] = await objectsOf(api, source.id);
    expect(await publishedFrom(api, source.id, teamId)).toEqual([
      { id: first.id, current: 3, objects: [one, two, one] },
    ]);
    expect(await usageOf(api, teamId)).toEqual({ counted: 45, summed: 45 });
    expect((await publicationsIn(api, teamId)).map(({ metadata }) => metadata)).toEqual(
      [1, 2, 3].map((versionNumber) => ({ sourceAssetId: source.id, versionNumber })),
    );
  });

  test('does nothing when the same change was reverted', async () => {
    const teamId = await team();
    const source = await upload(someFile(5));
    await into(teamId, source.id);
    await upload(someFile(6), source.id);
    await restore(source.id, 1);
    expect((await into(teamId, source.id)).body.code).toBe('already_published');
  });

  test("does not undo the team's later changes", async () => {
    const teamId = await team();
    const source = await upload(someFile(5));
    const { data: published } = (await into(teamId, source.id)).body;
    await uploadFile(api, user, someFile(7), {
      collectionId: published.collectionId,
      assetId: published.id,
      organizationId: teamId,
    });
    expect((await into(teamId, source.id)).body.code).toBe('already_published');
    await upload(someFile(8), source.id);
    expect((await into(teamId, source.id)).body.data.currentVersion).toBe(3);
    expect((await restore(published.id, 1, teamId)).status).toBe(200);
    expect((await into(teamId, source.id)).body.code).toBe('already_published');
    expect((await read(teamId, published.id)).body.data).toMatchObject({
      currentVersion: 4,
      fileSize: 5,
    });
    // The team's current content is not new, although it was not published last.
    await restore(source.id, 1);
    expect((await into(teamId, source.id)).body.code).toBe('already_published');
  });

  test('creates another asset when the first is in the bin, with content that counts once', async () => {
    const teamId = await team();
    const source = await upload(someFile(5));
    const { data: first } = (await into(teamId, source.id)).body;
    await bin(first.id);
    const second = await into(teamId, source.id);
    expect(second.status).toBe(201);
    expect(second.body.data).toMatchObject({ currentVersion: 1, fileSize: 5 });
    expect(second.body.data.id).not.toBe(first.id);
    expect(await usageOf(api, teamId)).toEqual({ counted: 5, summed: 5 });
    expect((await into(teamId, source.id)).status).toBe(409);

    // Restored from the bin there are two; the newer one gets further versions.
    await api.db.execute(sql`update assets set deleted_at = null where id = ${first.id}`);
    expect((await into(teamId, source.id)).status).toBe(409);
    await upload(someFile(6), source.id);
    const third = await into(teamId, source.id);
    expect([third.status, third.body.data.id]).toEqual([201, second.body.data.id]);
  });

  test('into another team is a separate publication', async () => {
    const [one, other] = [await team(), await team()];
    const source = await upload(someFile(5));
    const responses = [await into(one, source.id), await into(other, source.id)];
    expect(responses.map(({ status }) => status)).toEqual([201, 201]);
    expect(await usageOf(api, other)).toEqual({ counted: 5, summed: 5 });
  });

  test('a published asset outlives its source', async () => {
    const teamId = await team();
    const source = await upload(picture);
    const { data: published } = (await into(teamId, source.id)).body;
    await bin(source.id);
    expect((await read(teamId, published.id)).body.data.publishedFromAssetId).toBe(source.id);
    // Same as the permanent deletion of the source.
    await api.db.execute(
      sql`update assets set published_from_asset_id = null where id = ${published.id}`,
    );
    await api.db.execute(sql`delete from uploads where asset_id = ${source.id}`);
    await api.db.execute(sql`delete from asset_versions where asset_id = ${source.id}`);
    await api.db.execute(sql`delete from assets where id = ${source.id}`);
    const { status, body } = await read(teamId, published.id);
    expect([status, body.data.publishedFromAssetId]).toEqual([200, null]);
    const content = await (await fetch(body.data.assetLongUrl)).arrayBuffer();
    expect(Buffer.from(content).equals(picture.content)).toBe(true);
  });
});
