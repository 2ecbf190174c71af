import { startMock } from '@atelier/mock';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { downloadAll, downloadAssets, downloadShared, type DownloadOptions } from './download.ts';
import { createClient, memoryTokens, type Asset } from './index.ts';
import { openShare, shareTokenOf } from './shares.ts';
import {
  startBreakingStorage,
  type BreakingFile,
  type BreakingStorage,
} from './testing/breaking-storage.ts';
import { gate, startService, success } from './testing/service.ts';
import { filesInZip } from './testing/zip.ts';

let hurry: ReturnType<typeof setInterval>;
beforeEach(() => {
  // The pauses between attempts pass at once.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  hurry = setInterval(() => vi.advanceTimersByTime(500), 1);
});
afterEach(() => {
  clearInterval(hurry);
  vi.useRealTimers();
});

const clientOf = ({ url }: Pick<BreakingStorage, 'url'>) =>
  createClient({ baseUrl: url, apiKey: 'key', timeoutMs: 0 });

async function bytesOf(zip: ReadableStream<Uint8Array>): Promise<Buffer> {
  return Buffer.from(await new Response(zip as BodyInit).arrayBuffer());
}

/** Downloads the collection of a storage. */
async function contentsOf(storage: BreakingStorage, options?: DownloadOptions) {
  const { zip } = await downloadAll(clientOf(storage), 'desk', options);
  return filesInZip(await bytesOf(zip));
}

const textFile = (name: string, text: string, fileSize?: number): BreakingFile => ({
  name,
  content: Buffer.from(text),
  ...(fileSize !== undefined && { fileSize }),
});

/** Files of 0 to some thousand bytes, each with a content of its own. */
const manyFiles = Array.from({ length: 300 }, (_, index) => ({
  name: `file ${index}.bin`,
  content: Buffer.alloc(index * 13, `content of ${index} `),
}));

test.each([
  ['continues by ranges', { hasRanges: true }],
  ['continues at a storage without ranges', { hasRanges: false }],
])(
  '300 files that each break in the middle are whole: %s',
  async (_what, options) => {
    await using storage = await startBreakingStorage(manyFiles, options);
    const progress: unknown[] = [];
    const { zip, fileCount, fileBytes } = await downloadAll(clientOf(storage), 'desk', {
      onProgress: (reached) => progress.push(reached),
    });
    const files = filesInZip(await bytesOf(zip));
    expect(files.map(([name, { length }]) => [name, length])).toEqual(
      manyFiles.map(({ name, content }) => [name, content.length]),
    );
    expect(files.every(([, content], index) => manyFiles[index]?.content.equals(content))).toBe(
      true,
    );
    const loadedBytes = manyFiles.reduce((sum, { content }) => sum + content.length, 0);
    expect([fileCount, fileBytes]).toEqual([300, loadedBytes]);
    expect(progress.at(-1)).toEqual({ doneFiles: 300, loadedBytes });
    const [first, second] = storage.ranges.get('file 299.bin') ?? [];
    expect([first, second]).toEqual([undefined, expect.stringMatching(/^bytes=[1-9]\d*-$/)]);
  },
  60_000,
);

test.each([
  ['shorter', 20],
  ['longer', 4],
])('a file that is %s than the service says is an error', async (_what, fileSize) => {
  for (const hasRanges of [true, false]) {
    const files = [textFile('good.txt', 'good'), textFile('bad.txt', 'ten bytes.', fileSize)];
    await using storage = await startBreakingStorage(files, { hasRanges, breaks: () => false });
    await expect(contentsOf(storage, { onMissing: () => {} })).rejects.toMatchObject({
      name: 'DownloadError',
      code: 'wrong_length',
      fileName: 'bad.txt',
    });
  }
});

test.each([
  ['2,001 files', Array.from({ length: 2001 }, (_, at) => textFile(`${at}`, '')), 'too_many_files'],
  ['4 GiB', [textFile('a', '', 2 ** 31), textFile('b', '', 2 ** 31 + 1)], 'too_large'],
  ['nothing', [], 'no_files'],
])('%s is refused before any byte', async (_what, files, code) => {
  await using storage = await startBreakingStorage(files);
  await expect(contentsOf(storage)).rejects.toMatchObject({ code, fileName: null });
  expect(storage.ranges.size).toBe(0);
});

