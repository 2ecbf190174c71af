// @module-tag slow

import { eq, sql } from 'drizzle-orm';
import { describe, expect, inject, test } from 'vitest';
import { collections, idempotencyKeys, uploads, users } from '../../db/generated/schema.ts';
import { newId } from '../../kernel/ids.ts';
import { accountActivitiesOf, activitiesOf } from '../../testing/activities.ts';
import { logIn, newUser, somePassword } from '../../testing/accounts.ts';
import {
  call,
  send,
  someEmail,
  startTestApi,
  type CallOptions,
  type TestResponse,
  type TestApi,
} from '../../testing/api.ts';
import { expectOneOf20, expectReplay } from '../../testing/idempotency.ts';
import { completion, initiate, newCollection, putParts, someFile } from '../../testing/library.ts';
import { setUpApi } from '../../testing/set-up.ts';
import { startTcpProxy } from '../../testing/tcp-proxy.ts';

const api = await setUpApi({ TRUSTED_PROXIES: '127.0.0.1' });
let user = await newUser(api);
const collectionId = await newCollection(api, user);

const under = (key: string) => ({ 'idempotency-key': key });
const create = (title: string, key: string, options: CallOptions = {}, on: TestApi = api) =>
  call(on, 'collections.create', {
    token: user.token,
    body: { title },
    ...options,
    headers: under(key),
  });
const titled = (title: string) =>
  api.db.select({ id: collections.id }).from(collections).where(eq(collections.title, title));
const keyRow = async (key: string) => {
  const [row] = await api.db.select().from(idempotencyKeys).where(eq(idempotencyKeys.key, key));
  return row;
};

