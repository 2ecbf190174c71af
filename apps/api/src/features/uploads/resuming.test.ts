// @module-tag slow

import { sql } from 'drizzle-orm';
import { afterAll, afterEach, describe, expect, inject, test } from 'vitest';
import { newId } from '../../kernel/ids.ts';
import { logIn, newUser, type TestUser } from '../../testing/accounts.ts';
import { call } from '../../testing/api.ts';
import {
  addressOfOtherSize,
  completion,
  expectAgreement,
  initiate,
  newCollection,
  putPart,
  putParts,
  readyUpload,
  someFile,
  type StartedUpload,
} from '../../testing/library.ts';
import { setUpApiWithUser } from '../../testing/set-up.ts';
import { startTcpProxy } from '../../testing/tcp-proxy.ts';

const mebibyte = 1024 ** 2;

const { s3 } = inject('services');
const proxy = await startTcpProxy(Number(new URL(s3.endpoint).port));
afterAll(() => proxy.close());
afterEach(() => proxy.restore());
const { api, user } = await setUpApiWithUser({
  UPLOAD_PART_SIZE_MIN_BYTES: String(5 * mebibyte),
  S3_ENDPOINT: `http://127.0.0.1:${proxy.port}`,
  S3_PUBLIC_ENDPOINT: s3.endpoint,
  S3_TIMEOUT_MS: '2000',
});
const collectionId = await newCollection(api, user);

const resume = ({ uploadId }: { uploadId: string }, as: TestUser = user) =>
  call(api, 'uploads.parts', { token: as.token, params: { uploadId } });
const complete = (body: unknown) => call(api, 'uploads.complete', { token: user.token, body });

/** An upload of three parts, with these parts stored. */
async function interrupted(stored: readonly number[]) {
  const file = someFile(12 * mebibyte, 'film.mp4');
  const upload = await initiate(api, user, file, { collectionId });
  const parts = upload.parts.filter(({ partNumber }) => stored.includes(partNumber));
  const sent = await putParts({ ...upload, parts }, file.content);
  return { file, upload, sent };
}

function numbersOf(parts: readonly { partNumber: number }[]): number[] {
  return parts.map(({ partNumber }) => partNumber);
}

