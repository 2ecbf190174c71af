// @module-tag slow

import { createHash } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { newId } from '../../../kernel/ids.ts';
import { newUser } from '../../../testing/accounts.ts';
import { call, type CallOptions } from '../../../testing/api.ts';
import { crowd, times } from '../../../testing/crowd.ts';
import {
  inspected,
  newCollection,
  someFile,
  type TestFile,
  uploadFile,
} from '../../../testing/library.ts';
import { joinTeam, newTeam } from '../../../testing/organizations.ts';
import { setUpApiWithUser } from '../../../testing/set-up.ts';

const { api, user } = await setUpApiWithUser();
const collectionId = await newCollection(api, user);

const get = (id: string, options: CallOptions = {}) =>
  call(api, 'assets.get', { token: user.token, params: { id }, ...options });
const restore = (id: string, versionNumber: number | string, options: CallOptions = {}) =>
  call(api, 'assets.restoreVersion', {
    token: user.token,
    params: { id, versionNumber },
    ...options,
  });
const ifMatch = (eTag: string | null) => ({ headers: { 'if-match': String(eTag) } });

const picture: TestFile = { ...someFile(30, 'Entwurf – 1.png'), contentType: 'image/png' };
const page: TestFile = { ...someFile(50, 'second.html'), contentType: 'text/html' };

/** An asset of two versions, the second of which is current. */
async function twoVersions(where: { organizationId?: string; collectionId?: string } = {}) {
  const target = { collectionId, ...where };
  const { id } = await uploadFile(api, user, picture, target);
  await uploadFile(api, user, page, { ...target, assetId: id });
  await inspected(api, id);
  return id as string;
}

interface StoredVersion extends Record<string, unknown> {
  number: number;
  object: string;
  restoredFrom: number | null;
}
const storedVersions = async (id: string): Promise<StoredVersion[]> => [
  ...(await api.db.execute<StoredVersion>(sql`
    select version_number as number, stored_object_id as object, restored_from as "restoredFrom"
    from asset_versions where asset_id = ${id} order by version_number`)),
];
const restorationsOf = async (id: string) => [
  ...(await api.db.execute(sql`
    select actor_id, organization_id, resource_name, changes, metadata from activities
    where resource_id = ${id} and action = 'asset.restore_version' order by created_at, id`)),
];
const assetRow = (id: string) => sql`select id from assets where id = ${id}`;

async function expectDense(id: string) {
  const stored = await storedVersions(id);
  expect(stored.map(({ number }) => number)).toEqual(times(stored.length, (index) => index + 1));
  expect((await get(id)).body.data.currentVersion).toBe(stored.length);
  return stored;
}