describe('the same key and payload', () => {
  test('has one effect, and the same response byte for byte, also from the next process', async () => {
    const key = newId();
    const first = await create('Once', key);
    expect(first.status).toBe(201);
    expectReplay(await create('Once', key), first);

    const next = await startTestApi(
      { TRUSTED_PROXIES: '127.0.0.1' },
      { clock: api.clock, databaseUrl: api.config.DATABASE_URL },
    );
    try {
      expectReplay(await create('Once', key, {}, next), first);
    } finally {
      await next.close();
    }
    expect(await titled('Once')).toEqual([{ id: first.body.data.id }]);
    expect(await activitiesOf(api, first.body.data.id)).toHaveLength(1);
  });

  test('is the same for any formatting of its JSON', async () => {
    const key = newId();
    const first = await create('Written twice', key);
    const again = await send(api, '/api/collections/create', {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${user.token}`,
        ...under(key),
      },
      body: '{ "ignored": 1,\n  "title": "  Written twice " }',
    });
    expectReplay(again, first);
  });

  test('20 times in parallel has one effect; each response is that one, or 409 for now', async () => {
    const key = newId();
    const first = await expectOneOf20(() => create('Twenty at once', key));
    expect(await titled('Twenty at once')).toHaveLength(1);
    expect(await activitiesOf(api, first.body.data.id)).toHaveLength(1);
    expectReplay(await create('Twenty at once', key), first);
  });

  test('is executed again after 24 hours, and not a second before', async () => {
    api.clock.stand();
    const key = newId();
    const first = await create('Daily', key);
    api.clock.advance({ seconds: 24 * 60 * 60 - 5 });
    user = await logIn(api, user);
    expectReplay(await create('Daily', key), first);
    api.clock.advance({ seconds: 5 });
    const next = await create('Daily', key);
    expect([next.status, next.headers.get('idempotency-replayed')]).toEqual([201, null]);
    expect(next.body.data.id).not.toBe(first.body.data.id);
    expect(await titled('Daily')).toHaveLength(2);
    expectReplay(await create('Daily', key), next);
  });

  describe('is replayed by', () => {
    test('auth.register, without another mail', async () => {
      const body = { email: someEmail(), password: somePassword };
      const register = () => call(api, 'auth.register', { body, headers: under(body.email) });
      const first = await register();
      expect(first.status).toBe(201);
      expectReplay(await register(), first);
      const account = await api.db.select().from(users).where(eq(users.email, body.email));
      expect(account).toHaveLength(1);
      expect(await accountActivitiesOf(api, String(account[0]?.id))).toHaveLength(1);
      expect(JSON.stringify(await keyRow(body.email))).not.toContain(somePassword);
    });

    test('uploads.initiate, uploads.complete and uploads.abort', async () => {
      const file = someFile(100);
      const post = async (
        id: 'uploads.initiate' | 'uploads.complete' | 'uploads.abort',
        body: unknown,
      ) => {
        const options = { token: user.token, body, headers: under('one key for three operations') };
        const first = await call(api, id, options);
        expectReplay(await call(api, id, options), first);
        return first;
      };
      const { fileName, contentType } = file;
      const started = await post('uploads.initiate', {
        fileName,
        contentType,
        fileSize: 100,
        collectionId,
      });
      expect(started.status).toBe(201);
      const upload = started.body.data;
      const rows = await api.db.select().from(uploads).where(eq(uploads.id, upload.uploadId));
      expect(rows).toHaveLength(1);
      expect(await activitiesOf(api, upload.uploadId)).toHaveLength(1);

      const parts = await putParts(upload, file.content);
      const done = await post('uploads.complete', completion(upload, file, collectionId, parts));
      expect([done.status, done.headers.get('etag')]).toEqual([200, expect.any(String)]);
      expect(await activitiesOf(api, done.body.data.id)).toHaveLength(1);

      const given = await initiate(api, user, file, { collectionId });
      const { uploadId, key } = given;
      expect((await post('uploads.abort', { uploadId, key })).status).toBe(200);
      expect(await activitiesOf(api, uploadId)).toHaveLength(2);
    });
  });

  test('is never replayed by login: its response contains tokens', async () => {
    const login = () =>
      call(api, 'auth.login', {
        body: { email: user.email, password: user.password },
        headers: under('login'),
      });
    const [one, other] = [await login(), await login()];
    expect(one.body.data.token.refreshToken).not.toBe(other.body.data.token.refreshToken);
    expect(other.headers.has('idempotency-replayed')).toBe(false);
    expect(await keyRow('login')).toBeUndefined();
  });

  test('is small in the database, even with the URLs of a thousand parts', async () => {
    const key = newId();
    const body = {
      fileName: 'film.mov',
      contentType: 'video/quicktime',
      fileSize: 5 * 1024 ** 3,
      collectionId,
    };
    const start = () =>
      call(api, 'uploads.initiate', { token: user.token, body, headers: under(key) });
    const first = await start();
    expect(first.body.data.parts).toHaveLength(640);
    expectReplay(await start(), first);
    const stored = (await keyRow(key))?.body?.length ?? 0;
    expect(stored).toBeGreaterThan(0);
    expect(stored).toBeLessThan(first.text.length / 5);
  });
});

describe('the same key', () => {
  test('with another payload or organization is a 422 and changes nothing', async () => {
    const key = newId();
    const first = await create('Mine', key);
    const team = await newUser(api);
    await api.db.execute(sql`
      insert into memberships (id, organization_id, user_id, role, status, joined_at)
      values (${newId()}, ${team.organizationId}, ${user.id}, 'ADMIN', 'ACTIVE', now())`);
    const before = await api.db.$count(collections);
    const others = [
      await create('Mine!', key),
      await create('Mine', key, { organizationId: team.organizationId }),
    ];
    for (const { status, body } of others) {
      expect([status, body.code]).toEqual([422, 'idempotency_key_reused']);
    }
    expect(await api.db.$count(collections)).toBe(before);
    expectReplay(await create('Mine', key), first);
    expectReplay(await create('Mine', key, { organizationId: user.organizationId }), first);
  });

  test('of another user, and of another operation, is another key', async () => {
    const key = newId();
    const stranger = await newUser(api);
    const ours = await create('Shared', key);
    const theirs = await create('Shared', key, { token: stranger.token });
    expect([ours.status, theirs.status]).toEqual([201, 201]);
    expect(theirs.body.data).toMatchObject({ createdBy: stranger.id });
    const body = { fileName: 'a', contentType: 'text/plain', fileSize: 1, collectionId };
    const upload = await call(api, 'uploads.initiate', {
      token: user.token,
      body,
      headers: under(key),
    });
    expect(upload.status).toBe(201);
  });

  test('of an anonymous caller belongs to the address', async () => {
    const key = newId();
    const register = (address: string, email: string) =>
      call(api, 'auth.register', {
        body: { email, password: somePassword },
        headers: { ...under(key), 'x-forwarded-for': address },
      });
    const [one, other] = [someEmail(), someEmail()];
    expect((await register('192.0.2.1', one)).status).toBe(201);
    expect((await register('192.0.2.2', other)).status).toBe(201);
    expect((await register('192.0.2.1', other)).body.code).toBe('idempotency_key_reused');
  });
});

describe('a key', () => {
  test.each([
    ['empty', ''],
    ['256 characters', 'x'.repeat(256)],
    ['a tab', 'a\tb'],
    ['not ASCII', 'clé'],
  ])('that is %s is a 400 and stores nothing', async (_, key) => {
    const before = await api.db.$count(collections);
    const { status, body } = await create('x', key);
    expect([status, body.code]).toEqual([400, 'validation_failed']);
    expect(body.errors).toEqual([
      expect.objectContaining({ in: 'headers', path: ['idempotency-key'] }),
    ]);
    expect(await api.db.$count(collections)).toBe(before);
  });

  test.each(['x'.repeat(255), ' ~!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}', '%00', '{}'])(
    'of 1 to 255 printable characters is one: %s',
    async (key) => {
      const first = await create('x', key);
      expectReplay(await create('x', key), first);
    },
  );
});

describe('a refusal', () => {
  test('by the use case is replayed, even if it would no longer be returned', async () => {
    const key = newId();
    const start = (id: string) =>
      call(api, 'uploads.initiate', {
        token: user.token,
        headers: under(key),
        body: { fileName: 'a', contentType: 'text/plain', fileSize: 1, collectionId: id },
      });
    const gone = await newCollection(api, user);
    await api.db.execute(sql`update collections set deleted_at = now() where id = ${gone}`);
    const first = await start(gone);
    expect([first.status, first.body.code]).toEqual([404, 'not_found']);
    await api.db.execute(sql`update collections set deleted_at = null where id = ${gone}`);
    expectReplay(await start(gone), first);
    expect((await start(collectionId)).status).toBe(422);
  });

  test('by validation leaves the key free for the corrected request', async () => {
    const key = newId();
    expect((await create('', key)).status).toBe(400);
    expect((await create('Corrected', key)).status).toBe(201);

    const register = (password: string) =>
      call(api, 'auth.register', {
        body: { email: `${key}@example.com`, password },
        headers: under(key),
      });
    const weak = await register('password');
    expect([weak.status, weak.body.code]).toEqual([400, 'validation_failed']);
    expect((await register(somePassword)).status).toBe(201);
  });

  test('by permission comes first, for a new key and for a known one', async () => {
    const owner = await newUser(api);
    const member = await newUser(api);
    const become = (role: string) =>
      api.db.execute(sql`
        insert into memberships (id, organization_id, user_id, role, status, joined_at)
        values (${newId()}, ${owner.organizationId}, ${member.id}, ${role}, 'ACTIVE', now())
        on conflict (organization_id, user_id) do update set role = excluded.role`);
    const key = newId();
    const attempt = () =>
      create('Later', key, { token: member.token, organizationId: owner.organizationId });
    await become('VIEWER');
    expect((await attempt()).body.code).toBe('permission_denied');
    await become('MEMBER');
    expect((await attempt()).status).toBe(201);
    await become('VIEWER');
    expect((await attempt()).body.code).toBe('permission_denied');
    expect((await create('Later', key, { token: 'forged' })).status).toBe(401);
  });
});

describe('an attempt that fails', () => {
  test('with a 503 leaves the key free, and the retry is executed', async () => {
    const { s3 } = inject('services');
    const proxy = await startTcpProxy(Number(new URL(s3.endpoint).port));
    const endpoint = `http://127.0.0.1:${proxy.port}`;
    const behindProxy = await startTestApi(
      { S3_ENDPOINT: endpoint, S3_PUBLIC_ENDPOINT: s3.endpoint },
      { clock: api.clock, databaseUrl: api.config.DATABASE_URL },
    );
    const key = newId();
    const body = { fileName: key, contentType: 'text/plain', fileSize: 1, collectionId };
    const start = () =>
      call(behindProxy, 'uploads.initiate', { token: user.token, headers: under(key), body });
    try {
      proxy.cut();
      const failed = await start();
      expect([failed.status, failed.body.code]).toEqual([503, 'storage_unavailable']);
      expect(await keyRow(key)).toBeUndefined();

      proxy.restore();
      const retried = await start();
      expect([retried.status, retried.headers.get('idempotency-replayed')]).toEqual([201, null]);
      expectReplay(await start(), retried);
      expect(await activitiesOf(api, retried.body.data.uploadId)).toHaveLength(1);
    } finally {
      await behindProxy.close();
      await proxy.close();
    }
  });
});

describe('an attempt that outlives its lease', () => {
  test('has no effect after another attempt has taken over the key', async () => {
    const key = newId();
    let slow: Promise<TestResponse> | undefined;
    let taker: Promise<TestResponse> | undefined;
    // Both attempts wait for the row that a new collection refers to.
    await api.db.transaction(async (tx) => {
      await tx.execute(
        sql`select id from organizations where id = ${user.organizationId} for update`,
      );
      slow = create('Taken over', key);
      await expect.poll(() => keyRow(key)).toBeDefined();
      const claimed = await keyRow(key);
      const holder = claimed?.holder;
      const leftMs = Number(claimed?.leasedUntil) - api.clock.now().getTime();
      // Three seconds early: on a busy machine the request may come a second late.
      api.clock.advance({ seconds: leftMs / 1_000 - 3 });
      expect((await create('Taken over', key)).body.code).toBe('idempotency_in_flight');
      api.clock.advance({ seconds: 3 });
      taker = create('Taken over', key);
      await expect.poll(async () => (await keyRow(key))?.holder).not.toBe(holder);
    });
    const late = await slow;
    expect([late?.status, late?.body.code]).toEqual([409, 'idempotency_in_flight']);
    const response = await taker;
    expect(response?.status).toBe(201);
    expect(await titled('Taken over')).toEqual([{ id: response?.body.data.id }]);
    if (response) expectReplay(await create('Taken over', key), response);
  });
});
