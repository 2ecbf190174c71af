// @module-tag slow

import { createCipheriv, createHmac, createSecretKey, randomBytes } from 'node:crypto';
import { CompactEncrypt, SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createIdempotencyKeys } from '../http/idempotency/keys.ts';
import { newId } from '../kernel/ids.ts';
import type { TokenType } from '../kernel/tokens.ts';
import { logIn, newUser, type TestUser } from '../testing/accounts.ts';
import { call, someEmail, startTestApi, type TestApi } from '../testing/api.ts';
import { Browser } from '../testing/browser.ts';
import { openStream } from '../testing/event-streams.ts';

const older = { secret: 'the signing secret of the last year', envelopeKey: 'a'.repeat(64) };
const newer = { secret: 'the signing secret of this very year', envelopeKey: 'b'.repeat(64) };

type Pair = typeof older;

/** Instances on one database that run side by side during a key rotation. */
let before: TestApi;
let prepared: TestApi;
let changed: TestApi;
let after: TestApi;
beforeAll(async () => {
  before = await startTestApi({ JWT_SECRET: older.secret, TOKEN_ENVELOPE_KEY: older.envelopeKey });
  prepared = await instanceWith(older, newer);
  changed = await instanceWith(newer, older);
  after = await instanceWith(newer);
});
afterAll(async () => {
  for (const api of [after, changed, prepared, before]) await api.close();
});

function instanceWith(...pairs: Pair[]): Promise<TestApi> {
  return startTestApi(
    {
      JWT_SECRET: '',
      JWT_SECRETS: pairs.map(({ secret }) => secret).join(','),
      TOKEN_ENVELOPE_KEY: '',
      TOKEN_ENVELOPE_KEYS: pairs.map(({ envelopeKey }) => envelopeKey).join(','),
      JOBS: 'separate',
    },
    { clock: before.clock, databaseUrl: before.config.DATABASE_URL },
  );
}

const listAt = async (api: TestApi, token: string, cursor?: string) => {
  const query = { limit: 1, ...(cursor !== undefined && { cursor }) };
  const { status, body } = await call(api, 'collections.list', { token, query });
  return { status, code: body.code, cursor: body.data?.pagination.nextCursor as string };
};
const create = (api: TestApi, user: TestUser, key: string) =>
  call(api, 'collections.create', {
    token: user.token,
    body: { title: key },
    headers: { 'idempotency-key': key },
  });
const statusAt = async (api: TestApi, token: string) =>
  (await call(api, 'auth.user', { token })).status;
const refreshAt = async (api: TestApi, refreshToken: string) =>
  call(api, 'auth.refresh', { body: { refreshToken } });

/** A token or record of every kind that an instance issues or stores, for use elsewhere. */
async function handedOutBy(api: TestApi) {
  const user = await newUser(api);
  const keys = [newId(), newId()];
  const created = [
    await create(api, user, String(keys[0])),
    await create(api, user, String(keys[1])),
  ];
  expect(created.map(({ status }) => status)).toEqual([201, 201]);
  const { cursor } = await listAt(api, user.token);
  const stream = await openStream(api, { token: user.token });
  stream.leave();
  const browser = new Browser(api);
  const arrival = await browser.toCallback('google', someEmail());
  const cookie = await browser.cookiesFor(arrival);
  return {
    user,
    key: String(keys[0]),
    first: created[0],
    cursor,
    lastId: stream.lastId,
    arrival,
    cookie,
  };
}

type HandedOut = Awaited<ReturnType<typeof handedOutBy>>;

async function signInAt(api: TestApi, { arrival, cookie }: HandedOut): Promise<URL> {
  const query = Object.fromEntries(arrival.searchParams);
  const { headers } = await call(api, 'auth.googleCallback', { query, headers: { cookie } });
  return new URL(String(headers.get('location')));
}

async function expectAccepted(api: TestApi, given: HandedOut): Promise<void> {
  const { user, key, first, cursor, lastId } = given;
  expect(await statusAt(api, user.token)).toBe(200);
  expect(await listAt(api, user.token, cursor)).toMatchObject({ status: 200 });
  const replayed = await create(api, user, key);
  expect(replayed.headers.get('idempotency-replayed')).toBe('true');
  expect(replayed.text).toBe(first?.text);
  const stream = await openStream(api, { token: user.token, lastEventId: lastId });
  stream.leave();
  expect((await signInAt(api, given)).searchParams.get('code')).not.toBeNull();
  expect((await refreshAt(api, user.refreshToken)).status).toBe(200);
}

