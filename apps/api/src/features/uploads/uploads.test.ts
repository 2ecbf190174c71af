import { eq, sql } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { activities, assetVersions } from '../../db/generated/schema.ts';
import { newId } from '../../kernel/ids.ts';
import { newUser, type TestUser } from '../../testing/accounts.ts';
import { call } from '../../testing/api.ts';
import {
  completion,
  initiate,
  newCollection,
  partsInStorage,
  putParts,
  someFile,
  uploadFile,
  type StartedUpload,
} from '../../testing/library.ts';
import { setUpApiWithUser } from '../../testing/set-up.ts';

// Small parts, so that a few MiB make several.
const { api, user } = await setUpApiWithUser({ UPLOAD_PART_SIZE_MIN_BYTES: String(5 * 1024 ** 2) });
const collectionId = await newCollection(api, user);

const complete = (body: unknown, as: TestUser = user) =>
  call(api, 'uploads.complete', { token: as.token, body });
const abort = ({ uploadId, key }: StartedUpload, as: TestUser = user) =>
  call(api, 'uploads.abort', { token: as.token, body: { uploadId, key } });

describe('an upload', () => {
  test('of several parts becomes an asset with the same bytes', async () => {
    const file = someFile(12 * 1024 ** 2 + 17, 'film.mp4');
    const upload = await initiate(api, user, file, { collectionId });
    expect(upload.parts.map(({ partNumber }) => partNumber)).toEqual([1, 2, 3]);
    expect(upload.key).toBe(`collection/${collectionId}/${upload.uploadId}/film.mp4`);

    const parts = await putParts(upload, file.content);
    const { status, body } = await complete(
      completion(upload, file, collectionId, parts.toReversed()),
    );
    expect(status).toBe(200);
    expect(body).toEqual({
      message: 'Upload completed successfully',
      data: {
        id: expect.any(String),
        assetName: 'film.mp4',
        assetType: 'application/octet-stream',
        assetShortUrl: expect.stringMatching(/^https:\/\/api\.example\.com\/s\/[0-9A-Za-z]{16}$/),
        assetLongUrl: expect.stringContaining(encodeURI(upload.key)),
        createdAt: expect.stringMatching(/Z$/),
        collectionId,
        description: null,
        tags: [],
        organizationId: user.organizationId,
        createdBy: user.id,
        fileSize: file.content.length,
        // A job finds it, and may have finished already.
        checksum: expect.toBeOneOf([null, expect.any(String)]),
        detectedType: expect.toBeOneOf([null, expect.any(String)]),
        width: null,
        height: null,
        currentVersion: 1,
        isFavorite: false,
        thumbnailUrl: null,
        publishedFromAssetId: null,
        publicLinkEnabled: true,
        review: { status: 'NONE', versionNumber: 1, changedBy: null, changedAt: null },
        commentCount: 0,
        openCommentCount: 0,
        updatedAt: expect.any(String),
      },
    });
    const download = await call(api, 'assets.download', {
      token: user.token,
      params: { id: body.data.id },
    });
    const received = Buffer.from(await (await fetch(download.body.data.url)).arrayBuffer());
    expect(received.equals(file.content)).toBe(true);
  });

  test('of no bytes works too', async () => {
    const asset = await uploadFile(api, user, someFile(0, 'empty.txt'), { collectionId });
    expect(asset.fileSize).toBe(0);
    expect(await (await fetch(asset.assetLongUrl)).text()).toBe('');
  });

  test('records one activity for each step, in the organization', async () => {
    const asset = await uploadFile(api, user, someFile(10), { collectionId });
    const rows = await api.db
      .select()
      .from(activities)
      .where(
        sql`${activities.resourceId} = ${asset.id} or ${activities.resourceId} = (select id from uploads where asset_id = ${asset.id})`,
      );
    expect(rows.map(({ action }) => action).toSorted()).toEqual([
      'asset.create',
      'upload.initiate',
    ]);
    for (const row of rows) {
      expect(row).toMatchObject({ actorId: user.id, organizationId: user.organizationId });
      expect(row.requestId).toMatch(/^req_/);
    }
  });

  test('completed 20 times in parallel creates one asset, and 20 equal responses', async () => {
    const file = someFile(6 * 1024 ** 2);
    const upload = await initiate(api, user, file, { collectionId });
    const body = completion(upload, file, collectionId, await putParts(upload, file.content));
    const responses = await Promise.all(Array.from({ length: 20 }, () => complete(body)));
    expect(responses.map(({ status }) => status)).toEqual(Array(20).fill(200));
    expect(new Set(responses.map((response) => response.body.data.id)).size).toBe(1);

    const versions = await api.db
      .select()
      .from(assetVersions)
      .where(eq(assetVersions.assetId, responses[0]?.body.data.id));
    expect(versions).toHaveLength(1);
    const created = await api.db
      .select()
      .from(activities)
      .where(sql`${activities.metadata} ->> 'uploadId' = ${upload.uploadId}`);
    expect(created).toHaveLength(1);
    expect((await complete(body)).body.data.id).toBe(responses[0]?.body.data.id);
  });

  test("with an asset's id adds a version to it, also in parallel", async () => {
    const asset = await uploadFile(api, user, someFile(10, 'draft.txt'), { collectionId });
    const files = Array.from({ length: 5 }, (_, index) => someFile(20 + index, 'later.txt'));
    await Promise.all(
      files.map((file) => uploadFile(api, user, file, { collectionId, assetId: asset.id })),
    );
    const { body } = await call(api, 'assets.get', { token: user.token, params: { id: asset.id } });
    expect(body.data).toMatchObject({ id: asset.id, assetName: 'draft.txt', currentVersion: 6 });
    const rows = await api.db
      .select({ number: assetVersions.versionNumber })
      .from(assetVersions)
      .where(eq(assetVersions.assetId, asset.id));
    expect(rows.map(({ number }) => number).toSorted()).toEqual([1, 2, 3, 4, 5, 6]);

    const first = await call(api, 'assets.download', {
      token: user.token,
      params: { id: asset.id },
      query: { version: 1 },
    });
    expect((await (await fetch(first.body.data.url)).arrayBuffer()).byteLength).toBe(10);
  });
});

