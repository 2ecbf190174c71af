// @module-tag slow

import { and, eq, sql } from 'drizzle-orm';
import postgres from 'postgres';
import { describe, expect, test, vi } from 'vitest';
import { activities, assets, organizationUsage, uploads } from '../../db/generated/schema.ts';
import { newUser, type TestUser } from '../../testing/accounts.ts';
import { call } from '../../testing/api.ts';
import {
  expectAgreement,
  newCollection,
  partsInStorage,
  readyUpload,
  runJobs,
  someFile,
  uploadFile,
} from '../../testing/library.ts';
import { setUpApi } from '../../testing/set-up.ts';

const api = await setUpApi();

const day = 24 * 60 * 60;

/** A new user on a plan with these limits only. */
async function someoneWith(limits: {
  storageBytes?: number;
  maxFileBytes?: number;
  versionsPerAsset?: number;
}) {
  const user = await newUser(api);
  await api.db.execute(
    sql`update organizations set plan_code = 'PRO' where id = ${user.organizationId}`,
  );
  await setPlan(limits);
  return { user, collectionId: await newCollection(api, user) };
}

async function setPlan(limits: {
  storageBytes?: number;
  maxFileBytes?: number;
  versionsPerAsset?: number;
}): Promise<void> {
  const { storageBytes = null, maxFileBytes = null, versionsPerAsset = null } = limits;
  await api.db.execute(sql`
    update plans set max_storage_bytes = ${storageBytes}, max_file_bytes = ${maxFileBytes},
      max_versions_per_asset = ${versionsPerAsset} where code = 'PRO'`);
}

const initiating = (
  { token }: TestUser,
  target: { collectionId: string; assetId?: string },
  fileSize: number,
) =>
  call(api, 'uploads.initiate', {
    token,
    body: { fileName: 'a', contentType: 'text/plain', fileSize, ...target },
  });
const complete = ({ token }: TestUser, body: unknown) =>
  call(api, 'uploads.complete', { token, body });
const abort = ({ token }: TestUser, { uploadId, key }: { uploadId: string; key: string }) =>
  call(api, 'uploads.abort', { token, body: { uploadId, key } });

async function storedBytes({ organizationId }: TestUser): Promise<number> {
  const [row] = await api.db
    .select()
    .from(organizationUsage)
    .where(eq(organizationUsage.organizationId, organizationId));
  return row?.storageBytes ?? 0;
}

