import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { collections, idempotencyKeys } from '../../db/generated/schema.ts';
import { newId } from '../../kernel/ids.ts';
import { logIn, newUser } from '../../testing/accounts.ts';
import { call } from '../../testing/api.ts';
import { expectReplay } from '../../testing/idempotency.ts';
import { newCollection } from '../../testing/library.ts';
import { setUpApi } from '../../testing/set-up.ts';

const api = await setUpApi();
let user = await newUser(api);
const collectionId = await newCollection(api, user);

const under = (key: string) => ({ 'idempotency-key': key });
const create = (title: string, key: string) =>
  call(api, 'collections.create', { token: user.token, body: { title }, headers: under(key) });
const titled = (title: string) =>
  api.db.select({ id: collections.id }).from(collections).where(eq(collections.title, title));
const keyRow = async (key: string) => {
  const [row] = await api.db.select().from(idempotencyKeys).where(eq(idempotencyKeys.key, key));
  return row;
};

describe('a stored response', () => {
  const film = () => ({
    fileName: 'film.mov',
    contentType: 'video/quicktime',
    fileSize: 20 * 1024 ** 2,
    collectionId,
  });
  const start = (key: string) =>
    call(api, 'uploads.initiate', { token: user.token, body: film(), headers: under(key) });
  const bodyOf = async (key: string) => Buffer.from((await keyRow(key))?.body ?? []);
  const store = (key: string, body: Buffer) =>
    api.db.update(idempotencyKeys).set({ body }).where(eq(idempotencyKeys.key, key));

  test('is sealed: the table reveals no URL, even when decompressed', async () => {
    const key = newId();
    const first = await start(key);
    const { url } = first.body.data.parts[0];
    expect(url).toContain('X-Amz-Signature=');
    const stored = await bodyOf(key);
    for (let from = 0; from < stored.length; from += 1) {
      const rest = stored.subarray(from);
      expect(() => zstdDecompressSync(rest)).toThrow();
    }
    expect(stored.includes('X-Amz-Signature')).toBe(false);
    expectReplay(await start(key), first);
  });

  test('of another key, altered, or of a removed key is never replayed, and nothing is done', async () => {
    const [key, other] = [newId(), newId()];
    await create('Sealed', key);
    await create('Sealed elsewhere', other);
    const [own, foreign] = [await bodyOf(key), await bodyOf(other)];
    const altered = Buffer.from(own);
    altered[altered.length - 1] = (altered.at(-1) ?? 0) ^ 1;
    for (const body of [foreign, altered, own.subarray(6), Buffer.alloc(0)]) {
      await store(key, body);
      const refused = await create('Sealed', key);
      expect([refused.status, refused.body.code]).toEqual([422, 'idempotency_key_reused']);
    }
    await store(key, own);
    expect((await create('Sealed', key)).headers.get('idempotency-replayed')).toBe('true');
    expect(await titled('Sealed')).toHaveLength(1);
  });

  test('from before responses were sealed is replayed', async () => {
    const key = newId();
    const first = await create('Before seals', key);
    await store(key, zstdCompressSync(first.text));
    expectReplay(await create('Before seals', key), first);
  });

  test('that contains presigned URLs is kept as long as they are valid, and no longer', async () => {
    const key = newId();
    const first = await start(key);
    const endsAt = new Date(first.body.data.expiresAt);
    expect((await keyRow(key))?.expiresAt).toEqual(endsAt);
    const leftSeconds = Math.floor((endsAt.getTime() - api.clock.now().getTime()) / 1000);
    expect(leftSeconds).toBeLessThanOrEqual(60 * 60);

    api.clock.advance({ seconds: leftSeconds - 30 });
    user = await logIn(api, user);
    expectReplay(await start(key), first);
    api.clock.advance({ seconds: 31 });
    const next = await start(key);
    expect([next.status, next.headers.get('idempotency-replayed')]).toEqual([201, null]);
    expect(next.body.data.uploadId).not.toBe(first.body.data.uploadId);
    expectReplay(await start(key), next);
  });

  test("of a picture's URL is kept for its quarter of an hour", async () => {
    const key = newId();
    const body = { contentType: 'image/png', fileSize: 100 };
    const before = api.clock.now().getTime();
    const options = { token: user.token, body, headers: under(key) };
    const first = await call(api, 'profile.startAvatarUpload', options);
    expect([first.status, first.body.data.expiresIn]).toEqual([201, 900]);
    const endsAt = (await keyRow(key))?.expiresAt.getTime() ?? 0;
    expect(endsAt).toBeGreaterThanOrEqual(before + 900_000);
    expect(endsAt).toBeLessThanOrEqual(api.clock.now().getTime() + 900_000);
    expectReplay(await call(api, 'profile.startAvatarUpload', options), first);
  });

  test('of a refusal is kept for its full time', async () => {
    const key = newId();
    const body = { ...film(), collectionId: newId() };
    const refused = await call(api, 'uploads.initiate', {
      token: user.token,
      body,
      headers: under(key),
    });
    expect([refused.status, refused.body.code]).toEqual([404, 'not_found']);
    const endsAt = (await keyRow(key))?.expiresAt.getTime() ?? 0;
    expect(endsAt - api.clock.now().getTime()).toBeGreaterThan(23 * 60 * 60 * 1000);
  });
});
