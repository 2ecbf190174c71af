import { and, eq, sql } from 'drizzle-orm';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { activities, avatarUploads, users } from '../../db/schema/index.ts';
import { newUser, type TestUser } from '../../testing/accounts.ts';
import { call, startTestApi, type TestApi } from '../../testing/api.ts';
import {
  animatedPng,
  animatedWebp,
  look,
  photoOfPhone,
  pixelBomb,
  pngSignature,
  someJpeg,
  somePng,
  someWebp,
} from '../../testing/pictures.ts';
import { startTcpProxy } from '../../testing/tcp-proxy.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api.close());

interface StartedUpload {
  readonly uploadUrl: string;
  readonly headers: Record<string, string>;
  readonly key: string;
}

async function start(
  user: TestUser,
  declared: { contentType: string; fileSize: number },
): Promise<StartedUpload> {
  const { status, body } = await call(api, 'profile.startAvatarUpload', {
    token: user.token,
    body: declared,
  });
  expect(status).toBe(201);
  return body.data;
}

async function put(upload: StartedUpload, content: Buffer, headers = upload.headers) {
  const init = { method: 'PUT', headers, body: Uint8Array.from(content) };
  return (await fetch(upload.uploadUrl, init)).status;
}

const complete = (user: TestUser, key: string) =>
  call(api, 'profile.completeAvatarUpload', { token: user.token, body: { key } });

/** The three steps; the last one's answer. */
async function upload(user: TestUser, content: Buffer, contentType = 'image/png') {
  const started = await start(user, { contentType, fileSize: content.length });
  expect(await put(started, content)).toBe(200);
  return { key: started.key, answer: await complete(user, started.key) };
}

async function download(url: string): Promise<Buffer> {
  const response = await fetch(url);
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/webp']);
  return Buffer.from(await response.arrayBuffer());
}

async function avatarKeyOf(user: TestUser) {
  const [row] = await api.db.select().from(users).where(eq(users.id, user.id));
  return row?.avatarKey ?? null;
}

async function swapsOf(user: TestUser): Promise<number> {
  const rows = await api.db
    .select()
    .from(activities)
    .where(and(eq(activities.actorId, user.id), eq(activities.action, 'user.update_avatar')));
  return rows.length;
}

const expectGone = (key: string) =>
  expect.poll(() => api.deps.store.statObject(key), { timeout: 10_000 }).toBeNull();