async function expectRefused(api: TestApi, given: HandedOut): Promise<void> {
  const { user, key, cursor, lastId } = given;
  expect(await statusAt(api, user.token)).toBe(401);
  expect((await refreshAt(api, user.refreshToken)).status).toBe(401);
  expect((await signInAt(api, given)).searchParams.get('error')).toBe('invalid_state');
  // The same user, with tokens that this instance accepts.
  const { body } = await call(api, 'auth.login', {
    body: { email: user.email, password: user.password },
  });
  const known = { ...user, token: body.data.token.accessToken as string };
  expect(await listAt(api, known.token, cursor)).toMatchObject({
    status: 400,
    code: 'validation_failed',
  });
  const headers = { 'last-event-id': String(lastId) };
  const resumed = await call(api, 'events.subscribe', { token: known.token, headers });
  expect([resumed.status, resumed.body.code]).toEqual([400, 'validation_failed']);
  // Nothing is done twice: the response under the key can't be replayed any more.
  const again = await create(api, known, key);
  expect([again.status, again.body.code]).toEqual([422, 'idempotency_key_reused']);
}

describe('while keys are changed', () => {
  test('tokens of instances with the old keys remain valid at those that have both, in either order', async () => {
    await expectAccepted(prepared, await handedOutBy(before));
    await expectAccepted(changed, await handedOutBy(before));
  });

  test('a stream that continues without a change has an id of the new keys', async () => {
    const { user, lastId } = await handedOutBy(before);
    const { token } = await logIn(changed, user);
    const continued = await openStream(changed, { token, lastEventId: lastId });
    continued.leave();
    expect(continued.messages).toMatchObject([{ event: 'ready', id: expect.any(String) }]);
    (await openStream(after, { token, lastEventId: continued.lastId })).leave();
  });

  test('tokens of the new keys are accepted by instances that know them', async () => {
    await expectAccepted(prepared, await handedOutBy(changed));
    await expectAccepted(after, await handedOutBy(changed));
    await expectRefused(before, await handedOutBy(changed));
  });

  test('tokens of the old keys end when those are removed', async () => {
    await expectRefused(after, await handedOutBy(before));
    await expectRefused(after, await handedOutBy(prepared));
  });

  test('a refresh moves a session to the new keys', async () => {
    const user = await newUser(before);
    const { body } = await refreshAt(changed, user.refreshToken);
    expect(await statusAt(after, body.data.token)).toBe(200);
    expect((await refreshAt(after, body.data.refreshToken)).status).toBe(200);
  });

  test('a used token of the old keys still ends the sessions of its user', async () => {
    const user = await newUser(before);
    const { body } = await refreshAt(changed, user.refreshToken);
    expect((await refreshAt(changed, user.refreshToken)).status).toBe(401);
    expect(await statusAt(after, body.data.token)).toBe(401);
  });
});

describe('a refresh whose response was lost', () => {
  const key = 'f'.repeat(32);
  const repeat = (api: TestApi, refreshToken: string) =>
    call(api, 'auth.refresh', { body: { refreshToken }, headers: { 'idempotency-key': key } });

  test('is repeated by instances that know the key it was sealed with', async () => {
    for (const [first, ...others] of [
      [before, prepared, changed],
      [prepared, before, changed],
      [changed, prepared],
    ] as const) {
      const { refreshToken } = await newUser(before);
      const lost = await repeat(first, refreshToken);
      expect(lost.status).toBe(200);
      for (const api of others) expect((await repeat(api, refreshToken)).text).toBe(lost.text);
    }
  });

  test('is sealed with the new key first, and is a replay where no key opens it', async () => {
    const { refreshToken } = await newUser(before);
    const lost = await repeat(changed, refreshToken);
    expect((await repeat(before, refreshToken)).status).toBe(401);
    expect(await statusAt(after, lost.body.data.token)).toBe(401);
  });
});

