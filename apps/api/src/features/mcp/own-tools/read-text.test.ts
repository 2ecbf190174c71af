import { inject, afterAll, afterEach, describe, expect, test } from 'vitest';
import { newUser } from '../../../testing/accounts.ts';
import { call } from '../../../testing/api.ts';
import { newCollection, uploadFile } from '../../../testing/library.ts';
import { joinTeam, newTeam } from '../../../testing/organizations.ts';
import { setUpApi } from '../../../testing/set-up.ts';
import { startTcpProxy } from '../../../testing/tcp-proxy.ts';
import { callOnce, keyFor } from '../testing.ts';

const { s3 } = inject('services');
const proxy = await startTcpProxy(Number(new URL(s3.endpoint).port));
afterAll(() => proxy.close());
afterEach(() => proxy.restore());
const api = await setUpApi({
  S3_ENDPOINT: `http://127.0.0.1:${proxy.port}`,
  S3_PUBLIC_ENDPOINT: s3.endpoint,
  S3_TIMEOUT_MS: '1500',
});
const owner = await newUser(api, 'owner');
const { key } = await keyFor(api, owner, [owner.organizationId]);
const collectionId = await newCollection(api, owner);

const store = async (content: Buffer | string, assetId?: string) => {
  const file = {
    fileName: 'notes.md',
    contentType: 'text/markdown',
    content: Buffer.from(content),
  };
  const target = { collectionId, ...(assetId !== undefined && { assetId }) };
  const asset = await uploadFile(api, owner, file, target);
  return String(asset.id);
};
const read = (input: object, by = key) => callOnce(api, by, { name: 'assets_read_text', input });

test('the text of each version is read, the newest by default', async () => {
  const id = await store('Erste Fassung: größer 😀\r\n\t{"x":1}\n');
  await store('Zweite', id);
  const of = (versionNumber: number, text: string) => ({
    id,
    assetName: 'notes.md',
    versionNumber,
    text,
  });
  expect((await read({ id })).data).toEqual(of(2, 'Zweite'));
  const first = of(1, 'Erste Fassung: größer 😀\r\n\t{"x":1}\n');
  expect((await read({ id, versionNumber: 1 })).data).toEqual(first);
  const third = await read({ id, versionNumber: 3 });
  expect([third.isError, third.text]).toEqual([true, 'notes.md has no version 3']);
});

describe('a content', () => {
  test.each([
    ['with a byte order mark', '\ufefftext', 'text'],
    ['of 256 KiB', 'x'.repeat(256 * 1024), 'x'.repeat(256 * 1024)],
    ['of a byte', 'x', 'x'],
  ])('%s is read', async (_, content, text) => {
    const { data } = await read({ id: await store(content) });
    expect(data.text === text).toBe(true);
  });

  const utf16 = Buffer.from('Grüße', 'utf16le');
  test.each([
    ['in UTF-16', Buffer.concat([Buffer.from([0xff, 0xfe]), utf16])],
    ['in UTF-16 without a mark', utf16],
    ['in UTF-16, big end first', Buffer.from(utf16).swap16()],
    ['in Latin-1', Buffer.from('Grüße', 'latin1')],
    ['of a picture', Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')],
    ['with a NUL', Buffer.from('a\0b')],
    ['cut within a character', Buffer.from('😀').subarray(0, 3)],
  ])('%s is refused', async (_, content) => {
    const { isError, text } = await read({ id: await store(content) });
    expect([isError, text]).toEqual([true, 'notes.md is not text in UTF-8']);
  });

  test('of one byte more than 256 KiB is refused', async () => {
    const { isError, text } = await read({ id: await store('x'.repeat(256 * 1024 + 1)) });
    expect([isError, text]).toEqual([true, 'notes.md is longer than 262144 bytes']);
  });
});

describe('not found is an asset', () => {
  const codeOf = async (input: object, by = key) => {
    const { isError, text } = await read(input, by);
    return [isError, JSON.parse(text).code];
  };

  test('that was deleted, until it is restored', async () => {
    const id = await store('kept');
    const about = { token: owner.token, params: { id } };
    await call(api, 'assets.remove', about);
    expect(await codeOf({ id })).toEqual([true, 'not_found']);
    await call(api, 'assets.restore', about);
    expect((await read({ id })).data.text).toBe('kept');
  });

  test('of another organization, also where the key names its own', async () => {
    const id = await store('secret');
    const stranger = await newUser(api, 'stranger');
    const foreign = await keyFor(api, stranger, [stranger.organizationId]);
    expect(await codeOf({ id }, foreign.key)).toEqual([true, 'not_found']);
    const { organizationId } = stranger;
    expect(await codeOf({ id, organizationId }, foreign.key)).toEqual([true, 'not_found']);
    const named = await codeOf({ id, organizationId: owner.organizationId }, foreign.key);
    expect(named).toEqual([true, 'organization_access_denied']);
  });

  test('of another organization of the key, unless that is named', async () => {
    const id = await store('mine');
    const { id: teamId } = await newTeam(api, await newUser(api, 'founder'));
    await joinTeam(api, teamId, owner, 'MEMBER');
    const both = await keyFor(api, owner, [owner.organizationId, teamId]);
    expect(await codeOf({ id, organizationId: teamId }, both.key)).toEqual([true, 'not_found']);
    const { data } = await read({ id, organizationId: owner.organizationId }, both.key);
    expect(data.text).toBe('mine');
  });
});

test.each([
  ['no id', {}],
  ['an id that is none', { id: '..' }],
  ['a version of zero', { id: collectionId, versionNumber: 0 }],
  ['a version beyond those that are counted', { id: collectionId, versionNumber: 2 ** 31 }],
  ['a text for a version', { id: collectionId, versionNumber: '1' }],
  ['another argument', { id: collectionId, path: '/etc/passwd' }],
])('%s is refused by a sentence', async (_, input) => {
  const { isError, text } = await read(input);
  expect([isError, text]).toEqual([true, expect.stringMatching(/^✖ /)]);
});

test('while the storage is down, the error is the one of the API, and says nothing of the storage', async () => {
  const id = await store('away');
  proxy.cut();
  const { isError, text, headers } = await read({ id });
  expect([isError, JSON.parse(text)]).toEqual([
    true,
    {
      code: 'storage_unavailable',
      message: expect.any(String),
      requestId: headers.get('x-request-id'),
    },
  ]);
  expect(text).not.toContain('127.0.0.1');
  proxy.restore();
  expect((await read({ id })).data.text).toBe('away');
});