describe('restoring a version', () => {
  test('appends its content under the name that the asset has', async () => {
    const id = await twoVersions();
    const before = (await get(id)).body.data;
    api.clock.advance({ seconds: 1 });
    const response = await restore(id, 1);
    expect([response.status, response.body.message]).toEqual([200, 'Version restored']);
    expect(response.body.data).toEqual({
      ...before,
      assetType: 'image/png',
      fileSize: 30,
      checksum: createHash('sha256').update(picture.content).digest('hex'),
      currentVersion: 3,
      review: { ...before.review, versionNumber: 3 },
      assetLongUrl: expect.stringContaining('X-Amz-Signature'),
      updatedAt: expect.any(String),
    });
    expect(response.body.data.updatedAt > before.updatedAt).toBe(true);
    const read = await get(id);
    expect(read.headers.get('etag')).toBe(response.headers.get('etag'));

    const [first, , third] = await storedVersions(id);
    expect(third).toEqual({ number: 3, object: first?.object, restoredFrom: 1 });
    expect(await restorationsOf(id)).toEqual([
      {
        actor_id: user.id,
        organization_id: user.organizationId,
        resource_name: picture.fileName,
        changes: [{ field: 'currentVersion', from: 2, to: 3 }],
        metadata: { restoredFrom: 1 },
      },
    ]);
  });

  test('makes every version downloadable under the name of the asset', async () => {
    const id = await twoVersions();
    await restore(id, 1);
    const contents = [
      [1, picture],
      [2, page],
      [3, picture],
      [undefined, picture],
    ] as const;
    for (const [version, file] of contents) {
      const { body } = await call(api, 'assets.download', {
        token: user.token,
        params: { id },
        query: version === undefined ? {} : { version },
      });
      expect(body.data.fileName).toBe(picture.fileName);
      const response = await fetch(body.data.url);
      expect(response.headers.get('content-disposition')).toMatch(/^attachment/);
      expect(response.headers.get('content-disposition')).toContain(
        "filename*=UTF-8''Entwurf%20%E2%80%93%201.png",
      );
      expect(response.headers.get('content-type')).toBe(
        file === page ? 'application/octet-stream' : 'image/png',
      );
      expect(Buffer.from(await response.arrayBuffer()).equals(file.content)).toBe(true);
    }
    const link = (await get(id)).body.data.assetShortUrl.split('/').at(-1);
    const followed = await call(api, 'assets.followShortLink', { params: { code: link } });
    const linked = await (await fetch(String(followed.headers.get('location')))).arrayBuffer();
    expect(Buffer.from(linked).equals(picture.content)).toBe(true);
  });

  test('is a no-op for the current one, by number or by content', async () => {
    const id = await twoVersions();
    const before = await get(id);
    api.clock.advance({ seconds: 1 });
    const same = await restore(id, 2);
    expect([same.status, same.headers.get('etag')]).toEqual([200, before.headers.get('etag')]);
    expect(await restorationsOf(id)).toEqual([]);

    const restored = await restore(id, 1);
    for (const versionNumber of [1, 3]) {
      const again = await restore(id, versionNumber);
      expect([again.status, again.body.data.updatedAt]).toEqual([
        200,
        restored.body.data.updatedAt,
      ]);
    }
    expect(await expectDense(id)).toHaveLength(3);
    expect(await restorationsOf(id)).toHaveLength(1);
  });

  test('takes no storage', async () => {
    const id = await twoVersions();
    const usage = async () => [
      ...(await api.db.execute(sql`
        select storage_bytes, (select count(*)::int from stored_objects) as objects
        from organization_usage where organization_id = ${user.organizationId}`)),
    ];
    const before = await usage();
    expect((await restore(id, 1)).status).toBe(200);
    expect(await usage()).toEqual(before);
  });

  test.each(['0', '-1', '2147483648', '1.5', '1e2', '01x', 'latest', ' '])(
    'refuses the version %j',
    async (versionNumber) => {
      const { status, body } = await restore(newId(), versionNumber);
      expect([status, body.errors[0]]).toMatchObject([
        400,
        { in: 'path', path: ['versionNumber'] },
      ]);
    },
  );

  test("is a 404 for an unknown version, and for another organization's or a deleted asset", async () => {
    const id = await twoVersions();
    const deleted = await twoVersions();
    const other = await twoVersions();
    await restore(other, 1);
    await api.db.execute(sql`update assets set deleted_at = now() where id = ${deleted}`);
    const stranger = await newUser(api);
    const attempts = [
      restore(id, 3),
      restore(id, 1_000_000),
      restore(id, 1, { token: stranger.token }),
      restore(deleted, 1),
      restore(newId(), 1),
    ];
    for (const { status, body } of await Promise.all(attempts)) {
      expect([status, body.code]).toEqual([404, 'not_found']);
    }
    expect(await storedVersions(id)).toHaveLength(2);
    expect(await storedVersions(deleted)).toHaveLength(2);
  });

  test('is allowed to all who may edit the asset', async () => {
    const { id: organizationId } = await newTeam(api, user);
    const created = await call(api, 'collections.create', {
      token: user.token,
      organizationId,
      body: { title: 'Shared' },
    });
    const id = await twoVersions({ organizationId, collectionId: created.body.data.id });
    const statusFor = async (role: 'ADMIN' | 'MEMBER' | 'VIEWER') => {
      const member = await newUser(api);
      await joinTeam(api, organizationId, member, role);
      const as = { token: member.token, organizationId };
      const listed = await call(api, 'assets.versions', { ...as, params: { id } });
      expect(listed.status).toBe(200);
      const { status, body } = await restore(id, 1, as);
      return status === 200 ? [status, body.data.createdBy] : [status, body.code];
    };
    expect(await statusFor('VIEWER')).toEqual([403, 'permission_denied']);
    expect(await statusFor('MEMBER')).toEqual([403, 'permission_denied']);
    expect(await storedVersions(id)).toHaveLength(2);
    expect(await statusFor('ADMIN')).toEqual([200, user.id]);
  });

  test('happens only to the state that the caller has seen', async () => {
    const id = await twoVersions();
    const eTag = (await get(id)).headers.get('etag');
    const responses = await crowd(
      api,
      assetRow(id),
      times(20, () => () => restore(id, 1, ifMatch(eTag))),
    );
    const statuses = responses.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(statuses.filter((status) => status === 412)).toHaveLength(19);
    expect(await expectDense(id)).toHaveLength(3);
    const winner = responses.find(({ status }) => status === 200);
    const next = await restore(id, 2, ifMatch(String(winner?.headers.get('etag'))));
    expect([next.status, next.body.data.currentVersion]).toEqual([200, 4]);
    expect((await restore(id, 1, ifMatch('*'))).status).toBe(200);
  });
});