test('takes 2,000 files and 4 GiB, and less if asked', async () => {
  const files = Array.from({ length: 2000 }, (_, at) => textFile(`${at}`, '', 2 ** 21));
  await using storage = await startBreakingStorage(files);
  const { zip, fileCount } = await downloadAll(clientOf(storage), 'desk', { maxBytes: 2 ** 40 });
  expect(fileCount).toBe(2000);
  await zip.cancel();
  expect(storage.ranges.size).toBe(0);
  const tooLarge = downloadAll(clientOf(storage), 'desk', { maxBytes: 2 ** 31 });
  await expect(tooLarge).rejects.toMatchObject({ code: 'too_large' });
});

test('a file whose storage does not respond is requested again', async () => {
  const signals: (AbortSignal | null | undefined)[] = [];
  const fetchLate: typeof fetch = async (input, init) => {
    if (String(input).endsWith('/1')) signals.push(init?.signal);
    if (signals.length !== 1) return fetch(input, init);
    return new Promise((_resolve, reject) => {
      init?.signal?.addEventListener('abort', () => reject(init.signal?.reason));
    });
  };
  const files = [textFile('a.txt', 'first'), textFile('b.txt', 'second')];
  await using storage = await startBreakingStorage(files, { breaks: () => false });
  const contents = await contentsOf(storage, { fetch: fetchLate });
  expect(contents.map(([, content]) => content.toString())).toEqual(['first', 'second']);
  expect(signals.map((signal) => signal?.aborted)).toEqual([true, false]);
});

test('a storage without ranges may take longer than a minute to send the same bytes again', async () => {
  const content = Buffer.from('12345');
  let requests = 0;
  const fetchSlowly: typeof fetch = async () => {
    const request = (requests += 1);
    let at = 0;
    const body = new ReadableStream<Uint8Array>({
      async pull(controller) {
        if (request > 1) await new Promise((resolve) => setTimeout(resolve, 25_000));
        else if (at === 4) throw new TypeError('broken');
        controller.enqueue(content.subarray(at, (at += 1)));
        if (at === content.length) controller.close();
      },
    });
    return new Response(body as BodyInit);
  };
  await using storage = await startBreakingStorage([{ name: 'a.txt', content }]);
  expect(await contentsOf(storage, { fetch: fetchSlowly })).toEqual([['a.txt', content]]);
  expect(requests).toBe(2);
});

test('a file that never opens fails the ZIP, or is left out if the caller is told', async () => {
  const files = [textFile('a.txt', 'first'), textFile('b.txt', 'second')];
  const fetchAllBut: typeof fetch = async (input, init) =>
    String(input).endsWith('/0') ? new Response('', { status: 403 }) : fetch(input, init);
  await using storage = await startBreakingStorage(files);
  await expect(contentsOf(storage, { fetch: fetchAllBut })).rejects.toMatchObject({
    code: 'refused',
    fileName: 'a.txt',
    status: 403,
  });
  const missing: string[] = [];
  const onMissing = (name: string) => missing.push(name);
  const contents = await contentsOf(storage, { fetch: fetchAllBut, onMissing });
  expect(contents.map(([name, content]) => [name, content.toString()])).toEqual([
    ['b.txt', 'second'],
  ]);
  expect(missing).toEqual(['a.txt']);
});

test('fails if no file can be read, and never has half a file', async () => {
  await using storage = await startBreakingStorage([textFile('a.txt', 'first')], {
    breaks: () => true,
    hasRanges: false,
  });
  const refuseAll = async () => new Response('', { status: 500 });
  const onMissing = () => {};
  await expect(contentsOf(storage, { fetch: refuseAll, onMissing })).rejects.toMatchObject({
    code: 'no_files',
  });
  await expect(contentsOf(storage, { onMissing })).rejects.toThrow(TypeError);
});

