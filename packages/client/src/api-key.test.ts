import { expect, test, vi } from 'vitest';
import { createClient, memoryTokens } from './index.ts';
import { failure, startService, success } from './testing/service.ts';

const apiKey = 'atl_pat_9fKcR2mVw7Yh3TzQp8LbN5xUe1GjD4sAo6KiWnC0rvx2Qa';
const id = '019aa4f0-5c1e-7b3a-9d2f-6f1f0c7a9e42';

test('a key is sent instead of the tokens of a session', async () => {
  await using service = await startService(() => success({ id }));
  const tokens = memoryTokens();
  await tokens.set({ accessToken: 'of a session', refreshToken: 'also' });
  const api = createClient({ baseUrl: service.url, apiKey, tokens });
  await api.tasks.get({ params: { id } });
  await api.auth.user();
  for (const { headers } of service.requests)
    expect(headers.authorization).toBe(`Bearer ${apiKey}`);
  expect(service.requests[0]?.headers['x-organization-id']).toBeUndefined();
});

test('an empty key, as of an empty environment variable, leaves the calls to the session', async () => {
  await using service = await startService(() => success({ id }));
  const tokens = memoryTokens();
  await tokens.set({ accessToken: 'of a session', refreshToken: 'also' });
  const api = createClient({ baseUrl: service.url, apiKey: '', tokens });
  await api.auth.user();
  expect(service.requests.map(({ headers }) => headers.authorization)).toEqual([
    'Bearer of a session',
  ]);
});

test('operations without access control get no key', async () => {
  await using service = await startService(() => success({}));
  const api = createClient({ baseUrl: service.url, apiKey });
  await api.health.ready();
  expect(service.requests[0]?.headers.authorization).toBeUndefined();
});

test('a key that has ended is reported at once: nothing is refreshed, no session ends', async () => {
  await using service = await startService(() => failure(401, 'unauthenticated'));
  const onSessionExpired = vi.fn();
  const api = createClient({ baseUrl: service.url, apiKey, onSessionExpired });
  await expect(api.tasks.get({ params: { id } })).rejects.toMatchObject({
    code: 'unauthenticated',
  });
  expect(service.requests.map(({ path }) => path)).toEqual([`/api/tasks/${id}`]);
  expect(onSessionExpired).not.toHaveBeenCalled();
});
