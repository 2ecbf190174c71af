// @module-tag slow

import { and, eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { activities, assets, memberships, uploads } from '../../db/generated/schema.ts';
import { newUser } from '../../testing/accounts.ts';
import { call } from '../../testing/api.ts';
import {
  completion,
  initiate,
  partsInStorage,
  putPart,
  putParts,
  someFile,
  untilIdle,
} from '../../testing/library.ts';
import { setUpApiWithUser } from '../../testing/set-up.ts';
import { storeTeam } from '../../testing/teams.ts';

const { api, user: owner } = await setUpApiWithUser();

/** A member with an upload whose parts are stored, in a team of its own. */
async function aboutToComplete() {
  const member = await newUser(api);
  const organizationId = await storeTeam(api, owner, [{ user: member, role: 'MEMBER' }]);
  const created = await call(api, 'collections.create', {
    token: owner.token,
    organizationId,
    body: { title: 'Shared' },
  });
  const target = { collectionId: String(created.body.data.id), organizationId };
  const file = someFile(10);
  const upload = await initiate(api, member, file, target);
  const parts = await putParts(upload, file.content);
  const body = completion(upload, file, target.collectionId, parts);
  const as = { token: member.token, organizationId };
  const [membership] = await api.db
    .select()
    .from(memberships)
    .where(and(eq(memberships.organizationId, organizationId), eq(memberships.userId, member.id)));
  return {
    member,
    organizationId,
    target,
    file,
    upload,
    as,
    complete: () => call(api, 'uploads.complete', { ...as, body }),
    remove: () =>
      call(api, 'organizations.removeMember', {
        token: owner.token,
        params: { id: organizationId, memberId: String(membership?.id) },
      }),
  };
}

const statusOf = async (id: string) =>
  (await api.db.select().from(uploads).where(eq(uploads.id, id)))[0]?.status;

describe('a member who is removed', () => {
  test('leaves no open upload, and its addresses are invalid', async () => {
    const { upload, file, remove } = await aboutToComplete();
    expect((await remove()).status).toBe(200);
    expect(await statusOf(upload.uploadId)).toBe('ABORTED');
    await untilIdle(api);
    expect(await partsInStorage(api, upload)).toBeNull();
    const late = await putPart(String(upload.parts[0]?.url), file.content);
    expect([late.status, await late.text()]).toEqual([
      404,
      expect.stringContaining('NoSuchUpload'),
    ]);
    expect(await api.deps.store.statObject(upload.key)).toBeNull();
  });

  test("can't continue: no parts, no completion, no abort, no new upload", async () => {
    const { upload, as, target, file, complete, remove, organizationId } = await aboutToComplete();
    expect((await remove()).status).toBe(200);
    const { uploadId, key } = upload;
    const { organizationId: _, ...place } = target;
    const responses = [
      await call(api, 'uploads.parts', { ...as, params: { uploadId } }),
      await complete(),
      await call(api, 'uploads.abort', { ...as, body: { uploadId, key } }),
      await call(api, 'uploads.initiate', {
        ...as,
        body: { fileName: 'a', contentType: file.contentType, fileSize: 1, ...place },
      }),
    ];
    for (const { status, body } of responses) {
      expect([status, body.code]).toEqual([403, 'organization_access_denied']);
    }
    expect(await api.db.$count(assets, eq(assets.organizationId, organizationId))).toBe(0);
  });

  test('in parallel with 40 completions of theirs leaves one asset or none, and a matching upload status', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { upload, organizationId, complete, remove } = await aboutToComplete();
      const attempts = Array.from({ length: 40 }, complete);
      const removed = remove();
      const responses = await Promise.all(attempts);
      expect((await removed).status).toBe(200);
      const count = await api.db.$count(assets, eq(assets.organizationId, organizationId));
      const isCompleted = (await statusOf(upload.uploadId)) === 'COMPLETED';
      expect(count).toBe(isCompleted ? 1 : 0);
      for (const { status, body } of responses) {
        if (status === 200) expect(isCompleted).toBe(true);
        else expect(['organization_access_denied', 'upload_not_active']).toContain(body.code);
      }
      const made = and(
        eq(activities.organizationId, organizationId),
        eq(activities.action, 'asset.create'),
      );
      expect(await api.db.$count(activities, made)).toBe(count);
      expect((await complete()).status).toBe(403);
      expect(await api.db.$count(assets, eq(assets.organizationId, organizationId))).toBe(count);
    }
  });
});

test('the addresses of an aborted upload are invalid', async () => {
  const { upload, file, organizationId } = await aboutToComplete();
  const { uploadId, key } = upload;
  const aborted = await call(api, 'uploads.abort', {
    token: owner.token,
    organizationId,
    body: { uploadId, key },
  });
  expect(aborted.status).toBe(200);
  const late = await putPart(String(upload.parts[0]?.url), file.content);
  expect([late.status, await late.text()]).toEqual([404, expect.stringContaining('NoSuchUpload')]);
  expect(await partsInStorage(api, upload)).toBeNull();
  expect(await api.deps.store.statObject(key)).toBeNull();
});