describe('resuming', () => {
  test('lists stored parts, and fresh addresses for the rest complete the file', async () => {
    const { file, upload, sent } = await interrupted([1, 3]);
    const before = Date.now();
    const { status, body } = await resume(upload);
    expect(status).toBe(200);
    expect(body).toEqual({
      message: 'Upload retrieved',
      data: {
        uploadId: upload.uploadId,
        key: upload.key,
        partSize: upload.partSize,
        fileSize: file.content.length,
        uploadedParts: [
          { partNumber: 1, eTag: sent[0]?.eTag.replaceAll('"', ''), size: 5 * mebibyte },
          { partNumber: 3, eTag: sent[1]?.eTag.replaceAll('"', ''), size: 2 * mebibyte },
        ],
        parts: [{ partNumber: 2, url: expect.stringContaining('partNumber=2') }],
        expiresAt: expect.stringMatching(/Z$/),
      },
    });
    const livesMs = new Date(body.data.expiresAt).getTime() - before;
    expect(livesMs).toBeGreaterThan(3_599_000);
    expect(livesMs).toBeLessThan(3_630_000);

    const resumed: StartedUpload = body.data;
    const rest = await putParts(resumed, file.content);
    const parts = [...body.data.uploadedParts, ...rest].map(({ partNumber, eTag }) => ({
      partNumber,
      eTag,
    }));
    const asset = await complete(completion(upload, file, collectionId, parts));
    expect(asset.status).toBe(200);
    const content = await (await fetch(asset.body.data.assetLongUrl)).arrayBuffer();
    expect(Buffer.from(content).equals(file.content)).toBe(true);
  });

  test('of an upload with nothing stored gives every address; with everything stored, none', async () => {
    const none = await resume((await interrupted([])).upload);
    expect(none.body.data.uploadedParts).toEqual([]);
    expect(numbersOf(none.body.data.parts)).toEqual([1, 2, 3]);
    const all = await resume((await interrupted([1, 2, 3])).upload);
    expect(numbersOf(all.body.data.uploadedParts)).toEqual([1, 2, 3]);
    expect(all.body.data.parts).toEqual([]);
  });

  test('requests a part of the wrong size again, and omits one beyond the end', async () => {
    const { upload } = await interrupted([1]);
    const cutShort = Buffer.from('cut short');
    for (const partNumber of [1, 7]) {
      const part = { partNumber, sizeBytes: cutShort.length };
      const url = await addressOfOtherSize(api, upload, part);
      expect((await putPart(url, cutShort)).status).toBe(200);
    }
    const { body } = await resume(upload);
    expect(body.data.uploadedParts).toEqual([]);
    expect(numbersOf(body.data.parts)).toEqual([1, 2, 3]);
  });

  test('is allowed to the uploader only: all others get a 404, as for an unknown one', async () => {
    const { upload } = await interrupted([1]);
    const stranger = await newUser(api);
    const responses = [
      await resume(upload, stranger),
      await resume({ uploadId: newId() }),
      await call(api, 'uploads.parts', {
        token: await colleagueOf(user),
        params: { uploadId: upload.uploadId },
        organizationId: user.organizationId,
      }),
    ];
    for (const { status, body } of responses) {
      expect([status, body.code]).toEqual([404, 'not_found']);
    }
    expect((await resume({ uploadId: 'no-id' })).status).toBe(400);
  });

  test('an aborted upload is a 400, a completed one a 409', async () => {
    const aborted = await interrupted([1]);
    const { uploadId, key } = aborted.upload;
    await call(api, 'uploads.abort', { token: user.token, body: { uploadId, key } });
    const dead = await resume(aborted.upload);
    expect([dead.status, dead.body.code]).toEqual([400, 'upload_not_active']);

    const done = await readyUpload(api, user, { collectionId });
    expect((await complete(done.body)).status).toBe(200);
    const over = await resume(done.upload);
    expect([over.status, over.body.code]).toEqual([409, 'upload_already_completed']);
  });

  test.each(['cut', 'stall'] as const)(
    'while the storage is unavailable (%s) is a 503, and works afterwards',
    async (fault) => {
      const { upload } = await interrupted([1]);
      proxy[fault]();
      const { status, body } = await resume(upload);
      expect([status, body.code]).toEqual([503, 'storage_unavailable']);
      proxy.restore();
      expect((await resume(upload)).status).toBe(200);
    },
  );

  test('near the end of the upload returns addresses that expire with it, and none afterwards', async () => {
    const { upload } = await interrupted([1]);
    const initiatedAt = api.clock.now();
    api.clock.advance({ seconds: 23.5 * 60 * 60 });
    const again = await logIn(api, user);
    const { status, body } = await resume(upload, again);
    expect(status).toBe(200);
    const livesSeconds = Number(new URL(body.data.parts[0].url).searchParams.get('X-Amz-Expires'));
    expect(livesSeconds).toBeGreaterThan(1_700);
    expect(livesSeconds).toBeLessThanOrEqual(1_800);
    const endsAt = new Date(body.data.expiresAt).getTime();
    expect(endsAt - initiatedAt.getTime()).toBeLessThanOrEqual(24 * 60 * 60 * 1000);

    api.clock.advance({ seconds: 30 * 60 });
    const late = await resume(upload, await logIn(api, user));
    expect([late.status, late.body.code]).toEqual([400, 'upload_not_active']);
    await expectAgreement(api);
  });
});

/** @returns the token of a user who may see everything in the upload user's organization */
async function colleagueOf({ organizationId }: TestUser): Promise<string> {
  const colleague = await newUser(api);
  await api.db.execute(sql`
    insert into memberships (id, organization_id, user_id, role, status, joined_at)
    values (${newId()}, ${organizationId}, ${colleague.id}, 'OWNER', 'ACTIVE', now())`);
  return colleague.token;
}
