import { afterEach, expect, test, vi } from 'vitest';
import { Failure } from '../../kernel/errors.ts';
import { call } from '../../testing/api.ts';
import { setUpApi } from '../../testing/set-up.ts';

const api = await setUpApi();
const ping = vi.spyOn(api.deps.store, 'ping');
afterEach(() => ping.mockReset());

const statusOf = async () => (await call(api, 'health.ready')).status;

test('many probes ask the storage once, and a failure is not remembered', async () => {
  ping.mockRejectedValueOnce(new Failure('storage_unavailable'));
  expect(await statusOf()).toBe(503);
  const asked = Promise.withResolvers<void>();
  ping.mockReturnValueOnce(asked.promise);
  const waiting = Array.from({ length: 30 }, statusOf);
  await expect.poll(() => ping.mock.calls.length).toBe(2);
  asked.resolve();
  expect(new Set(await Promise.all(waiting))).toEqual(new Set([200]));
  expect(ping).toHaveBeenCalledTimes(2);
});

test('a storage that is lost is noticed soon', async () => {
  await expect.poll(statusOf).toBe(200);
  ping.mockRejectedValue(new Failure('storage_unavailable'));
  await expect.poll(statusOf, { timeout: 10_000 }).toBe(503);
  ping.mockReset();
  expect(await statusOf()).toBe(200);
});