describe('the storage of a plan', () => {
  test('is never overbooked: of 20 parallel initiates only as many succeed as fit', async () => {
    const { user, collectionId } = await someoneWith({ storageBytes: 1_000 });
    const responses = await Promise.all(
      Array.from({ length: 20 }, () => initiating(user, { collectionId }, 150)),
    );
    const refused = responses.filter(({ status }) => status !== 201);
    expect(refused).toHaveLength(14);
    for (const { status, body } of refused) {
      expect([status, body.code]).toEqual([409, 'plan_limit_reached']);
      expect(body.message).toContain('1000 for storageBytes');
    }
    const rows = await api.db
      .select()
      .from(uploads)
      .where(eq(uploads.organizationId, user.organizationId));
    expect(rows).toHaveLength(6);
    const recorded = await api.db
      .select()
      .from(activities)
      .where(
        sql`${activities.organizationId} = ${user.organizationId} and ${activities.action} = 'upload.initiate'`,
      );
    expect(recorded).toHaveLength(6);
    expect((await initiating(user, { collectionId }, 100)).status).toBe(201);
    expect((await initiating(user, { collectionId }, 1)).status).toBe(409);
    expect((await initiating(user, { collectionId }, 0)).status).toBe(201);
  });

  test('is charged by completing, once, and stays charged', async () => {
    const { user, collectionId } = await someoneWith({ storageBytes: 1_000 });
    const { body } = await readyUpload(api, user, { collectionId }, someFile(600));
    expect(await storedBytes(user)).toBe(0);
    const responses = await Promise.all([1, 2, 3, 4].map(() => complete(user, body)));
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(await storedBytes(user)).toBe(600);
    expect((await initiating(user, { collectionId }, 401)).status).toBe(409);
    expect((await initiating(user, { collectionId }, 400)).status).toBe(201);
    await expectAgreement(api);
  });

  test('is free again after aborting', async () => {
    const { user, collectionId } = await someoneWith({ storageBytes: 1_000 });
    const { upload } = await readyUpload(api, user, { collectionId }, someFile(900));
    expect((await initiating(user, { collectionId }, 900)).status).toBe(409);
    expect((await abort(user, upload)).status).toBe(200);
    expect((await initiating(user, { collectionId }, 900)).status).toBe(201);
  });

  test("is free again when the upload has expired, before and after the janitor's run", async () => {
    const { user, collectionId } = await someoneWith({ storageBytes: 1_000 });
    const { upload, body } = await readyUpload(api, user, { collectionId }, someFile(900));
    api.clock.advance({ seconds: day });
    const again = await newToken(user);
    expect((await initiating(again, { collectionId }, 900)).status).toBe(201);
    const late = await complete(again, body);
    expect([late.status, late.body.code]).toEqual([400, 'upload_not_active']);
    await runJobs(api, ['clean_up_uploads']);
    expect(await partsInStorage(api, upload)).toBeNull();
    expect((await initiating(again, { collectionId }, 101)).status).toBe(409);
    expect((await initiating(again, { collectionId }, 100)).status).toBe(201);
  });

  test('is reserved for minutes by an upload whose start the database interrupts, and for a day by one that started', async () => {
    const { user, collectionId } = await someoneWith({ storageBytes: 1_000 });
    const mine = eq(uploads.organizationId, user.organizationId);
    const owner = postgres(api.ownerUrl, { max: 1, onnotice: () => {} });
    await owner.unsafe(`
      create function interrupt() returns trigger language plpgsql as
        $$ begin raise exception 'interrupted' using errcode = '57014'; end $$;
      create trigger interrupted before update of storage_upload_id on uploads execute function interrupt()`);
    const interrupted = await initiating(user, { collectionId }, 600);
    await owner.unsafe('drop trigger interrupted on uploads; drop function interrupt');
    await owner.end();
    expect([interrupted.status, interrupted.body.code]).toEqual([503, 'service_unavailable']);
    expect((await initiating(user, { collectionId }, 600)).status).toBe(409);

    const minutes = 5 * 60;
    api.clock.advance({ seconds: minutes });
    expect((await initiating(user, { collectionId }, 600)).status).toBe(201);
    api.clock.advance({ seconds: minutes });
    expect((await initiating(user, { collectionId }, 600)).status).toBe(409);
    await runJobs(api, ['clean_up_uploads']);
    const started = { status: 'ACTIVE', isKnown: true, seconds: day };
    expect(
      await api.db
        .select({
          status: uploads.status,
          isKnown: sql<boolean>`${uploads.storageUploadId} is not null`,
          seconds: sql<number>`extract(epoch from ${uploads.expiresAt} - ${uploads.createdAt})::int`,
        })
        .from(uploads)
        .where(and(mine, eq(uploads.status, 'ACTIVE'))),
    ).toEqual([started]);
    await expectAgreement(api);
  });

  test('is not taken by an upload that starts after its reservation has expired', async () => {
    const { user, collectionId } = await someoneWith({ storageBytes: 1_000 });
    const { createMultipartUpload } = api.deps.store;
    const stalled = vi.spyOn(api.deps.store, 'createMultipartUpload');
    stalled.mockImplementationOnce(async (upload) => {
      api.clock.advance({ seconds: 5 * 60 });
      expect((await initiating(user, { collectionId }, 600)).status).toBe(201);
      return createMultipartUpload(upload);
    });
    expect((await initiating(user, { collectionId }, 600)).status).toBe(404);
    stalled.mockRestore();
    const open = and(eq(uploads.organizationId, user.organizationId), eq(uploads.status, 'ACTIVE'));
    expect(await api.db.$count(uploads, open)).toBe(1);
  });

  test('rejects the completion after it shrank, which can be repeated when the plan allows it', async () => {
    const { user, collectionId } = await someoneWith({ storageBytes: 1_000 });
    const { body, upload } = await readyUpload(api, user, { collectionId }, someFile(900));
    await setPlan({ storageBytes: 899 });
    for (const attempt of [1, 2]) {
      const refused = await complete(user, body);
      expect([attempt, refused.status, refused.body.code]).toEqual([
        attempt,
        409,
        'plan_limit_reached',
      ]);
      expect(refused.body.message).toContain('storageBytes');
    }
    expect(await storedBytes(user)).toBe(0);
    const made = await api.db.select().from(assets).where(eq(assets.collectionId, collectionId));
    expect(made).toEqual([]);
    const resumed = await call(api, 'uploads.parts', {
      token: user.token,
      params: { uploadId: upload.uploadId },
    });
    expect(resumed.body.data).toMatchObject({
      parts: [],
      uploadedParts: [{ partNumber: 1, size: 900 }],
    });

    await setPlan({ storageBytes: 900 });
    const { uploadedParts } = resumed.body.data;
    const parts = uploadedParts.map(
      ({ partNumber, eTag }: { partNumber: number; eTag: string }) => ({ partNumber, eTag }),
    );
    const accepted = await complete(user, { ...body, parts });
    expect(accepted.status).toBe(200);
    expect(await storedBytes(user)).toBe(900);
    await expectAgreement(api);
  });

  test('leaves nothing behind after it shrank permanently and the upload is aborted', async () => {
    const { user, collectionId } = await someoneWith({ storageBytes: 1_000 });
    const { body, upload } = await readyUpload(api, user, { collectionId }, someFile(900));
    await setPlan({ storageBytes: 10 });
    expect((await complete(user, body)).status).toBe(409);
    expect((await abort(user, upload)).status).toBe(200);
    await expectAgreement(api);
  });
});