describe('initiating', () => {
  const valid = { fileName: 'a.txt', contentType: 'text/plain', fileSize: 1 };

  test.each([
    ['no name', { fileName: '   ' }, 'too_small'],
    ['a name of 256 characters', { fileName: 'x'.repeat(256) }, 'too_big'],
    ['a name with NUL', { fileName: 'a\0b' }, 'custom'],
    ['a negative size', { fileSize: -1 }, 'too_small'],
    ['a textual size', { fileSize: '1' }, 'invalid_type'],
    ['half a byte', { fileSize: 1.5 }, 'invalid_type'],
    ['more bytes than a file may have', { fileSize: 5 * 1024 ** 3 + 1 }, 'too_big'],
    ['more bytes than there are', { fileSize: 1e18 }, 'too_big'],
    ['a media type with a line break', { contentType: 'text/html\r\nx: y' }, 'invalid_format'],
    ['no media type', { contentType: '' }, 'invalid_format'],
    ['a malformed collection', { collectionId: '../..' }, 'invalid_format'],
  ])('with %s is refused, naming the field', async (_, change, code) => {
    const { status, body } = await call(api, 'uploads.initiate', {
      token: user.token,
      body: { ...valid, collectionId, ...change },
    });
    expect([status, body.code]).toEqual([400, 'validation_failed']);
    expect(body.errors[0]).toMatchObject({ in: 'body', path: [Object.keys(change)[0]], code });
  });

  test.each([
    ['../../etc/passwd', '____etc_passwd'],
    ['a/b\\c.txt', 'a_b_c.txt'],
    ['\u202egnp.exe', '_gnp.exe'],
    ['line\nbreak.txt', 'line_break.txt'],
    ['Übersicht 2026.pdf', 'Übersicht 2026.pdf'],
    [`${'ä'.repeat(240)}.jpeg`, `${'ä'.repeat(100)}.jpeg`],
    ['.htaccess', '_htaccess'],
    ['🦊.png', '🦊.png'],
  ])('keeps the name %j for the asset and derives a safe key', async (fileName, inKey) => {
    const file = someFile(3, fileName);
    const upload = await initiate(api, user, file, { collectionId });
    const [prefix, collection, segment, name, ...rest] = upload.key.split('/');
    expect([prefix, collection, segment, rest]).toEqual([
      'collection',
      collectionId,
      upload.uploadId,
      [],
    ]);
    expect(name).toBe(inKey);

    const parts = await putParts(upload, file.content);
    const { body } = await complete(completion(upload, file, collectionId, parts));
    expect(body.data.assetName).toBe(fileName);
    const download = await call(api, 'assets.download', {
      token: user.token,
      params: { id: body.data.id },
    });
    const response = await fetch(download.body.data.url);
    expect(Buffer.from(await response.arrayBuffer()).equals(file.content)).toBe(true);
    expect(response.headers.get('content-disposition')).toMatch(/^attachment; filename/);
  });

  test("into another organization's collection or asset is a 404", async () => {
    const stranger = await newUser(api);
    const asset = await uploadFile(api, user, someFile(5), { collectionId });
    const own = await newCollection(api, stranger);
    for (const target of [
      { collectionId },
      { collectionId: own, assetId: asset.id },
      { collectionId: newId() },
    ]) {
      const response = await call(api, 'uploads.initiate', {
        token: stranger.token,
        body: { ...valid, ...target },
      });
      expect([response.status, response.body.code]).toEqual([404, 'not_found']);
    }
    const elsewhere = await newCollection(api, user);
    const wrongCollection = await call(api, 'uploads.initiate', {
      token: user.token,
      body: { ...valid, collectionId: elsewhere, assetId: asset.id },
    });
    expect(wrongCollection.status).toBe(404);
  });
});

