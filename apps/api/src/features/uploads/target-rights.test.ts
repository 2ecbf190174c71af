// @module-tag slow

import type { Role } from '@atelier/contract';
import { and, eq, sql } from 'drizzle-orm';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import {
  activities,
  assets,
  assetVersions,
  memberships,
  uploads,
} from '../../db/generated/schema.ts';
import { newUser, type TestUser } from '../../testing/accounts.ts';
import { call } from '../../testing/api.ts';
import {
  newCollection,
  partsInStorage,
  readyUpload,
  runJobs,
  someFile,
  uploadFile,
} from '../../testing/library.ts';
import { whileRowsLocked } from '../../testing/crowd.ts';
import { joinTeam, newTeam } from '../../testing/organizations.ts';
import { setUpApiWithUser } from '../../testing/set-up.ts';

const day = 24 * 60 * 60;

const { api, user: owner } = await setUpApiWithUser();
const uploader = await newUser(api);

let organizationId: string;
let collectionId: string;
let assetId: string;
/** A team with an asset of its owner, or of its uploader where they are its author. */
beforeEach(async () => {
  organizationId = (await newTeam(api, owner)).id;
  collectionId = await newTeamCollection('Pictures');
  const target = { collectionId, organizationId };
  assetId = (await uploadFile(api, owner, someFile(5, 'contract.pdf'), target)).id;
});

const asOwner = (operation: Parameters<typeof call>[1], input: object) =>
  call(api, operation, { token: owner.token, organizationId, ...input });

async function newTeamCollection(title: string): Promise<string> {
  const { body } = await asOwner('collections.create', { body: { title } });
  return body.data.id;
}

const as = (role: Role) => joinTeam(api, organizationId, uploader, role);

async function become(role: Role): Promise<void> {
  await api.db
    .update(memberships)
    .set({ role })
    .where(
      and(eq(memberships.organizationId, organizationId), eq(memberships.userId, uploader.id)),
    );
}

async function giveAsset(author: TestUser): Promise<void> {
  await api.db.update(assets).set({ createdBy: author.id }).where(eq(assets.id, assetId));
}

const initiate = (named: { collectionId: string; assetId?: string }) =>
  call(api, 'uploads.initiate', {
    token: uploader.token,
    organizationId,
    body: { fileName: 'mine.pdf', contentType: 'application/pdf', fileSize: 9, ...named },
  });
const complete = (body: unknown) =>
  call(api, 'uploads.complete', { token: uploader.token, organizationId, body });
const ready = () =>
  readyUpload(api, uploader, { collectionId, assetId, organizationId }, someFile(9, 'mine.pdf'));

/** Everything that an upload to the asset changes. */
async function stored() {
  return {
    asset: await api.db.select().from(assets).where(eq(assets.id, assetId)),
    versions: await api.db.$count(assetVersions, eq(assetVersions.assetId, assetId)),
    uploads: await api.db.$count(uploads, eq(uploads.organizationId, organizationId)),
    activities: await api.db.$count(activities, eq(activities.organizationId, organizationId)),
  };
}

const denied = [403, 'permission_denied'];

describe("a version of another's asset", () => {
  test.each(['MEMBER', 'VIEWER'] as const)('is refused to a %s when it begins', async (role) => {
    await as(role);
    const create = vi.spyOn(api.deps.store, 'createMultipartUpload');
    onTestFinished(() => create.mockRestore());
    const before = await stored();
    const { status, body } = await initiate({ collectionId, assetId });
    expect([status, body.code]).toEqual(denied);
    expect(await stored()).toEqual(before);
    expect(create).not.toHaveBeenCalled();
  });

  test('is refused to all of 40 parallel requests', async () => {
    await as('MEMBER');
    const before = await stored();
    const responses = await Promise.all(
      Array.from({ length: 40 }, () => initiate({ collectionId, assetId })),
    );
    expect(new Set(responses.map(({ body }) => body.code))).toEqual(new Set(['permission_denied']));
    expect(await stored()).toEqual(before);
  });

  test.each(['OWNER', 'ADMIN'] as const)('is saved for an %s', async (role) => {
    await as(role);
    const { body } = await ready();
    const { status, body: response } = await complete(body);
    expect([status, response.data?.currentVersion]).toEqual([200, 2]);
  });
});

test("a MEMBER saves a version of the member's own asset", async () => {
  await as('MEMBER');
  await giveAsset(uploader);
  const { body } = await ready();
  const { status, body: response } = await complete(body);
  expect([status, response.data?.currentVersion]).toEqual([200, 2]);
});

