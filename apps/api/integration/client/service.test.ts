// @module-tag slow

import { createHash, randomFillSync } from 'node:crypto';
import { afterAll, afterEach, expect, inject, test } from 'vitest';
import { logIn, newUser, type TestUser } from '../../src/testing/accounts.ts';
import { newCollection, someFile } from '../../src/testing/library.ts';
// Declares the type of what `inject` returns.
import type { Services } from '../../src/testing/services.ts';
import { setUpApi } from '../../src/testing/set-up.ts';
import { startTcpProxy } from '../../src/testing/tcp-proxy.ts';
import { setUpWebhooks } from '../../src/testing/webhooks.ts';
import {
  createClient,
  localStorageTokens,
  memoryTokens,
  type Client,
} from '../../../../packages/client/src/index.ts';
import { memoryUploads } from '../../../../packages/client/src/resume.ts';
import { upload } from '../../../../packages/client/src/upload.ts';
import { verifyWebhook } from '../../../../packages/client/src/webhooks.ts';

const mebibyte = 1024 ** 2;
const puts: string[] = [];
/** Called with the number of bytes sent to the storage. */
let onBytes: (count: number) => void = () => {};

const { s3 }: Services = inject('services');
const storage = await startTcpProxy(Number(new URL(s3.endpoint).port), {
  onRequest(request) {
    const part = /^PUT \S*partNumber=(\d+)/.exec(request)?.[1];
    if (part) puts.push(part);
    onBytes(request.length);
    return 'pass';
  },
});
afterAll(() => storage.close());

const api = await setUpApi({
  UPLOAD_PART_SIZE_MIN_BYTES: String(5 * mebibyte),
  S3_PUBLIC_ENDPOINT: `http://127.0.0.1:${storage.port}`,
});
const network = await startTcpProxy(Number(new URL(api.url).port));
afterAll(() => network.close());
const user = await newUser(api);
const { team } = await setUpWebhooks(api);
const collectionId = await newCollection(api, user);
const client = clientOf(user);
afterEach(() => {
  storage.restore();
  network.restore();
  puts.length = 0;
  onBytes = () => {};
});

function clientOf({ token, refreshToken }: TestUser): Client {
  return createClient({
    baseUrl: `http://127.0.0.1:${network.port}`,
    tokens: memoryTokens({ accessToken: token, refreshToken }),
  });
}

/** Creates a file of three parts. */
function threeParts() {
  const { content } = someFile(12 * mebibyte);
  return { content, file: new File([Uint8Array.from(content)], 'film.mp4', { type: 'video/mp4' }) };
}

/** Expects that the download of an asset has the uploaded content. */
async function expectIntact(asset: { id: string }, content: Buffer): Promise<void> {
  const { url } = await client.assets.download({ params: { id: asset.id } });
  const bytes = await (await fetch(url)).arrayBuffer();
  expect(Buffer.from(bytes).equals(content)).toBe(true);
}

test('an upload resumes after a reload with the missing parts', async () => {
  const { content, file } = threeParts();
  const options = {
    collectionId,
    concurrency: 1,
    maxRetries: 0,
    resume: { store: memoryUploads() },
  };
  const first = upload(client, file, options);
  for await (const { loadedBytes } of first) if (loadedBytes >= 5 * mebibyte) storage.cut();
  await expect(first.done).rejects.toMatchObject({ code: 'network' });
  storage.restore();
  const before = puts.filter((part) => part === '1').length;

  const asset = await upload(clientOf(user), file, options).done;

  expect(before).toBe(1);
  expect(puts.filter((part) => part === '1')).toHaveLength(1);
  await expectIntact(asset, content);
});

test('an upload survives a broken connection while parts are being sent', async () => {
  const { content, file } = threeParts();
  const task = upload(client, file, { collectionId, concurrency: 2 });
  let cuts = 0;
  for await (const { loadedBytes } of task) {
    if (loadedBytes === 0 || cuts++ > 0) continue;
    storage.cut();
    setTimeout(() => storage.restore(), 100);
  }
  await expectIntact(await task.done, content);
  expect(cuts).toBeGreaterThan(0);
});