test('stays in the organization that it began in', async () => {
  const file = { assetName: 'a.txt', fileSize: 1, currentVersion: 1, updatedAt: '2026-11-01' };
  const assets = ['1', '2'].map((id) => ({ ...file, id }) as Asset);
  await using service = await startService(({ path }) =>
    path.includes('/collection/')
      ? success({ items: assets, pagination: { page: 1, hasNext: false } })
      : success({ url: path }),
  );
  const api = createClient({ baseUrl: service.url, apiKey: 'key', timeoutMs: 0 });
  const content: typeof fetch = async () => new Response('a');
  const downloads = [
    () => downloadAll(api, 'desk', { fetch: content }),
    () => downloadAssets(api, assets, { fetch: content }),
  ];
  for (const download of downloads) {
    api.session.setOrganizationId('first');
    const { zip } = await download();
    api.session.setOrganizationId('second');
    await bytesOf(zip);
  }
  const organizations = service.requests.map(({ headers }) => headers['x-organization-id']);
  expect(organizations).toEqual(Array(5).fill('first'));
});

test('cancelling ends a request that hangs', async () => {
  await using storage = await startBreakingStorage([textFile('a.txt', 'first')]);
  const reason = new Error('closed');
  const ended: unknown[] = [];
  const asked = gate();
  const hanging: typeof fetch = (_input, init) =>
    new Promise((_resolve, reject) => {
      asked.open();
      init?.signal?.addEventListener('abort', () => {
        ended.push(init.signal?.reason);
        reject(reason);
      });
    });
  const { zip } = await downloadAll(clientOf(storage), 'desk', { fetch: hanging });
  const reader = zip.getReader();
  const read = reader.read();
  await asked.opened;
  await reader.cancel(reason);
  expect((await read).done).toBe(true);
  expect(ended).toEqual([reason]);
});

test('a signal ends the ZIP with its reason', async () => {
  await using storage = await startBreakingStorage(manyFiles);
  const controller = new AbortController();
  const outcome = contentsOf(storage, {
    signal: controller.signal,
    onMissing: () => {},
    onProgress: () => controller.abort(new Error('enough')),
  });
  await expect(outcome).rejects.toThrow('enough');
});

test('chosen assets and the files of a share become a ZIP too', async () => {
  await using mock = await startMock();
  const api = createClient({ baseUrl: mock.url, tokens: memoryTokens(), timeoutMs: 0 });
  await api.auth.login({ body: { email: 'ada@example.com', password: 'difference engine' } });
  const { items: assets } = await api.assets.list();
  const [first] = assets;
  if (!first) throw new Error('the mock has no assets');
  const chosen = await downloadAssets(api, [first, first]);
  const twice = filesInZip(await bytesOf(chosen.zip)).map(([, { length }]) => length);
  expect(twice).toEqual([first.fileSize, first.fileSize]);

  const { collectionId } = first;
  const { url } = await api.shares.create({
    body: { targetType: 'COLLECTION', targetId: collectionId, allowDownload: true },
  });
  const visit = await openShare(api, { token: shareTokenOf(url ?? '') ?? '' });
  const shared = filesInZip(await bytesOf((await downloadShared(visit)).zip));
  const all = filesInZip(await bytesOf((await downloadAll(api, collectionId)).zip));
  expect(shared.map(([name]) => name).toSorted()).toEqual(all.map(([name]) => name).toSorted());
});

test('the end of a share ends its ZIP; a file that is no longer shared is only missing', async () => {
  await using mock = await startMock();
  const api = createClient({ baseUrl: mock.url, tokens: memoryTokens(), timeoutMs: 0 });
  await api.auth.login({ body: { email: 'ada@example.com', password: 'difference engine' } });
  const collectionId = (await api.assets.list()).items[0]?.collectionId ?? '';
  const { id, url } = await api.shares.create({
    body: { targetType: 'COLLECTION', targetId: collectionId, allowDownload: true },
  });
  const visit = await openShare(api, { token: shareTokenOf(url ?? '') ?? '' });
  const [first] = (await visit.assets()).items;
  const missing: string[] = [];
  const onMissing = (name: string) => missing.push(name);
  const { zip } = await downloadShared(visit, { onMissing });
  await api.assets.remove({ params: { id: first?.id ?? '' } });
  await bytesOf(zip);
  expect(missing).toEqual([first?.name]);

  const second = await downloadShared(visit, { onMissing });
  await api.shares.remove({ params: { id } });
  const ended = { code: 'ended', cause: { code: 'share_not_found' } };
  await expect(bytesOf(second.zip)).rejects.toMatchObject(ended);
  await expect(downloadShared(visit)).rejects.toMatchObject(ended);
  expect(missing).toHaveLength(1);
});
