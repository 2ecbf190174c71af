import { operations } from '@atelier/contract';
import { describe, expect, test } from 'vitest';
import { newUser } from '../testing/accounts.ts';
import { call, send } from '../testing/api.ts';
import { sendBytes, rawResponses } from '../whole-service/fuzz/wire.ts';
import { newCollection, someFile, uploadFile } from '../testing/library.ts';
import { setUpApi } from '../testing/set-up.ts';

const [api, plain] = await Promise.all([
  setUpApi(),
  setUpApi({ BASE_URL: 'http://api.example.com' }),
]);
const user = await newUser(api);

const common = {
  'cache-control': 'no-store',
  'content-security-policy':
    "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'strict-transport-security': 'max-age=63072000; includeSubDomains',
  'x-content-type-options': 'nosniff',
};

const commonOf = (headers: Headers) =>
  Object.fromEntries(Object.keys(common).map((name) => [name, headers.get(name)]));

describe('every response has the common headers', () => {
  const paths = operations.map(({ id, endpoint: { method, path } }) => ({
    id,
    method,
    path: path.replaceAll(/:\w+/g, 'x'),
  }));

  test.each(paths)('$id, with and without a session', async ({ method, path }) => {
    for (const headers of [{}, { authorization: `Bearer ${user.token}` }]) {
      const response = await send(api, path, { method, headers, redirect: 'manual' });
      expect(commonOf(response.headers)).toEqual(common);
    }
  });

  test.each([
    ['an unknown path', () => send(api, '/nowhere')],
    ['a malformed path', () => send(api, '/api/collections/%zz')],
    ['another method', () => send(api, '/health', { method: 'PATCH' })],
    ['an OPTIONS that is no preflight', () => send(api, '/health', { method: 'OPTIONS' })],
  ])('%s', async (_, ask) => {
    expect(commonOf((await ask()).headers)).toEqual(common);
  });

  test('input that is not HTTP', async () => {
    const { text } = await sendBytes(api.url, Buffer.from('NONSENSE\r\n\r\n'));
    expect(rawResponses(text)?.[0]?.headers).toMatchObject(common);
  });
});

test('a success with private data is not cached anywhere', async () => {
  const { status, headers } = await call(api, 'auth.user', { token: user.token });
  expect([status, commonOf(headers)]).toEqual([200, common]);
});

test('a service without https does not promise it', async () => {
  const { headers } = await send(plain, '/health');
  expect(headers.get('strict-transport-security')).toBeNull();
});

test('only a public link can be embedded anywhere', async () => {
  const collectionId = await newCollection(api, user);
  const asset = await uploadFile(api, user, someFile(10), { collectionId });
  const code = new URL(asset.assetShortUrl).pathname.split('/').at(-1) ?? '';
  const { status, headers } = await call(api, 'assets.followShortLink', { params: { code } });
  expect([status, headers.get('cross-origin-resource-policy')]).toEqual([302, 'cross-origin']);
});

test('no response reveals what the service runs on', async () => {
  const { headers } = await send(api, '/health');
  expect([headers.get('server'), headers.get('x-powered-by')]).toEqual([null, null]);
});
