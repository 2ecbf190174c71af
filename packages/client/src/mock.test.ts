import { startMock, type Mock } from '@atelier/mock';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { subscribe } from './events.ts';
import { createClient, memoryTokens, type Middleware } from './index.ts';
import { upload } from './upload.ts';

// The whole client against the mock, as front-end work without a backend uses it.
let mock: Mock;
beforeAll(async () => {
  mock = await startMock({ eventEveryMs: 5 });
});
afterAll(() => mock[Symbol.asyncDispose]());

async function signedIn(middleware: readonly Middleware[] = []) {
  const api = createClient({ baseUrl: mock.url, tokens: memoryTokens(), middleware });
  await api.auth.login({ body: { email: 'ada@example.com', password: 'difference engine' } });
  return api;
}

test('signs in, and sends the token', async () => {
  const api = await signedIn();
  const { id } = await api.collections.create({ body: { title: 'Brand pictures' } });
  expect((await api.collections.get({ params: { id } })).title).toBe('Brand pictures');
  const stranger = createClient({ baseUrl: mock.url, tokens: memoryTokens() });
  await expect(stranger.collections.get({ params: { id } })).rejects.toThrow();
});

test('reads a list to its end', async () => {
  const api = await signedIn();
  const { pagination } = await api.assets.list();
  const seen = new Set<string>();
  for await (const asset of api.assets.list.iterate({ query: { limit: 10 } })) seen.add(asset.id);
  expect(seen.size).toBe(pagination.total);
});

test('uploads a file of several parts', async () => {
  const api = await signedIn();
  const file = new Blob([new Uint8Array(9 * 1024 * 1024)], { type: 'image/png' });
  const { id } = await api.collections.create({ body: { title: 'Brand pictures' } });
  const task = upload(api, file, { fileName: 'logo.png', collectionId: id });
  const asset = await task.done;
  expect(await api.assets.get({ params: { id: asset.id } })).toEqual(asset);
  expect(task.state.loadedBytes).toBe(file.size);
});

test('receives the error that a test requests', async () => {
  const api = await signedIn([
    (attempt, next) => {
      if (attempt.operation === 'collections.get') attempt.headers.set('prefer', 'code=not_found');
      return next();
    },
  ]);
  const { id } = await api.collections.create({ body: { title: 'Brand pictures' } });
  const result = await api.collections.get({ params: { id } }).result();
  expect(result.ok ? null : result.error).toMatchObject({ status: 404, code: 'not_found' });
});

test('receives changes', async () => {
  const api = await signedIn();
  const seen: string[] = [];
  for await (const update of subscribe(api)) {
    seen.push(update.event);
    if (seen.length === 4) break;
  }
  expect(seen).toEqual(['ready', 'activity', 'activity', 'activity']);
});
