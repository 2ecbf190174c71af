import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ApiError } from './errors.ts';
import { withinLimit } from './within-limit.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function refusal(code: string, status: number, headers: Record<string, string> = {}) {
  return new ApiError({
    status,
    code,
    message: code,
    requestId: null,
    operation: 'shares.sharedDownload',
    issues: [],
    headers: new Headers(headers),
  });
}

/** A request that fails with these first. */
function requestThatFails(failures: readonly Error[]) {
  let asked = 0;
  return {
    asked: () => asked,
    async request() {
      const failure = failures[asked];
      asked += 1;
      if (failure !== undefined) throw failure;
      return 'https://storage.example.com/file';
    },
  };
}

const limited = () => refusal('rate_limited', 429, { 'retry-after': '40' });

test('waits as long as a limit says', async () => {
  const { asked, request } = requestThatFails([limited(), limited()]);
  const address = withinLimit(request, undefined);
  await vi.advanceTimersByTimeAsync(39_000);
  expect(asked()).toBe(1);
  await vi.advanceTimersByTimeAsync(42_000);
  expect(await address).toBe('https://storage.example.com/file');
});

test.each([
  ['what is refused for good', refusal('share_not_found', 404)],
  ['a limit without a time', refusal('rate_limited', 429)],
  ['a limit of hours', refusal('rate_limited', 429, { 'retry-after': '7200' })],
])('does not wait for %s', async (_what, error) => {
  const { signal } = new AbortController();
  await expect(withinLimit(requestThatFails([error]).request, signal)).rejects.toBe(error);
});

test('stops waiting when it is cancelled', async () => {
  const controller = new AbortController();
  const { request } = requestThatFails([limited()]);
  const outcome = withinLimit(request, controller.signal).catch(String);
  await vi.advanceTimersByTimeAsync(1000);
  controller.abort(new Error('cancelled'));
  expect(await outcome).toBe('Error: cancelled');
});