describe('a version of an asset that moved during its upload', () => {
  /** Moves the asset to a new collection, and its former one into the bin. */
  async function move(): Promise<string> {
    const now = await newTeamCollection('Now');
    const change = { params: { id: assetId }, body: { collectionId: now } };
    expect((await asOwner('assets.update', change)).status).toBe(200);
    await removeCollection(collectionId);
    return now;
  }

  async function removeCollection(id: string): Promise<void> {
    expect((await asOwner('collections.remove', { params: { id } })).status).toBe(200);
  }

  test('from a collection that is deleted since, is saved to it where it now is', async () => {
    await as('MEMBER');
    await giveAsset(uploader);
    const { body } = await ready();
    const now = await move();
    await giveAsset(owner);
    expect((await complete(body)).body.code).toBe('permission_denied');
    await giveAsset(uploader);
    const completed = await complete(body);
    expect([completed.status, completed.body.data]).toMatchObject([
      200,
      { id: assetId, collectionId: now, currentVersion: 2 },
    ]);
    expect((await complete(body)).body.data).toMatchObject({ id: assetId, currentVersion: 2 });
  });

  test('while it waits to be saved, is saved to it where it now is', async () => {
    await as('ADMIN');
    const { body } = await ready();
    const now = await newTeamCollection('Now');
    const moved = sql`
      with held as (update collections set deleted_at = now() where id = ${collectionId})
      update assets set collection_id = ${now} where id = ${assetId}`;
    const saved = await whileRowsLocked(api, moved, () => complete(body));
    expect([saved.status, saved.body.data]).toMatchObject([
      200,
      { collectionId: now, currentVersion: 2 },
    ]);
  });

  test('into a collection that is deleted, is not saved', async () => {
    await as('ADMIN');
    const { body } = await ready();
    await removeCollection(await move());
    const refused = await complete(body);
    expect([refused.status, refused.body.code]).toEqual([400, 'upload_not_active']);
  });
});

test("another organization's collection is a 404 for everyone", async () => {
  await as('OWNER');
  const theirs = await newCollection(api, uploader);
  const before = await stored();
  const { status, body } = await initiate({ collectionId: theirs });
  expect([status, body.code]).toEqual([404, 'not_found']);
  expect(await stored()).toEqual(before);
});

describe('an uploader who lost the right to the asset during the upload', () => {
  test.each(['MEMBER', 'VIEWER'] as const)(
    'as a %s completes nothing, and the storage joins nothing',
    async (role) => {
      await as('ADMIN');
      const { body, upload } = await ready();
      await become(role);
      const before = await stored();
      const { status, body: response } = await complete(body);
      expect([status, response.code]).toEqual(denied);
      expect(await stored()).toEqual(before);
      expect(await partsInStorage(api, upload)).toHaveLength(1);

      await become('ADMIN');
      expect((await complete(body)).status).toBe(200);
    },
  );

  test('because the asset is no longer theirs, completes nothing', async () => {
    await as('MEMBER');
    await giveAsset(uploader);
    const { body } = await ready();
    await giveAsset(owner);
    const before = await stored();
    const { status, body: response } = await complete(body);
    expect([status, response.code]).toEqual(denied);
    expect(await stored()).toEqual(before);
  });

  test('while the storage joins the parts, saves nothing', async () => {
    await as('ADMIN');
    const { body } = await ready();
    const before = await stored();
    const { statObject } = api.deps.store;
    const stat = vi.spyOn(api.deps.store, 'statObject').mockImplementationOnce(async (key) => {
      await become('MEMBER');
      return statObject(key);
    });
    onTestFinished(() => stat.mockRestore());
    const { status, body: response } = await complete(body);
    expect([status, response.code]).toEqual(denied);
    expect(await stored()).toEqual(before);
  });

  test('gets nothing saved by the janitor either', async () => {
    await as('ADMIN');
    const { upload, parts } = await ready();
    const { key, uploadId } = upload;
    const [row] = await api.db.select().from(uploads).where(eq(uploads.id, uploadId));
    await api.deps.store.completeMultipartUpload({
      key,
      storageUploadId: String(row?.storageUploadId),
      parts: parts.map(({ partNumber, eTag }) => ({
        partNumber,
        eTag: eTag.replaceAll('"', ''),
      })),
    });
    await become('MEMBER');
    const { asset, versions } = await stored();
    api.clock.advance({ seconds: day });
    await runJobs(api, ['clean_up_uploads']);
    expect(await stored()).toMatchObject({ asset, versions });
    const [after] = await api.db.execute(sql`select status from uploads where id = ${uploadId}`);
    expect(after).toEqual({ status: 'ABORTED' });
  });
});