describe('restorations in parallel', () => {
  test('leave consecutive numbers, an activity for each, and no content twice in a row', async () => {
    const id = await twoVersions();
    const responses = await crowd(
      api,
      assetRow(id),
      times(20, (index) => () => restore(id, 1 + (index % 2))),
    );
    for (const { status } of responses) expect(status).toBe(200);
    const stored = await expectDense(id);
    expect(stored.length).toBeGreaterThan(2);
    stored.forEach(({ object, restoredFrom }, index) => {
      expect(object).not.toBe(stored[index - 1]?.object);
      if (restoredFrom !== null) expect(object).toBe(stored[restoredFrom - 1]?.object);
    });
    expect(await restorationsOf(id)).toHaveLength(stored.length - 2);
  });

  test('lose no versions uploaded in parallel', async () => {
    const id = await twoVersions();
    const uploads = times(
      5,
      (index) => () => uploadFile(api, user, someFile(100 + index), { collectionId, assetId: id }),
    );
    const restorations = times(10, (index) => () => restore(id, 1 + (index % 2)));
    const responses = await crowd(api, assetRow(id), [...restorations, ...uploads]);
    for (const response of responses) expect(response.status ?? 200).toBe(200);
    const stored = await expectDense(id);
    const uploaded = stored.filter(({ restoredFrom }) => restoredFrom === null);
    expect(uploaded).toHaveLength(7);
    expect(await restorationsOf(id)).toHaveLength(stored.length - 7);
  });

  test('in parallel with the deletion of the collection succeed before it or get a 404', async () => {
    const home = await newCollection(api, user);
    const id = await twoVersions({ collectionId: home });
    const remove = () =>
      call(api, 'collections.remove', { token: user.token, params: { id: home } });
    const responses = await crowd(api, assetRow(id), [
      ...times(5, (index) => () => restore(id, 1 + (index % 2))),
      remove,
      ...times(5, (index) => () => restore(id, 1 + (index % 2))),
    ]);
    expect(responses[5]?.status).toBe(200);
    const others = responses.filter((_, index) => index !== 5);
    for (const { status } of others) expect([200, 404]).toContain(status);
    expect((await restore(id, 1)).status).toBe(404);
    expect(await restorationsOf(id)).toHaveLength((await storedVersions(id)).length - 2);
  });
});

describe('the plan', () => {
  /** A plan that no other test of this file uses. */
  async function allowVersions(count: number) {
    await api.db.execute(
      sql`update plans set max_versions_per_asset = ${count} where code = 'PRO'`,
    );
    await api.db.execute(
      sql`update organizations set plan_code = 'PRO' where id = ${user.organizationId}`,
    );
    return () =>
      api.db.execute(
        sql`update organizations set plan_code = 'FREE' where id = ${user.organizationId}`,
      );
  }

  test('limits the versions of an asset, also for parallel restorations', async () => {
    const id = await twoVersions();
    const lift = await allowVersions(4);
    const responses = await crowd(
      api,
      assetRow(id),
      times(20, (index) => () => restore(id, 1 + (index % 2))),
    );
    for (const { status, body } of responses) {
      expect(status === 200 ? 'ok' : body.code).toMatch(/^(ok|plan_limit_reached)$/);
    }
    // All that changed nothing may have come first.
    await restore(id, 2);
    const before = await get(id);
    expect(await expectDense(id)).toHaveLength(4);
    const refused = await restore(id, 1);
    expect([refused.status, refused.body.code]).toEqual([409, 'plan_limit_reached']);
    expect(refused.body.message).toContain('versionsPerAsset');
    expect((await restore(id, 2)).status).toBe(200);
    expect((await get(id)).headers.get('etag')).toBe(before.headers.get('etag'));
    expect(await restorationsOf(id)).toHaveLength(2);
    await lift();
    expect((await restore(id, 1)).body.data.currentVersion).toBe(5);
  });
});
