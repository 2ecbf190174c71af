import { expect, test, vi } from 'vitest';
import { DownloadError } from './download-error.ts';
import { patience } from './patience.ts';
import { readFile } from './read-file.ts';

const content = new TextEncoder().encode('the whole content of a file');

/** What an attempt to read from the storage does. */
type Attempt = 'refuse' | 'all' | { readonly breakAfter: number } | { readonly endAfter: number };

/** A storage that does these things, one after the other, and records the offsets it was asked for. */
function storage(attempts: readonly Attempt[]) {
  const offsets: number[] = [];
  const open = async (offset: number) => {
    const attempt = attempts[offsets.length] ?? 'refuse';
    offsets.push(offset);
    if (attempt === 'refuse') throw new TypeError('refused');
    const until =
      attempt === 'all'
        ? content.length
        : offset + ('breakAfter' in attempt ? attempt.breakAfter : attempt.endAfter);
    let at = offset;
    return new ReadableStream<Uint8Array>({
      pull(controller) {
        if (at < until) {
          controller.enqueue(content.slice(at, Math.min(at + 4, until)));
          at += 4;
        } else if (attempt !== 'all' && 'breakAfter' in attempt)
          controller.error(new TypeError('broken'));
        else controller.close();
      },
    });
  };
  return { offsets, open };
}

async function read(
  attempts: readonly Attempt[],
  {
    isFinal = (): boolean => false,
    sizeBytes = content.length,
  }: { isFinal?: (error: unknown) => boolean; sizeBytes?: number } = {},
) {
  const { offsets, open } = storage(attempts);
  const pauses: number[] = [];
  const patient = patience(isFinal, async (ms) => void pauses.push(ms));
  const result = await (async () => {
    const parts: Uint8Array[] = [];
    for await (const part of await readFile({ name: 'a.txt', sizeBytes, open }, patient))
      parts.push(part);
    return new TextDecoder().decode(Buffer.concat(parts));
  })().catch((error: unknown) => String(error));
  return { result, offsets, pauses };
}

const whole = 'the whole content of a file';

test('reads a file in one go', async () => {
  expect(await read(['all'])).toEqual({ result: whole, offsets: [0], pauses: [] });
});

test('continues where a connection broke or ended too early', async () => {
  const { result, offsets } = await read([{ breakAfter: 10 }, 'refuse', { endAfter: 6 }, 'all']);
  expect([result, offsets]).toEqual([whole, [0, 10, 10, 16]]);
});

test('waits longer each time, and begins anew when bytes have arrived', async () => {
  const { pauses } = await read(['refuse', 'refuse', { breakAfter: 4 }, 'all']);
  expect(pauses).toEqual([500, 2000, 500]);
});

test('gives up after several failures in a row', async () => {
  const { result, offsets } = await read([]);
  expect([result, offsets.length]).toEqual(['TypeError: refused', 5]);
});

test('a file that breaks off for good fails, and is never taken for whole', async () => {
  const { result } = await read([{ breakAfter: 8 }]);
  expect(result).toBe('TypeError: refused');
});

test('does not try again what is final', async () => {
  const { result, offsets } = await read(['refuse', 'all'], { isFinal: () => true });
  expect([result, offsets]).toEqual(['TypeError: refused', [0]]);
});

test.each([
  ['longer', content.length - 1],
  ['longer by parts', content.length - 8],
  ['shorter', content.length + 1],
])('a file that is %s than the service says is an error', async (_what, sizeBytes) => {
  const isFinal = (error: unknown) => error instanceof DownloadError;
  const { result } = await read(['all', 'all', 'all'], { isFinal, sizeBytes });
  expect(result).toMatch(/^DownloadError: a\.txt: the storage has another length/);
});

test('an empty file has no bytes', async () => {
  const open = async () => new Response('').body ?? new ReadableStream<Uint8Array>();
  const patient = patience(
    () => false,
    async () => {},
  );
  const bytes = await readFile({ name: 'a.txt', sizeBytes: 0, open }, patient);
  expect(await bytes.next()).toEqual({ done: true, value: undefined });
});

test('continues where a connection became silent, and cancels that one', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const cancel = vi.fn();
    const offsets: number[] = [];
    const open = async (offset: number) => {
      offsets.push(offset);
      const bytes = content.slice(offset, offsets.length > 1 ? content.length : 10);
      return new ReadableStream<Uint8Array>({
        start: (controller) => controller.enqueue(bytes),
        cancel,
      });
    };
    const { length } = content;
    const patient = patience(
      () => false,
      async () => {},
    );
    const bytes = await readFile({ name: 'a.txt', sizeBytes: length, open }, patient);
    expect((await bytes.next()).value).toHaveLength(10);
    const rest = bytes.next();
    await vi.advanceTimersByTimeAsync(59_000);
    expect(offsets).toEqual([0]);
    await vi.advanceTimersByTimeAsync(1000);
    expect((await rest).value).toEqual(content.slice(10));
    expect(offsets).toEqual([0, 10]);
    expect(cancel).toHaveBeenCalledOnce();

    // The last connection has sent everything, but never ends.
    const end = bytes.next();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(await end).toMatchObject({ done: true });
  } finally {
    vi.useRealTimers();
  }
});
