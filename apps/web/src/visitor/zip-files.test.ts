import { ApiError } from '@atelier/client';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { SourceEnded } from '../downloads/download-list.ts';
import { zipFilesOf } from './zip-files.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const file = (id: string) => ({
  id,
  name: `${id}.txt`,
  contentType: 'text/plain',
  fileSize: 1,
  thumbnailUrl: null,
  previewUrl: null,
  preview: 'NONE' as const,
});

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

/** A visit of two pages with a file each, whose downloads fail with these first. */
function visitThatFails(failures: readonly Error[]) {
  let asked = 0;
  return {
    asked: () => asked,
    assets: async ({ cursor }: { cursor?: string | undefined; limit?: number } = {}) => ({
      items: [file(cursor ?? 'first')],
      pagination: { limit: 1, nextCursor: cursor === undefined ? 'second' : null, total: 2 },
    }),
    async download(id: string) {
      const failure = failures[asked];
      asked += 1;
      if (failure !== undefined) throw failure;
      return { url: `https://storage.example.com/${id}`, fileName: id, expiresAt: '' };
    },
  };
}

async function addressesOf(
  visit: object,
  signal: AbortSignal,
  onEnded: (error: unknown) => void = () => {},
): Promise<readonly string[]> {
  const addresses: string[] = [];
  const files = zipFilesOf(visit as Parameters<typeof zipFilesOf>[0], onEnded);
  for await (const { addressOf } of files(signal)) addresses.push(await addressOf(signal));
  return addresses;
}

const limited = () => refusal('rate_limited', 429, { 'retry-after': '40' });

test('lists the files of every page, and waits as long as a limit says', async () => {
  const visit = visitThatFails([limited(), limited()]);
  const addresses = addressesOf(visit, new AbortController().signal);
  await vi.advanceTimersByTimeAsync(39_000);
  expect(visit.asked()).toBe(1);
  await vi.advanceTimersByTimeAsync(42_000);
  expect(await addresses).toEqual([
    'https://storage.example.com/first',
    'https://storage.example.com/second',
  ]);
});

test('does not wait for what is refused for good, or after it is cancelled', async () => {
  const { signal } = new AbortController();
  const gone = refusal('share_not_found', 404);
  await expect(addressesOf(visitThatFails([gone]), signal)).rejects.toBe(gone);
  const controller = new AbortController();
  const outcome = addressesOf(visitThatFails([limited()]), controller.signal).catch(String);
  await vi.advanceTimersByTimeAsync(1000);
  controller.abort(new Error('cancelled'));
  expect(await outcome).toBe('Error: cancelled');
});

test('tells the end of a share from a file that is no longer shared', async () => {
  const { signal } = new AbortController();
  const gone = refusal('share_not_found', 404);
  const onEnded = vi.fn();
  await expect(addressesOf(visitThatFails([gone]), signal, onEnded)).rejects.toBe(gone);
  expect(onEnded).not.toHaveBeenCalled();
  const visit = visitThatFails([gone]);
  const list = visit.assets;
  const ended = {
    ...visit,
    assets: async (page?: Parameters<typeof list>[0]) => {
      if (visit.asked() > 0) throw gone;
      return list(page);
    },
  };
  await expect(addressesOf(ended, signal, onEnded)).rejects.toBeInstanceOf(SourceEnded);
  expect(onEnded.mock.calls).toEqual([[gone]]);
});
