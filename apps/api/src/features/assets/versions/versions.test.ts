import { sql } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { newId } from '../../../kernel/ids.ts';
import { newUser } from '../../../testing/accounts.ts';
import { call, type CallOptions, type TestResponse } from '../../../testing/api.ts';
import { newCollection, someFile, uploadFile } from '../../../testing/library.ts';
import { setUpApiWithUser } from '../../../testing/set-up.ts';

const { api, user } = await setUpApiWithUser();
const collectionId = await newCollection(api, user);

const versions = (id: string, query = {}, options: CallOptions = {}) =>
  call(api, 'assets.versions', { token: user.token, params: { id }, query, ...options });

/** An asset whose versions have 1, 2, 3… bytes. */
async function assetWith(versionCount: number): Promise<string> {
  const { id } = await uploadFile(api, user, someFile(1), { collectionId });
  for (let size = 2; size <= versionCount; size += 1) await addVersion(id, size);
  return id;
}
const addVersion = (assetId: string, bytes: number) =>
  uploadFile(api, user, someFile(bytes), { collectionId, assetId });
const numbersIn = ({ body }: TestResponse): number[] =>
  body.data.items.map(({ versionNumber }: { versionNumber: number }) => versionNumber);

describe('the versions of an asset', () => {
  test('come newest first, each with its content', async () => {
    const { id } = await uploadFile(api, user, someFile(10), { collectionId });
    const page = { ...someFile(20, 'other name.html'), contentType: 'text/html' };
    await uploadFile(api, user, page, { collectionId, assetId: id });
    const { status, body } = await versions(id);
    expect([status, body.message]).toEqual([200, 'Versions retrieved']);
    const version = {
      createdBy: user.id,
      createdAt: expect.stringMatching(/Z$/),
      eTag: expect.stringMatching(/^[0-9a-f]{32}-1$/),
      restoredFrom: null,
    };
    const review = { status: 'NONE', changedBy: null, changedAt: null };
    expect(body.data).toEqual({
      items: [
        {
          ...version,
          versionNumber: 2,
          review: { ...review, versionNumber: 2 },
          fileSize: 20,
          contentType: 'text/html',
          isCurrent: true,
        },
        {
          ...version,
          versionNumber: 1,
          review: { ...review, versionNumber: 1 },
          fileSize: 10,
          contentType: 'application/octet-stream',
          isCurrent: false,
        },
      ],
      pagination: { page: 1, limit: 20, total: 2, totalPages: 1, hasNext: false },
    });
    expect(body.data.items[0].eTag).not.toBe(body.data.items[1].eTag);
  });

  test('continue from a cursor unchanged, also after a new one', async () => {
    const id = await assetWith(5);
    const first = await versions(id, { limit: 2 });
    expect(numbersIn(first)).toEqual([5, 4]);
    await addVersion(id, 6);
    const cursor = first.body.data.pagination.nextCursor;
    const second = await versions(id, { limit: 2, cursor });
    expect(numbersIn(second)).toEqual([3, 2]);
    expect(second.body.data.pagination).toMatchObject({ total: 6, hasNext: true });
    const last = await versions(id, { limit: 2, cursor: second.body.data.pagination.nextCursor });
    expect(numbersIn(last)).toEqual([1]);
    expect(last.body.data.pagination.nextCursor).toBeUndefined();
    expect(numbersIn(await versions(id, { limit: 4, page: 2 }))).toEqual([2, 1]);
    expect(numbersIn(await versions(id, { limit: 4, page: 3 }))).toEqual([]);
  });

  test('reject a cursor that is forged or from another asset', async () => {
    const id = await assetWith(2);
    const other = await assetWith(2);
    const { nextCursor } = (await versions(id, { limit: 1 })).body.data.pagination;
    const forged = `${Buffer.from(JSON.stringify(['9', id])).toString('base64url')}.${String(nextCursor).split('.')[1]}`;
    const attempts = [versions(other, { cursor: nextCursor }), versions(id, { cursor: forged })];
    for (const { status, body } of await Promise.all(attempts)) {
      expect([status, body.errors[0].path]).toEqual([400, ['cursor']]);
    }
    for (const query of [{ limit: 0 }, { limit: 101 }, { page: 0 }, { page: 1, cursor: 'x' }]) {
      expect((await versions(id, query)).status).toBe(400);
    }
  });

  test("return the same 404 for another organization's, an unknown and a deleted asset", async () => {
    const stranger = await newUser(api);
    const id = await assetWith(1);
    const deleted = await assetWith(1);
    await api.db.execute(sql`update assets set deleted_at = now() where id = ${deleted}`);
    const attempts = [
      versions(id, {}, { token: stranger.token }),
      versions(newId()),
      versions(deleted),
    ];
    for (const { status, body } of await Promise.all(attempts)) {
      expect([status, body.code]).toEqual([404, 'not_found']);
    }
    expect((await versions('ABC')).status).toBe(400);
  });
});