describe('the other limits of a plan', () => {
  test('a file larger than the plan allows is refused, with the limit', async () => {
    const { user, collectionId } = await someoneWith({ maxFileBytes: 100 });
    const refused = await initiating(user, { collectionId }, 101);
    expect([refused.status, refused.body.code]).toEqual([409, 'plan_limit_reached']);
    expect(refused.body.message).toContain('maxFileBytes');
    expect((await initiating(user, { collectionId }, 100)).status).toBe(201);
  });

  test('versions of uploads under way count, so that parallel ones never exceed the limit', async () => {
    const { user, collectionId } = await someoneWith({ versionsPerAsset: 3 });
    const asset = await uploadFile(api, user, someFile(5), { collectionId });
    const target = { collectionId, assetId: asset.id };
    const responses = await Promise.all(
      Array.from({ length: 6 }, () => initiating(user, target, 5)),
    );
    expect(responses.map(({ status }) => status).toSorted()).toEqual([
      201, 201, 409, 409, 409, 409,
    ]);
    const refused = responses.find(({ status }) => status === 409);
    expect(refused?.body.message).toContain('versionsPerAsset');
    expect((await initiating(user, { collectionId }, 5)).status).toBe(201);
  });

  test('a limit of versions that shrank in the meantime rejects the completion, and changes nothing', async () => {
    const { user, collectionId } = await someoneWith({ versionsPerAsset: 3 });
    const asset = await uploadFile(api, user, someFile(5), { collectionId });
    const { body } = await readyUpload(api, user, { collectionId, assetId: asset.id });
    await setPlan({ versionsPerAsset: 1 });
    const refused = await complete(user, body);
    expect([refused.status, refused.body.code]).toEqual([409, 'plan_limit_reached']);
    expect(refused.body.message).toContain('versionsPerAsset');
    const now = await call(api, 'assets.get', { token: user.token, params: { id: asset.id } });
    expect(now.body.data).toMatchObject({ currentVersion: 1, fileSize: 5 });
    await setPlan({ versionsPerAsset: 2 });
    expect((await complete(user, body)).body.data.currentVersion).toBe(2);
    await expectAgreement(api);
  });
});

/** Tokens expire before uploads. */
async function newToken(user: TestUser): Promise<TestUser> {
  const { body } = await call(api, 'auth.login', {
    body: { email: user.email, password: user.password },
  });
  return { ...user, token: body.data.token.accessToken };
}
