import type { Check } from '../check.ts';
import type { Probe } from '../probe.ts';
import {
  completion,
  initiate,
  putParts,
  sampleFile,
  upload,
  type SampleFile,
  type StartedUpload,
} from '../uploading.ts';

const mebibyte = 1024 * 1024;

const threeSteps: Check = {
  id: 'upload.three-steps',
  group: 'uploads',
  title: 'a file of several parts is uploaded, and its download is identical',
  run: async ({ probe, fixtures: { owner } }) => {
    const { token } = owner;
    const { id: collectionId } = await probe.succeed('collections.create', {
      token,
      body: { title: 'Three steps' },
    });
    const file = sampleFile(9 * mebibyte, 'three steps ü.bin');
    const started = await initiate(probe, file, { token, collectionId });
    const params = { uploadId: started.uploadId };
    const resumed = await probe.succeed('uploads.parts', { token, params });
    const stored = await putParts(probe, started, file.content);
    const parts = stored.toReversed();
    const whole = completion(started, file, { collectionId, parts });

    const wrong = parts.map((part) => ({ ...part, eTag: 'f'.repeat(32) }));
    const refused = await probe.request('uploads.complete', {
      token,
      body: { ...whole, parts: wrong },
    });
    probe.expectRefusal('upload.three-steps', refused, 'upload_part_invalid');
    for (const change of [{ key: `${started.key}x` }, { contentType: 'text/plain' }]) {
      const response = await probe.request('uploads.complete', {
        token,
        body: { ...whole, ...change },
      });
      probe.expectRefusal('upload.three-steps', response, 'upload_mismatch');
    }
    const responses = await Promise.all(
      [1, 2, 3].map(() => probe.request('uploads.complete', { token, body: whole })),
    );
    responses.push(await probe.request('uploads.complete', { token, body: whole }));
    const ids = new Set(responses.map((response) => probe.dataIn('uploads.complete', response).id));
    const last = responses.at(-1);
    if (!last) return;
    probe.expect({
      rule: 'upload.completes-once',
      response: last,
      holds: ids.size === 1 && resumed.parts.length === parts.length,
      expected: 'the same asset for every completion',
      actual: `${ids.size} assets`,
    });
    const asset = probe.dataIn('uploads.complete', last);
    const listed = await probe.succeed('assets.listInCollection', {
      token,
      params: { collectionId },
    });
    probe.expect({
      rule: 'upload.completes-once',
      response: last,
      holds: listed.items.length === 1 && asset.fileSize === file.content.length,
      expected: 'one asset of the size of the file in the collection',
      actual: `${listed.items.length} assets; ${asset.fileSize} bytes`,
    });
    await expectBytes(probe, { token, id: asset.id }, file.content);

    const late = await probe.request('uploads.abort', {
      token,
      body: { uploadId: started.uploadId, key: started.key },
    });
    probe.expectRefusal('upload.three-steps', late, 'upload_already_completed');
    const resumedLate = await probe.request('uploads.parts', { token, params });
    probe.expectRefusal('upload.three-steps', resumedLate, 'upload_already_completed');
  },
};

const metered: Check = {
  id: 'upload.metered',
  group: 'uploads',
  title: 'the storage accepts a part of the declared size only',
  run: async ({ probe, fixtures: { owner, collectionId } }) => {
    const { token } = owner;
    const file = sampleFile(10);
    const started = await initiate(probe, file, { token, collectionId });
    for (const bytes of [file.content.length + 1, file.content.length - 1]) {
      const [status, eTag] = await putOther(started, sampleFile(bytes).content);
      if (status < 300) {
        probe.findings.push({
          rule: 'storage.refuses-other-sizes',
          operation: 'uploads.initiate',
          request: `PUT of ${bytes} bytes to the URL of a part of ${file.content.length}`,
          expected: 'an error of the storage',
          actual: `status ${status}`,
        });
      }
      const parts = [{ partNumber: 1, eTag }];
      const body = completion(started, file, { collectionId, parts });
      const completed = await probe.request('uploads.complete', { token, body });
      probe.expectRefusal('upload.metered', completed, 'upload_part_invalid');
    }
    const parts = await putParts(probe, started, file.content);
    const body = completion(started, file, { collectionId, parts });
    await probe.succeed('uploads.complete', { token, body });
  },
};

/** PUTs other content to the URL of the first part. @returns status, 0 without a response, and ETag */
async function putOther(
  { parts }: StartedUpload,
  content: SampleFile['content'],
): Promise<[status: number, eTag: string]> {
  const url = parts[0]?.url ?? '';
  const response = await fetch(url, { method: 'PUT', body: content }).catch(() => null);
  return [response?.status ?? 0, response?.headers.get('etag') ?? 'f'.repeat(32)];
}