test('200 MB arrive intact through a connection that breaks five times, without resending stored parts', async () => {
  const content = randomFillSync(new Uint8Array(200e6));
  const file = new File([content], 'film.mp4', { type: 'video/mp4' });
  const cutsAt = [20e6, 60e6, 100e6, 140e6, 180e6];
  let passed = 0;
  onBytes = (count) => {
    passed += count;
    if (passed < (cutsAt[0] ?? Infinity)) return;
    cutsAt.shift();
    storage.cut();
    setTimeout(() => storage.restore(), 100);
  };
  const sent: number[] = [];
  /** Parts sent again although they were stored, or without asking the service first. */
  const needless: number[] = [];
  /** The last reported state of parts that failed. */
  const reported = new Map<number, 'stored' | 'missing'>();
  const failed = new Set<number>();
  const watched = createClient({
    baseUrl: api.url,
    tokens: memoryTokens({ accessToken: user.token, refreshToken: user.refreshToken }),
    async fetch(address, init) {
      const response = await fetch(address, init);
      if (String(address).endsWith('/parts')) {
        const { data } = await response.clone().json();
        for (const part of failed) reported.set(part, 'missing');
        for (const { partNumber } of data.uploadedParts) reported.set(partNumber, 'stored');
      }
      return response;
    },
  });

  const task = upload(watched, file, {
    collectionId,
    concurrency: 3,
    async fetch(address, init) {
      const part = Number(/partNumber=(\d+)/.exec(String(address))?.[1]);
      if (sent.includes(part) && reported.get(part) !== 'missing') needless.push(part);
      sent.push(part);
      reported.delete(part);
      failed.delete(part);
      try {
        return await fetch(address, init);
      } catch (error) {
        failed.add(part);
        throw error;
      }
    },
  });
  const { id } = await task.done;

  expect(cutsAt, 'breaks that did not happen').toEqual([]);
  const partCount = Math.max(...sent);
  expect(sent.length, 'interrupted parts are sent again').toBeGreaterThan(partCount);
  expect(new Set(sent).size).toBe(partCount);
  expect(needless).toEqual([]);
  const { url } = await client.assets.download({ params: { id } });
  const received = createHash('sha256');
  for await (const chunk of (await fetch(url)).body ?? []) received.update(chunk);
  expect(received.digest('hex')).toBe(createHash('sha256').update(content).digest('hex'));
});

test('a completion whose response was lost returns the one asset that it created', async () => {
  const { content, file } = threeParts();
  const options = { collectionId, resume: { store: memoryUploads() } };
  const impatient = createClient({
    baseUrl: api.url,
    tokens: memoryTokens({ accessToken: user.token, refreshToken: user.refreshToken }),
    maxRetries: 0,
    async fetch(address, init) {
      const response = await fetch(address, init);
      if (String(address).endsWith('/complete')) throw new TypeError('the page was closed');
      return response;
    },
  });
  await expect(upload(impatient, file, options).done).rejects.toMatchObject({ kind: 'network' });

  const asset = await upload(client, file, options).done;

  await expectIntact(asset, content);
  const { items } = await client.assets.list({ query: { collectionId } });
  expect(items.filter(({ id }) => id === asset.id)).toHaveLength(1);
});

test('three clients of twenty calls with a rejected token rotate it once', async () => {
  const account = await newUser(api);
  const tokens = memoryTokens({ accessToken: 'refused', refreshToken: account.refreshToken });
  const clients = [1, 2, 3].map(() => createClient({ baseUrl: api.url, tokens }));
  const calls = clients.flatMap((each) => Array.from({ length: 20 }, () => each.auth.user()));
  const users = await Promise.all(calls);
  expect(new Set(users.map(({ id }) => id))).toEqual(new Set([account.id]));
  await clients[0]?.session.refresh();
  expect((await clients[1]?.auth.user())?.id).toBe(account.id);
});

test.each([
  ['once', 1],
  ['three times, and the page is loaded again', 3],
])('an account stays signed in when the response to a refresh is lost %s', async (_, count) => {
  const account = await newUser(api);
  const elsewhere = await logIn(api, account);
  let lost = 0;
  const lossy = await startTcpProxy(Number(new URL(api.url).port), {
    onResponse: (request) =>
      request.startsWith('POST /api/auth/refresh-token') && lost++ < count ? 'reset' : 'pass',
  });
  const entries = new Map<string, string>();
  const storage = {
    getItem: (key: string) => entries.get(key) ?? null,
    setItem: (key: string, value: string) => void entries.set(key, value),
    removeItem: (key: string) => void entries.delete(key),
  };
  const open = () =>
    createClient({
      baseUrl: `http://127.0.0.1:${lossy.port}`,
      tokens: localStorageTokens(storage),
    });
  const first = open();
  await first.session.set({ accessToken: 'refused', refreshToken: account.refreshToken });
  const outcomes = await Promise.all([1, 2, 3].map(() => first.auth.user().result()));
  if (count === 3) {
    for (const outcome of outcomes) {
      expect(outcome).toMatchObject({ ok: false, error: { kind: 'network', attempts: 3 } });
    }
  }

  expect((await open().auth.user()).id).toBe(account.id);
  expect(lost).toBe(count + 1);
  await open().session.refresh();
  expect((await open().auth.user()).id).toBe(account.id);
  const status = await fetch(`${api.url}/api/auth/user`, {
    headers: { authorization: `Bearer ${elsewhere.token}` },
  });
  expect(status.status).toBe(200);
  await lossy.close();
});

test('verifyWebhook accepts what the service sends, by secret and by public key', async () => {
  const { receiver, secret, webhook, newCollection } = await team();
  await newCollection('Signed');
  const [received] = await receiver.count(1);
  if (!received) throw new Error('nothing arrived');
  // The clock of the test's service is its own.
  const toleranceSeconds = Number.MAX_SAFE_INTEGER;
  const message = await verifyWebhook(received, { secret, toleranceSeconds });
  expect(message).toMatchObject({ id: received.id, type: 'collection.create', sequence: 1 });
  if (message.type === 'collection.create') expect(message.data.resourceName).toBe('Signed');
  const { publicKey } = webhook;
  expect(await verifyWebhook(received, { publicKey, toleranceSeconds })).toEqual(message);
  const forged = { ...received, body: received.body.replace('Signed', 'Forged') };
  await expect(verifyWebhook(forged, { secret, toleranceSeconds })).rejects.toThrow('No signature');
});
