// @module-tag slow

import { eq, sql } from 'drizzle-orm';
import sharp from 'sharp';
import { describe, expect, inject, onTestFinished, test, vi } from 'vitest';
import { avatarUploads } from '../../db/generated/schema.ts';
import { newUser } from '../../testing/accounts.ts';
import { call, startTestApi } from '../../testing/api.ts';
import { avatarSteps } from '../../testing/avatars.ts';
import {
  animatedPng,
  animatedWebp,
  look,
  photoOfPhone,
  someJpeg,
  somePng,
  someWebp,
} from '../../testing/pictures.ts';
import { setUpApi } from '../../testing/set-up.ts';
import { startTcpProxy } from '../../testing/tcp-proxy.ts';

const api = await setUpApi();

const { start, put, complete, upload, download, avatarKeyOf, swapsOf, expectGone } = avatarSteps(
  () => api,
);

/** Stops the time of the addresses until the end of the test: they change with each half hour. */
function stopDate(): void {
  vi.setSystemTime(Date.now());
  onTestFinished(() => {
    vi.useRealTimers();
  });
}

describe('a picture', () => {
  test('is uploaded directly to the storage and becomes a square that everyone can cache', async () => {
    const user = await newUser(api);
    stopDate();
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
    expect(endsAt - Date.now()).toBeGreaterThanOrEqual(3_600_000);
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
      const { response } = await upload(user, await make(size), contentType);
      expect(response.status).toBe(200);
      const shown = await look(await download(response.body.data.avatarUrl));
      expect([shown.width, shown.height]).toEqual([512, 512]);
    }
    expect(await swapsOf(user)).toBe(3);
  });

  test('is rotated by its orientation, and contains no data about camera, place or profile', async () => {
    const user = await newUser(api);
    const photo = await photoOfPhone('Secret Camera Works');
    expect(photo.includes('Secret Camera Works')).toBe(true);
    expect((await sharp(photo).metadata()).orientation).toBe(6);
    const { response } = await upload(user, photo, 'image/jpeg');
    const shown = await download(response.body.data.avatarUrl);
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
  ])('with animation (%s) is shown as its first frame', async (contentType, make, firstFrame) => {
    const user = await newUser(api);
    const { response } = await upload(user, await make(), contentType);
    const shown = await look(await download(response.body.data.avatarUrl));
    expect(shown).toMatchObject({ frames: 1, ...firstFrame });
  });

  test.each([
    ['HTML', '<script>alert(1)</script>'],
    ['a ZIP', 'PK\u0003\u0004 the name of a class.class'],
    ['a GIF', 'GIF89a=1;alert(1)'],
  ])('with %s appended loses it', async (_, appended) => {
    const user = await newUser(api);
    for (const [make, contentType] of [
      [somePng, 'image/png'],
      [someJpeg, 'image/jpeg'],
    ] as const) {
      const content = Buffer.concat([await make(), Buffer.from(appended)]);
      const { response } = await upload(user, content, contentType);
      expect(response.status).toBe(200);
      expect((await download(response.body.data.avatarUrl)).includes(appended)).toBe(false);
    }
  });

  test('replaces the previous one, whose object is deleted', async () => {
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
  test('returns the same response and is a no-op', async () => {
    const user = await newUser(api);
    stopDate();
    const { key, response } = await upload(user, await somePng());
    const shown = await avatarKeyOf(user);
    await expectGone(key);
    const again = await complete(user, key);
    expect([again.status, again.text]).toEqual([200, response.text]);
    expect([await avatarKeyOf(user), await swapsOf(user)]).toEqual([shown, 1]);
  });

  test('ten times in parallel swaps once', async () => {
    const user = await newUser(api);
    stopDate();
    await upload(user, await somePng());
    const before = String(await avatarKeyOf(user));
    const content = await someJpeg();
    const { key, ...started } = await start(user, {
      contentType: 'image/jpeg',
      fileSize: content.length,
    });
    await put({ key, ...started }, content);
    const responses = await Promise.all(Array.from({ length: 10 }, () => complete(user, key)));
    expect(new Set(responses.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(responses[0]?.status).toBe(200);
    expect(await swapsOf(user)).toBe(2);
    await expectGone(key);
    await expectGone(before);
    await download(responses[0]?.body.data.avatarUrl);
  });

  test('a hundred times in parallel reads the picture of a few at once, and refuses the others', async () => {
    const user = await newUser(api);
    const content = await somePng();
    const started = await start(user, { contentType: 'image/png', fileSize: content.length });
    await put(started, content);
    const { store } = api.deps;
    const readObject = store.readObject.bind(store);
    const refused = Promise.withResolvers<void>();
    let held = 0;
    let maxHeld = 0;
    const reading = vi.spyOn(store, 'readObject').mockImplementation(async (object) => {
      held += 1;
      maxHeld = Math.max(maxHeld, held);
      await refused.promise;
      held -= 1;
      return readObject(object);
    });
    onTestFinished(() => reading.mockRestore());
    const responses = Array.from({ length: 100 }, () => complete(user, started.key));
    let left = responses.length;
    for (const response of responses) {
      void response.then(({ status }) => {
        left -= status === 503 ? 1 : 0;
        if (left === maxHeld) refused.resolve();
      });
    }
    await refused.promise;
    expect(maxHeld).toBe(20);
    const statuses = (await Promise.all(responses)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(20);
    expect((await complete(user, started.key)).status).toBe(200);
    expect(await swapsOf(user)).toBe(1);
  });

  test('two pictures in parallel leaves one of them shown and deletes the other', async () => {
    const user = await newUser(api);
    const content = await somePng();
    const uploads = await Promise.all(
      [1, 2].map(() => start(user, { contentType: 'image/png', fileSize: content.length })),
    );
    await Promise.all(uploads.map((each) => put(each, content)));
    const responses = await Promise.all(uploads.map(({ key }) => complete(user, key)));
    expect(responses.map(({ status }) => status)).toEqual([200, 200]);
    const rows = await api.db.select().from(avatarUploads).where(eq(avatarUploads.userId, user.id));
    const shown = await avatarKeyOf(user);
    const [other] = rows.map(({ avatarKey }) => avatarKey).filter((key) => key !== shown);
    expect(rows.map(({ avatarKey }) => avatarKey)).toContain(shown);
    await expectGone(String(other));
    expect(await swapsOf(user)).toBe(2);
  });
});

describe('more than five open uploads', () => {
  test('end the oldest and delete its object, and the others can be completed', async () => {
    const user = await newUser(api);
    const content = await somePng();
    const declared = { contentType: 'image/png', fileSize: content.length };
    const oldest = await start(user, declared);
    await put(oldest, content);
    const others = await Promise.all(Array.from({ length: 5 }, () => start(user, declared)));
    await expectGone(oldest.key);
    expect((await complete(user, oldest.key)).body.code).toBe('avatar_invalid');
    for (const other of others) {
      await put(other, content);
      expect((await complete(user, other.key)).status).toBe(200);
    }
    // What is completed is not open.
    expect((await upload(user, content)).response.status).toBe(200);
  });
});

describe('cleaning up', () => {
  /** Runs every scheduled job now. */
  const runLaterJobs = () =>
    api.db.execute(
      sql`update graphile_worker._private_jobs set run_at = now() where run_at > now()`,
    );

  test('removes uploads that were never completed, and then their rows', async () => {
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

  test('removes the rows of pictures that were replaced, and keeps that of the shown one', async () => {
    const user = await newUser(api);
    await upload(user, await somePng());
    const { response } = await upload(user, await someJpeg(), 'image/jpeg');
    const rows = () =>
      api.db
        .select({ avatarKey: avatarUploads.avatarKey })
        .from(avatarUploads)
        .where(eq(avatarUploads.userId, user.id));
    expect(await rows()).toHaveLength(2);
    await runLaterJobs();
    await expect.poll(rows).toEqual([{ avatarKey: await avatarKeyOf(user) }]);
    await download(response.body.data.avatarUrl);
  });

  test('removes objects uploaded again after completion, and none that is shown', async () => {
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
    '%s: addresses are still issued, completing is a 503 without effect',
    async (fault) => {
      const { s3 } = inject('services');
      const proxy = await startTcpProxy(Number(new URL(s3.endpoint).port));
      const other = await startTestApi({
        S3_ENDPOINT: `http://127.0.0.1:${proxy.port}`,
        S3_PUBLIC_ENDPOINT: s3.endpoint,
        S3_TIMEOUT_MS: '2000',
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