const aborted: Check = {
  id: 'upload.abort',
  group: 'uploads',
  title: 'an aborted upload can be aborted again, and not completed',
  run: async ({ probe, fixtures: { owner, collectionId, outsider, upload: foreign } }) => {
    const { token } = owner;
    const file = sampleFile(10);
    const started = await initiate(probe, file, { token, collectionId });
    const parts = await putParts(probe, started, file.content);
    const body = { uploadId: started.uploadId, key: started.key };
    await probe.succeed('uploads.abort', { token, body });
    await probe.succeed('uploads.abort', { token, body });
    const completed = await probe.request('uploads.complete', {
      token,
      body: completion(started, file, { collectionId, parts }),
    });
    probe.expectRefusal('upload.abort', completed, 'upload_not_active');
    const [late] = await putOther(started, file.content);
    probe.expect({
      rule: 'upload.abort',
      response: completed,
      holds: late >= 400,
      expected: 'a URL that accepts nothing any more',
      actual: `status ${late} of a PUT`,
    });
    const stolen = await probe.request('uploads.abort', { token: outsider.token, body: foreign });
    probe.expectRefusal('isolation.foreign-upload', stolen, 'upload_mismatch');
    const taken = await probe.request('uploads.complete', {
      token: outsider.token,
      body: completion(started, file, { collectionId, parts }),
    });
    probe.expectRefusal('isolation.foreign-upload', taken, 'upload_mismatch');
    const intruding = await probe.request('uploads.initiate', {
      token: outsider.token,
      body: { fileName: 'a', contentType: 'text/plain', fileSize: 1, collectionId },
    });
    probe.expectRefusal('isolation.foreign-upload', intruding, 'not_found');
  },
};

const versions: Check = {
  id: 'upload.versions',
  group: 'assets',
  title: 'an upload to an asset adds a version; old versions can be read and restored',
  run: async ({ probe, fixtures: { owner, collectionId } }) => {
    const { token } = owner;
    const [first, second] = [sampleFile(100, 'versions.bin'), sampleFile(200, 'versions.bin')];
    const { id } = await upload(probe, first, { token, collectionId });
    const changed = await upload(probe, second, { token, collectionId, assetId: id });
    const response = await probe.request('assets.versions', { token, params: { id } });
    const { items } = probe.dataIn('assets.versions', response);
    probe.expect({
      rule: 'upload.versions',
      response,
      holds:
        changed.id === id &&
        items.map(({ versionNumber }) => versionNumber).join() === '2,1' &&
        items[0]?.isCurrent === true,
      expected: 'version 2 as the current one, then version 1',
      actual: items
        .map((item) => `version ${item.versionNumber}${item.isCurrent ? ' (current)' : ''}`)
        .join(', '),
    });
    await expectBytes(probe, { token, id }, second.content);
    await expectBytes(probe, { token, id, version: '1' }, first.content);
    const params = { id, versionNumber: 1 };
    const restored = await probe.request('assets.restoreVersion', { token, params });
    probe.expectFields({
      rule: 'upload.versions',
      response: restored,
      actual: probe.dataIn('assets.restoreVersion', restored),
      expected: { currentVersion: 3 },
    });
    await expectBytes(probe, { token, id }, first.content);
  },
};

const publicLink: Check = {
  id: 'asset.public-link',
  group: 'assets',
  title: 'the short URL redirects while the public link is on',
  run: async ({ probe, fixtures: { owner, collectionId } }) => {
    const { token } = owner;
    const file = sampleFile(50);
    const { id, assetShortUrl } = await upload(probe, file, { token, collectionId });
    const params = { code: assetShortUrl.split('/').at(-1) ?? '' };
    const set = (publicLinkEnabled: boolean) =>
      probe.succeed('assets.update', { token, params: { id }, body: { publicLinkEnabled } });
    await set(true);
    const followed = await probe.request('assets.followShortLink', { params });
    const location = followed.headers.get('location');
    probe.require({
      rule: 'asset.public-link',
      response: followed,
      holds: followed.status === 302 && location !== null,
      expected: 'a redirect to the storage',
    });
    await compare(probe, String(location), file.content);
    await set(false);
    const off = await probe.request('assets.followShortLink', { params });
    probe.expectRefusal('asset.public-link', off, 'not_found');
    const code = (await set(true)).assetShortUrl.split('/').at(-1) ?? '';
    const again = await probe.request('assets.followShortLink', { params: { code } });
    probe.expect({
      rule: 'asset.public-link',
      response: again,
      holds: again.status === 302 && code !== params.code,
      expected: 'a redirect from a new URL',
    });
    const old = await probe.request('assets.followShortLink', { params });
    probe.expectRefusal('asset.public-link', old, 'not_found');
  },
};

async function expectBytes(
  probe: Probe,
  { token, id, version }: { token: string; id: string; version?: string },
  content: Uint8Array,
): Promise<void> {
  const { url } = await probe.succeed('assets.download', {
    token,
    params: { id },
    ...(version !== undefined && { query: { version } }),
  });
  await compare(probe, url, content);
}

async function compare(probe: Probe, url: string, content: Uint8Array): Promise<void> {
  const response = await fetch(url);
  const bytes = Buffer.from(await response.arrayBuffer());
  if (response.status === 200 && bytes.equals(content)) return;
  probe.findings.push({
    rule: 'download.bytes',
    operation: 'assets.download',
    request: 'GET of the presigned URL',
    expected: `the ${content.length} bytes that were uploaded`,
    actual: `status ${response.status}, ${bytes.length} bytes${bytes.length === content.length ? ' that differ' : ''}`,
  });
}

export const uploadScenarios: readonly Check[] = [
  threeSteps,
  metered,
  aborted,
  versions,
  publicLink,
];
