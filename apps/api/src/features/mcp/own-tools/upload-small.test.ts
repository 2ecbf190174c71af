import { sql } from 'drizzle-orm';
import { afterAll, afterEach, expect, inject, test } from 'vitest';
import { newUser } from '../../../testing/accounts.ts';
import { call } from '../../../testing/api.ts';
import { newCollection } from '../../../testing/library.ts';
import { setUpApi } from '../../../testing/set-up.ts';
import { startTcpProxy } from '../../../testing/tcp-proxy.ts';
import { callOnce, keyFor } from '../testing.ts';

const { s3 } = inject('services');
let isPartRefused = false;
const proxy = await startTcpProxy(Number(new URL(s3.endpoint).port), {
  onRequest: (request) => (isPartRefused && /^PUT .*partNumber=/.test(request) ? 'reset' : 'pass'),
});
afterAll(() => proxy.close());
afterEach(() => {
  isPartRefused = false;
  proxy.restore();
});
const api = await setUpApi({
  S3_ENDPOINT: `http://127.0.0.1:${proxy.port}`,
  S3_PUBLIC_ENDPOINT: s3.endpoint,
  S3_TIMEOUT_MS: '1500',
});
const owner = await newUser(api, 'owner');
const { key } = await keyFor(api, owner, [owner.organizationId]);
const collectionId = await newCollection(api, owner);

const file = { fileName: 'notes.md', contentType: 'text/markdown', collectionId };
const base64Of = (text: string) => Buffer.from(text).toString('base64');
const upload = (input: object, by = key) =>
  callOnce(api, by, { name: 'assets_upload_small', input: { ...file, ...input } });
const textOf = async (id: string) =>
  (await callOnce(api, key, { name: 'assets_read_text', input: { id } })).data?.text;
const countOf = async (token = owner.token) =>
  (await call(api, 'assets.list', { token })).body.data.pagination.total;

test('a new asset has the content, and a second upload is its next version', async () => {
  const before = await countOf();
  const made = await upload({ content: base64Of('Erste – größer 😀') });
  expect(made).toMatchObject({
    isError: false,
    data: { assetName: 'notes.md', currentVersion: 1 },
  });
  const { id } = made.data;
  expect(await textOf(id)).toBe('Erste – größer 😀');
  const next = await upload({ content: base64Of('Zweite'), assetId: id });
  expect(next.data).toMatchObject({ id, currentVersion: 2 });
  expect([await textOf(id), await countOf()]).toEqual(['Zweite', before + 1]);
});

test('the longest content that is taken has 1,000,000 characters of base64', async () => {
  const { data } = await upload({ content: 'A'.repeat(1_000_000) });
  expect(data.fileSize).toBe(750_000);
  const { isError, text } = await upload({ content: 'A'.repeat(1_000_004) });
  expect([isError, text]).toEqual([true, expect.stringContaining('1000000')]);
});

test.each([
  ['no base64', { content: 'größer' }, 'expected base64'],
  ['base64 that was cut', { content: 'QUJ' }, 'expected base64'],
  ['base64 with blanks', { content: 'QUJD REVG' }, 'expected base64'],
  ['base64 for addresses', { content: '-_-_' }, 'expected base64'],
  ['no content', {}, 'content'],
  ['a number for a content', { content: 1 }, 'content'],
  ['no file name', { content: 'QUJD', fileName: '' }, 'fileName'],
  ['a collection that is no id', { content: 'QUJD', collectionId: '..' }, 'collectionId'],
  ['another argument', { content: 'QUJD', key: 'x' }, 'key'],
])('%s is refused by a sentence, and nothing is stored', async (_, input, wanted) => {
  const before = await countOf();
  const { isError, text } = await upload(input);
  expect([isError, text]).toEqual([true, expect.stringContaining(wanted)]);
  expect(await countOf()).toBe(before);
});

const codeOf = async (input: object, by = key) => {
  const { isError, text } = await upload({ content: 'QUJD', ...input }, by);
  return [isError, JSON.parse(text).code];
};

test('an empty file is one', async () => {
  const { data } = await upload({ content: '' });
  expect(await textOf(data.id)).toBe('');
});

test('a collection and an asset of others are not found', async () => {
  const stranger = await newUser(api, 'stranger');
  const foreign = await keyFor(api, stranger, [stranger.organizationId]);
  expect(await codeOf({}, foreign.key)).toEqual([true, 'not_found']);
  const { organizationId } = stranger;
  expect(await codeOf({ organizationId }, foreign.key)).toEqual([true, 'not_found']);
  expect(await codeOf({ organizationId: owner.organizationId }, foreign.key)).toEqual([
    true,
    'organization_access_denied',
  ]);
  const own = await newCollection(api, stranger);
  const { data } = await upload({ content: 'QUJD' });
  const intoForeign = { collectionId: own, assetId: data.id };
  expect(await codeOf(intoForeign, foreign.key)).toEqual([true, 'not_found']);
  expect(await countOf(stranger.token)).toBe(0);
});

test('a plan that is full refuses it', async () => {
  const before = await countOf();
  await api.db.execute(sql`update organization_usage set storage_bytes = 1000000000000000
    where organization_id = ${owner.organizationId}`);
  expect(await codeOf({})).toEqual([true, 'plan_limit_reached']);
  await api.db.execute(sql`update organization_usage set storage_bytes = 0
    where organization_id = ${owner.organizationId}`);
  expect(await countOf()).toBe(before);
});

test.each([
  ['before it', () => proxy.cut()],
  ['at the part', () => (isPartRefused = true)],
])('while the storage is down %s, the error is the one of the API', async (_, fail) => {
  const before = await countOf();
  fail();
  const { isError, text, headers } = await upload({ content: 'QUJD' });
  expect([isError, JSON.parse(text)]).toEqual([
    true,
    {
      code: 'storage_unavailable',
      message: expect.any(String),
      requestId: headers.get('x-request-id'),
    },
  ]);
  isPartRefused = false;
  proxy.restore();
  expect(await countOf()).toBe(before);
  expect((await upload({ content: 'QUJD' })).isError).toBe(false);
});