describe('data from before keys had names', () => {
  /** A token as older services made it: with the secrets themselves. */
  async function oldStyle(type: TokenType, token: string): Promise<string> {
    const claims = await before.deps.tokens.read(type, token, before.clock.now());
    if (!claims) throw new Error('not a token of this instance');
    const { userId, sessionId, jti, expiresAt } = claims;
    const jwt = await new SignJWT({ sid: sessionId, typ: type })
      .setProtectedHeader({ alg: 'HS256' })
      .setSubject(userId)
      .setJti(jti)
      .setIssuer('atelier')
      .setAudience('atelier-api')
      .setIssuedAt()
      .setExpirationTime(expiresAt)
      .sign(new TextEncoder().encode(older.secret));
    return new CompactEncrypt(new TextEncoder().encode(jwt))
      .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
      .encrypt(Uint8Array.from(Buffer.from(older.envelopeKey, 'hex')));
  }

  function oldStyleSeal(content: unknown, context: string): string {
    const key = createHmac('sha256', older.secret).update('cursor').digest();
    const iv = randomBytes(12);
    const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(context));
    const sealed = [iv, cipher.update(JSON.stringify(content)), cipher.final()];
    return Buffer.concat([...sealed, cipher.getAuthTag()]).toString('base64url');
  }

  test('remains valid: no user is signed out', async () => {
    const user = await newUser(before);
    const [access, refresh] = [
      await oldStyle('access', user.token),
      await oldStyle('refresh', user.refreshToken),
    ];
    expect(access.length).toBeLessThan(user.token.length);
    for (const api of [before, prepared, changed]) expect(await statusAt(api, access)).toBe(200);
    expect(await statusAt(after, access)).toBe(401);
    expect((await refreshAt(after, refresh)).status).toBe(401);
    expect((await refreshAt(before, refresh)).status).toBe(200);
  });

  test('remains valid as a cursor and as a position of a stream', async () => {
    const user = await newUser(before);
    for (const title of ['1', '2']) await create(before, user, `${user.id} ${title}`);
    const list = 'collections:-createdAt';
    const { cursor } = await listAt(before, user.token);
    const { sortValue, id } = before.deps.cursors.decode(list, cursor);
    const oldCursor = oldStyleSeal([sortValue, id], list);
    const page = await listAt(changed, user.token, cursor);
    expect(await listAt(changed, user.token, oldCursor)).toEqual({ ...page, status: 200 });
    expect(await listAt(after, (await moved(user)).token, oldCursor)).toMatchObject({
      status: 400,
    });

    const stream = await openStream(before, { token: user.token });
    stream.leave();
    const events = `events:${user.organizationId}`;
    const seen = before.deps.eventPositions.decode(events, String(stream.lastId));
    const lastEventId = oldStyleSeal([seen.sortValue, seen.id], events);
    const resumed = await openStream(before, { token: user.token, lastEventId });
    resumed.leave();
  });

  test('remains valid as the input hash of an idempotency key', async () => {
    const key = { id: '', key: createSecretKey(Buffer.from(older.secret)) };
    const idempotencyPayloads = { current: key, named: new Map(), unnamed: [] };
    const { deps } = before;
    const then = createIdempotencyKeys({ ...deps, keys: { ...deps.keys, idempotencyPayloads } });
    const call = {
      scope: newId(),
      operation: 'tasks.create',
      key: newId(),
      payload: { a: 1 },
      organizationId: null,
    };
    const claimed = await then.claim(call);
    if ('replay' in claimed) throw new Error('The key is new');
    await claimed.settle({ status: 201, headers: {}, body: '{}' }, null);
    for (const { deps: known } of [before, prepared, changed]) {
      const response = await createIdempotencyKeys(known).claim(call);
      expect(response).toEqual({ replay: { status: 201, headers: {}, body: '{}' } });
      const other = createIdempotencyKeys(known).claim({ ...call, payload: { a: 2 } });
      await expect(other).rejects.toMatchObject({ code: 'idempotency_key_reused' });
    }
  });
});

/** The session at an instance with new keys. */
async function moved(user: TestUser): Promise<{ token: string }> {
  const { body } = await refreshAt(changed, user.refreshToken);
  return { token: body.data.token };
}