describe('a picture', () => {
  test('is put straight to the storage and becomes a square that everybody can cache', async () => {
    const user = await newUser(api);
    const content = await somePng();
    const started = await call(api, 'profile.startAvatarUpload', {
      token: user.token,
      body: { contentType: 'image/png', fileSize: content.length },
    });
    expect([started.status, started.body]).toEqual([
      201,
      {
        message: 'Avatar upload ready',
        data: {
          uploadUrl: expect.stringContaining('X-Amz-Signature='),
          method: 'PUT',
          headers: { 'content-type': 'image/png' },
          key: expect.stringMatching(new RegExp(`^avatar/${user.id}/[0-9a-f-]{36}$`)),
          expiresIn: 900,
        },
      },
    ]);
    expect(await put(started.body.data, content)).toBe(200);
    const { key } = started.body.data;
    const completed = await complete(user, key);
    expect([completed.status, completed.body.message]).toEqual([200, 'Avatar updated']);

    const { avatarUrl } = completed.body.data;
    expect(await look(await download(avatarUrl))).toMatchObject({
      width: 512,
      height: 512,
      format: 'webp',
      left: 'red',
      right: 'blue',
    });
    const me = await call(api, 'auth.user', { token: user.token });
    expect(me.body.data).toEqual(completed.body.data);
    expect(await avatarKeyOf(user)).not.toBe(key);
    await expectGone(key);
    expect(await swapsOf(user)).toBe(1);

    const { searchParams } = new URL(avatarUrl);
    const signedAt = searchParams
      .get('X-Amz-Date')
      ?.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z');
    const endsAt = Date.parse(String(signedAt)) + Number(searchParams.get('X-Amz-Expires')) * 1000;
    expect(endsAt - Date.now()).toBeGreaterThan(3_599_000);
  });

  test.each([
    ['image/png', somePng],
    ['image/jpeg', someJpeg],
    ['image/webp', someWebp],
  ])('may be %s, upright or lying, small or large', async (contentType, make) => {
    const user = await newUser(api);
    for (const size of [
      { width: 1, height: 1 },
      { width: 30, height: 900 },
      { width: 4_000, height: 3_000 },
    ]) {
      const { answer } = await upload(user, await make(size), contentType);
      expect(answer.status).toBe(200);
      const shown = await look(await download(answer.body.data.avatarUrl));
      expect([shown.width, shown.height]).toEqual([512, 512]);
    }
    expect(await swapsOf(user)).toBe(3);
  });

  test('is turned as the camera was held, and keeps no word of camera, place or profile', async () => {
    const user = await newUser(api);
    const photo = await photoOfPhone('Secret Camera Works');
    expect(photo.includes('Secret Camera Works')).toBe(true);
    expect((await sharp(photo).metadata()).orientation).toBe(6);
    const { answer } = await upload(user, photo, 'image/jpeg');
    const shown = await download(answer.body.data.avatarUrl);
    expect(await look(shown)).toMatchObject({
      top: 'red',
      bottom: 'blue',
      metadata: {
        exif: undefined,
        icc: undefined,
        xmp: undefined,
        iptc: undefined,
        orientation: undefined,
      },
    });
    expect(shown.includes('Secret Camera Works')).toBe(false);
  });

  test.each([
    ['image/webp', animatedWebp, { left: 'red', right: 'red' }],
    ['image/png', animatedPng, { left: 'red', right: 'blue' }],
  ])('that moves (%s) is shown as its first frame', async (contentType, make, firstFrame) => {
    const user = await newUser(api);
    const { answer } = await upload(user, await make(), contentType);
    const shown = await look(await download(answer.body.data.avatarUrl));
    expect(shown).toMatchObject({ frames: 1, ...firstFrame });
  });

  test.each([
    ['HTML', '<script>alert(1)</script>'],
    ['a ZIP', 'PK\u0003\u0004 the name of a class.class'],
    ['a GIF', 'GIF89a=1;alert(1)'],
  ])('with %s behind it loses what is behind it', async (_, appended) => {
    const user = await newUser(api);
    for (const [make, contentType] of [
      [somePng, 'image/png'],
      [someJpeg, 'image/jpeg'],
    ] as const) {
      const content = Buffer.concat([await make(), Buffer.from(appended)]);
      const { answer } = await upload(user, content, contentType);
      expect(answer.status).toBe(200);
      expect((await download(answer.body.data.avatarUrl)).includes(appended)).toBe(false);
    }
  });

  test('replaces the one before, whose object is deleted', async () => {
    const user = await newUser(api);
    await upload(user, await somePng());
    const before = String(await avatarKeyOf(user));
    expect(await api.deps.store.statObject(before)).not.toBeNull();
    await upload(user, await someJpeg(), 'image/jpeg');
    expect(await avatarKeyOf(user)).not.toBe(before);
    await expectGone(before);
    expect(await api.deps.store.statObject(String(await avatarKeyOf(user)))).not.toBeNull();
  });
});

