import { once } from 'node:events';
import { createServer } from 'node:http';
import { expect, test } from 'vitest';
import { clientUntil } from './client.ts';
import { latestCollections, seedLibrary } from './library.ts';
import { followMailedLink } from './mailed.ts';
import { seedAccount } from './seed.ts';
import { signInByProvider } from './sign-in.ts';

/** Starts a service that responds with the data of a path, and to other requests never. */
async function serviceWith(dataOf: (path: string, url: string) => unknown = () => undefined) {
  const ending = new AbortController();
  const { promise: stalled, resolve: stall } = Promise.withResolvers<void>();
  let url = '';
  const server = createServer((request, response) => {
    const data = dataOf(`${request.method} ${request.url?.replace(/\?.*/, '')}`, url);
    if (data === undefined) return stall();
    response.end(JSON.stringify({ success: true, message: 'OK', data }));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('unreachable: it listens');
  url = `http://127.0.0.1:${address.port}`;
  return {
    options: {
      apiUrl: url,
      baseUrl: url,
      mailUrl: url,
      identityUrl: url,
      demo: { email: 'demo@example.com', password: 'a password' },
      signal: ending.signal,
    },
    stalled,
    end: () => ending.abort(new Error('the start ends')),
    [Symbol.dispose]: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

type Options = Awaited<ReturnType<typeof serviceWith>>['options'];

test.each<[string, (options: Options) => Promise<unknown>]>([
  ['of the account', seedAccount],
  ['at a sign-in', (options) => signInByProvider(options, 'teo@example.com')],
  [
    'at a mailed link',
    (options) =>
      followMailedLink({ ...options, email: 'teo@example.com', link: /x/ }, async () => true),
  ],
])('a seed %s ends with the reason of its signal', async (_, seed) => {
  using service = await serviceWith();
  const seeding = seed(service.options);
  await Promise.race([service.stalled, seeding]);
  service.end();
  await expect(seeding).rejects.toThrow('the start ends');
  await expect(seed(service.options)).rejects.toThrow('the start ends');
});

test('a seed at an upload to the storage ends with the reason of its signal', async () => {
  const id = '018f4e6a-1111-7000-8000-000000000001';
  using service = await serviceWith((path, url) => {
    if (path === 'GET /api/collections') return { items: [{ id, title: 'Coast walks' }] };
    if (path.startsWith('GET /api/assets/collection/')) return { items: [] };
    if (path !== 'POST /api/upload/initiate') return undefined;
    const part = { partNumber: 1, url: `${url}/storage` };
    return {
      uploadId: id,
      key: 'key',
      partSize: 10_000_000,
      parts: [part],
      expiresAt: '2100-01-01',
    };
  });
  const { apiUrl, signal } = service.options;
  const place = { organizationId: null, signal };
  const seeding = seedLibrary(clientUntil(signal, apiUrl), latestCollections, place);
  await Promise.race([service.stalled, seeding]);
  service.end();
  await expect(seeding).rejects.toThrow('the start ends');
});