describe('aborting', () => {
  test('discards the parts, is repeatable, and ends the upload', async () => {
    const file = someFile(10);
    const upload = await initiate(api, user, file, { collectionId });
    const parts = await putParts(upload, file.content);
    for (const response of await Promise.all([abort(upload), abort(upload), abort(upload)])) {
      expect([response.status, response.body]).toEqual([
        200,
        { message: 'Upload aborted', data: { uploadId: upload.uploadId } },
      ]);
    }
    expect(await partsInStorage(api, upload)).toBeNull();
    const late = await complete(completion(upload, file, collectionId, parts));
    expect([late.status, late.body.code]).toEqual([400, 'upload_not_active']);
    const recorded = await api.db
      .select()
      .from(activities)
      .where(
        sql`${activities.resourceId} = ${upload.uploadId} and ${activities.action} = 'upload.abort'`,
      );
    expect(recorded).toHaveLength(1);
  });

  test('after completion is a 409, and the asset stays', async () => {
    const file = someFile(10);
    const upload = await initiate(api, user, file, { collectionId });
    const parts = await putParts(upload, file.content);
    const asset = await complete(completion(upload, file, collectionId, parts));
    const response = await abort(upload);
    expect([response.status, response.body.code]).toEqual([409, 'upload_already_completed']);
    expect((await fetch(asset.body.data.assetLongUrl)).status).toBe(200);
  });

  test('a foreign or unknown upload is a 400', async () => {
    const upload = await initiate(api, user, someFile(1), { collectionId });
    const stranger = await newUser(api);
    const attempts = [
      abort(upload, stranger),
      abort({ ...upload, uploadId: newId() }),
      abort({ ...upload, key: 'collection/x' }),
    ];
    for (const { status, body } of await Promise.all(attempts)) {
      expect([status, body.code]).toEqual([400, 'upload_mismatch']);
    }
    expect(await partsInStorage(api, upload)).toEqual([]);
  });

  test('in parallel with completing leaves either an asset or nothing', async () => {
    for (let round = 0; round < 5; round += 1) {
      const file = someFile(10);
      const upload = await initiate(api, user, file, { collectionId });
      const parts = await putParts(upload, file.content);
      const [completed, aborted] = await Promise.all([
        complete(completion(upload, file, collectionId, parts)),
        abort(upload),
      ]);
      const outcome = `${completed.status} ${aborted.status}`;
      expect(['200 409', '400 200']).toContain(outcome);
      const object = () => api.deps.store.statObject(upload.key);
      if (completed.status === 200) expect(await object()).not.toBeNull();
      else await expect.poll(object).toBeNull();
    }
  });
});