describe('completing again', () => {
  test('answers the same and changes nothing', async () => {
    const user = await newUser(api);
    const { key, answer } = await upload(user, await somePng());
    const shown = await avatarKeyOf(user);
    await expectGone(key);
    const again = await complete(user, key);
    expect([again.status, again.text]).toEqual([200, answer.text]);
    expect([await avatarKeyOf(user), await swapsOf(user)]).toEqual([shown, 1]);
  });

  test('ten times at once swaps once', async () => {
    const user = await newUser(api);
    await upload(user, await somePng());
    const before = String(await avatarKeyOf(user));
    const content = await someJpeg();
    const { key, ...started } = await start(user, {
      contentType: 'image/jpeg',
      fileSize: content.length,
    });
    await put({ key, ...started }, content);
    const answers = await Promise.all(Array.from({ length: 10 }, () => complete(user, key)));
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(answers[0]?.status).toBe(200);
    expect(await swapsOf(user)).toBe(2);
    await expectGone(key);
    await expectGone(before);
    await download(answers[0]?.body.data.avatarUrl);
  });

  test('two pictures at once leaves one of them shown and the other one deleted', async () => {
    const user = await newUser(api);
    const content = await somePng();
    const uploads = await Promise.all(
      [1, 2].map(() => start(user, { contentType: 'image/png', fileSize: content.length })),
    );
    await Promise.all(uploads.map((each) => put(each, content)));
    const answers = await Promise.all(uploads.map(({ key }) => complete(user, key)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    const rows = await api.db.select().from(avatarUploads).where(eq(avatarUploads.userId, user.id));
    const shown = await avatarKeyOf(user);
    const [other] = rows.map(({ avatarKey }) => avatarKey).filter((key) => key !== shown);
    expect(rows.map(({ avatarKey }) => avatarKey)).toContain(shown);
    await expectGone(String(other));
    expect(await swapsOf(user)).toBe(2);
  });
});

describe('what is not the declared picture', () => {
  const truncated = async () => {
    const whole = await someJpeg({ width: 1_000, height: 1_000 });
    return whole.subarray(0, Math.floor(whole.length / 2));
  };
  const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
  const gif = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');

  test.each<[string, string, () => Buffer | Promise<Buffer>]>([
    ['SVG', 'image/png', () => Buffer.from(svg)],
    ['SVG with an XML declaration', 'image/webp', () => Buffer.from(`<?xml version="1.0"?>${svg}`)],
    ['HTML', 'image/jpeg', () => Buffer.from('<!doctype html><script>alert(1)</script>')],
    ['a GIF', 'image/png', () => gif],
    ['a GIF that is a script too', 'image/png', () => Buffer.from('GIF89a/*\0*/=1;alert(1)')],
    ['a ZIP', 'image/png', () => Buffer.from('UEsFBgAAAAAAAAAAAAAAAAAAAAAAAA==', 'base64')],
    ['a PNG called JPEG', 'image/jpeg', () => somePng()],
    ['a JPEG called WebP', 'image/webp', () => someJpeg()],
    [
      'a TIFF called PNG',
      'image/png',
      async () =>
        sharp(await somePng())
          .tiff()
          .toBuffer(),
    ],
    [
      'the head of a PNG and garbage',
      'image/png',
      () => Buffer.concat([pngSignature, Buffer.alloc(900, 'x')]),
    ],
    ['the head of a PNG alone', 'image/png', () => pngSignature],
    ['half a JPEG', 'image/jpeg', truncated],
    ['half a PNG', 'image/png', async () => (await somePng()).subarray(0, 200)],
    ['a pixel bomb', 'image/png', () => pixelBomb({ width: 50_000, height: 50_000 })],
    ['26 megapixels', 'image/png', () => pixelBomb({ width: 6_500, height: 4_000 })],
    ['a single byte', 'image/png', () => Buffer.from([0x89])],
  ])(
    '%s (as %s) is refused and deleted, and the old picture stays',
    async (_, contentType, make) => {
      const user = await newUser(api);
      const before = await upload(user, await somePng());
      const shown = await avatarKeyOf(user);
      const { key, answer } = await upload(user, await make(), contentType);
      expect([answer.status, answer.body.code]).toEqual([400, 'avatar_invalid']);
      await expectGone(key);
      expect((await complete(user, key)).body.code).toBe('avatar_invalid');
      expect([await avatarKeyOf(user), await swapsOf(user)]).toEqual([shown, 1]);
      await download(before.answer.body.data.avatarUrl);
    },
  );

  test('a bomb is refused before it is unpacked', async () => {
    const bomb = pixelBomb({ width: 50_000, height: 50_000 });
    expect(bomb.length).toBeLessThan(100_000);
    const before = process.memoryUsage().rss;
    expect(await api.deps.pictures.squareWebp(bomb, 'image/png')).toBeNull();
    expect(process.memoryUsage().rss - before).toBeLessThan(200 * 1024 ** 2);
    // It is the number of pixels that is refused: a little less, made the same way, is a picture.
    const large = pixelBomb({ width: 5_000, height: 4_900 });
    expect(await api.deps.pictures.squareWebp(large, 'image/png')).not.toBeNull();
  });

  test.each([
    ['more bytes than declared', (content: Buffer) => Buffer.concat([content, Buffer.alloc(1)])],
    ['fewer bytes than declared', (content: Buffer) => content.subarray(1)],
    ['no bytes', () => Buffer.alloc(0)],
    ['far too many bytes', () => Buffer.alloc(6 * 1024 ** 2)],
  ])(
    '%s are refused by the storage, and by the service if it ever took them',
    async (_, changed) => {
      const user = await newUser(api);
      const content = await somePng();
      const started = await start(user, { contentType: 'image/png', fileSize: content.length });
      expect(await put(started, changed(content))).toBe(403);
      const early = await complete(user, started.key);
      expect([early.status, early.body.code]).toEqual([400, 'avatar_invalid']);

      const { key } = started;
      await api.deps.store.putObject({ key, content: changed(content), contentType: 'image/png' });
      expect((await complete(user, key)).body.code).toBe('avatar_invalid');
      await expectGone(key);
      expect([await avatarKeyOf(user), await swapsOf(user)]).toEqual([null, 0]);
    },
  );

  test('another type is refused by the storage', async () => {
    const user = await newUser(api);
    const content = await somePng();
    const started = await start(user, { contentType: 'image/png', fileSize: content.length });
    expect(await put(started, content, { 'content-type': 'text/html' })).toBe(403);
    expect(await put(started, content, {})).toBe(403);
    expect(await api.deps.store.statObject(started.key)).toBeNull();
  });

  test.each([
    [{ contentType: 'image/svg+xml', fileSize: 100 }, 'contentType'],
    [{ contentType: 'image/gif', fileSize: 100 }, 'contentType'],
    [{ contentType: 'image/png', fileSize: 0 }, 'fileSize'],
    [{ contentType: 'image/png', fileSize: 5 * 1024 ** 2 + 1 }, 'fileSize'],
    [{ contentType: 'image/png', fileSize: 1.5 }, 'fileSize'],
    [{ contentType: 'image/png' }, 'fileSize'],
  ])('%j gets no address', async (declared, field) => {
    const user = await newUser(api);
    const { status, body } = await call(api, 'profile.startAvatarUpload', {
      token: user.token,
      body: declared,
    });
    expect([status, body.errors[0].path]).toEqual([400, [field]]);
    const rows = await api.db.select().from(avatarUploads).where(eq(avatarUploads.userId, user.id));
    expect(rows).toEqual([]);
  });
});

describe('a key', () => {
  test('without an upload yet is refused, and works once there is one', async () => {
    const user = await newUser(api);
    const content = await somePng();
    const started = await start(user, { contentType: 'image/png', fileSize: content.length });
    expect((await complete(user, started.key)).body.code).toBe('avatar_invalid');
    await put(started, content);
    expect((await complete(user, started.key)).status).toBe(200);
  });

  test('of somebody else is refused, and stays theirs', async () => {
    const [owner, thief] = await Promise.all([newUser(api), newUser(api)]);
    const content = await somePng();
    const started = await start(owner, { contentType: 'image/png', fileSize: content.length });
    await put(started, content);
    const { status, body } = await complete(thief, started.key);
    expect([status, body.code]).toEqual([400, 'avatar_invalid']);
    expect(await avatarKeyOf(thief)).toBeNull();
    expect((await complete(owner, started.key)).status).toBe(200);
  });

  test('that nobody was given is refused, whatever lies there', async () => {
    const user = await newUser(api);
    const { key } = await upload(user, await somePng());
    const shown = String(await avatarKeyOf(user));
    const planted = `avatar/${user.id}/planted`;
    await api.deps.store.putObject({
      key: planted,
      content: await somePng(),
      contentType: 'image/png',
    });
    for (const made of [
      planted,
      shown,
      `${key}/`,
      `./${key}`,
      `avatar/${user.id}/../x`,
      'x',
      '%',
    ]) {
      const { status, body } = await complete(user, made);
      expect([status, body.code], made).toEqual([400, 'avatar_invalid']);
    }
    expect(await avatarKeyOf(user)).toBe(shown);
    expect(await api.deps.store.statObject(planted)).not.toBeNull();
  });
});

describe('cleaning up', () => {
  /** Lets every job that waits for its time run now. */
  const runLaterJobs = () =>
    api.db.execute(
      sql`update graphile_worker._private_jobs set run_at = now() where run_at > now()`,
    );

  test('removes what was uploaded and never completed, and then its row', async () => {
    const user = await newUser(api);
    const content = await somePng();
    const started = await start(user, { contentType: 'image/png', fileSize: content.length });
    await put(started, content);
    await runLaterJobs();
    await expectGone(started.key);
    await expect
      .poll(() => api.db.select().from(avatarUploads).where(eq(avatarUploads.userId, user.id)))
      .toEqual([]);
    expect((await complete(user, started.key)).body.code).toBe('avatar_invalid');
  });

  test('removes what was put there again after completing, and nothing that is shown', async () => {
    const user = await newUser(api);
    const content = await somePng();
    const started = await start(user, { contentType: 'image/png', fileSize: content.length });
    await put(started, content);
    const { body } = await complete(user, started.key);
    await expectGone(started.key);
    expect(await put(started, content)).toBe(200);
    await runLaterJobs();
    await expectGone(started.key);
    await download(body.data.avatarUrl);
    expect((await complete(user, started.key)).text).toContain(user.id);
  });
});

describe('while the storage is away', () => {
  test.each(['cut', 'stall'] as const)(
    '%s: addresses are still made, completing is a 503 that costs nothing',
    async (fault) => {
      const { s3 } = inject('services');
      const proxy = await startTcpProxy(Number(new URL(s3.endpoint).port));
      const other = await startTestApi({
        S3_ENDPOINT: `http://127.0.0.1:${proxy.port}`,
        S3_PUBLIC_ENDPOINT: s3.endpoint,
        S3_TIMEOUT_MS: '300',
        JOBS: 'in-process',
      });
      try {
        const user = await newUser(other);
        const content = await somePng();
        proxy[fault]();
        const started = await call(other, 'profile.startAvatarUpload', {
          token: user.token,
          body: { contentType: 'image/png', fileSize: content.length },
        });
        expect(started.status).toBe(201);
        expect(await put(started.body.data, content)).toBe(200);
        const { key } = started.body.data;
        const finish = () =>
          call(other, 'profile.completeAvatarUpload', { token: user.token, body: { key } });
        const { status, body } = await finish();
        expect([status, body.code]).toEqual([503, 'storage_unavailable']);
        const me = await call(other, 'auth.user', { token: user.token });
        expect([me.status, me.body.data.avatarUrl]).toEqual([200, null]);

        proxy.restore();
        expect((await finish()).status).toBe(200);
      } finally {
        await other.close();
        await proxy.close();
      }
    },
  );
});
