import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bucketName, elements, startTestServer } from './testing/harness.ts';
import type { TestResponse, TestServer } from './testing/harness.ts';

const minPartSizeBytes = 10;
let server: TestServer;
let count = 0;

beforeAll(async () => {
  server = await startTestServer({ minPartSizeBytes });
});
afterAll(() => server.stop());

interface TestUpload {
  path: string;
  key: string;
  uploadId: string;
}
interface Listed {
  number: number | string;
  eTag: string;
}

async function create(
  key = `upload-${(count += 1)}`,
  headers: Record<string, string> = {},
): Promise<TestUpload> {
  const path = `/${bucketName}/${key}`;
  const response = await server.signed({ method: 'POST', path, query: { uploads: '' }, headers });
  expect(response.status).toBe(200);
  return { path, key, uploadId: elements(response.text, 'UploadId')[0] ?? '' };
}

const putPart = (
  upload: TestUpload,
  partNumber: number | string,
  body: string,
): Promise<TestResponse> =>
  server.signed({
    method: 'PUT',
    path: upload.path,
    query: { partNumber: String(partNumber), uploadId: upload.uploadId },
    body,
  });

async function putParts(upload: TestUpload, bodies: string[]): Promise<Listed[]> {
  const responses = await Promise.all(
    bodies.map((body, index) => putPart(upload, index + 1, body)),
  );
  return responses.map(({ headers }, index) => ({ number: index + 1, eTag: headers.etag ?? '' }));
}

function completionXml(parts: Listed[]): string {
  const list = parts.map(
    ({ number, eTag }) =>
      `<Part><ETag>${eTag.replaceAll('"', '&quot;')}</ETag><PartNumber>${number}</PartNumber></Part>`,
  );
  return `<?xml version="1.0" encoding="UTF-8"?>
<CompleteMultipartUpload xmlns="http://s3.amazonaws.com/doc/2006-03-01/">
${list.join('\n')}
</CompleteMultipartUpload>`;
}

const complete = (
  upload: TestUpload,
  body: string,
  headers: Record<string, string> = {},
): Promise<TestResponse> =>
  server.signed({
    method: 'POST',
    path: upload.path,
    query: { uploadId: upload.uploadId },
    headers,
    body,
  });

const read = (path: string): Promise<TestResponse> => server.signed({ method: 'GET', path });
const listParts = (upload: TestUpload, query: Record<string, string> = {}): Promise<TestResponse> =>
  server.signed({
    method: 'GET',
    path: upload.path,
    query: { uploadId: upload.uploadId, ...query },
  });

const long = (letter: string): string => letter.repeat(minPartSizeBytes);

describe('completing', () => {
  test('joins the parts, and its entity tag counts them', async () => {
    const upload = await create(undefined, { 'content-type': 'image/png', 'x-amz-meta-a': 'b' });
    const bodies = [long('a'), long('b'), 'c'];
    const parts = await putParts(upload, bodies);
    const response = await complete(upload, completionXml(parts));
    const digests = bodies.map((body) => createHash('md5').update(body).digest());
    const eTag = `${createHash('md5').update(Buffer.concat(digests)).digest('hex')}-3`;
    expect(elements(response.text, 'ETag')).toEqual([`&quot;${eTag}&quot;`]);
    expect(elements(response.text, 'Location')).toEqual([`${server.endpoint}${upload.path}`]);
    const object = await read(upload.path);
    expect(object.text).toBe(bodies.join(''));
    expect(object.headers).toMatchObject({
      etag: `"${eTag}"`,
      'content-type': 'image/png',
      'x-amz-meta-a': 'b',
    });
    expect((await listParts(upload)).code).toBe('NoSuchUpload');
  });

  test('accepts a subset of the parts and drops the others', async () => {
    const before = (await server.blobFiles()).length;
    const upload = await create();
    const [first, , third] = await putParts(upload, [long('a'), long('b'), 'c']);
    const listed = [first, third].filter((part) => part !== undefined);
    expect((await complete(upload, completionXml(listed))).status).toBe(200);
    expect((await read(upload.path)).text).toBe(`${long('a')}c`);
    expect(await server.blobFiles()).toHaveLength(before + 2);
  });

  test('uses the latest upload of a part', async () => {
    const before = (await server.blobFiles()).length;
    const upload = await create();
    const [old] = await putParts(upload, ['old']);
    const [fresh] = await putParts(upload, ['new']);
    if (old === undefined || fresh === undefined) throw new Error('A part is missing.');
    expect((await complete(upload, completionXml([old]))).code).toBe('InvalidPart');
    expect((await complete(upload, completionXml([fresh]))).status).toBe(200);
    expect((await read(upload.path)).text).toBe('new');
    expect(await server.blobFiles()).toHaveLength(before + 1);
  });

  test.each<[string, (parts: Listed[]) => string, number, string]>([
    [
      'a part that was not uploaded',
      (parts) => completionXml([...parts, { number: 9, eTag: '"x"' }]),
      400,
      'InvalidPart',
    ],
    [
      'a wrong entity tag',
      (parts) => completionXml(parts.map((part) => ({ ...part, eTag: '"0"' }))),
      400,
      'InvalidPart',
    ],
    ['descending parts', (parts) => completionXml(parts.toReversed()), 400, 'InvalidPartOrder'],
    [
      'a part listed twice',
      (parts) => completionXml(parts.flatMap((part) => [part, part])),
      400,
      'InvalidPartOrder',
    ],
    ['a small part before the last', (parts) => completionXml(parts), 400, 'EntityTooSmall'],
    ['no part', () => completionXml([]), 400, 'MalformedXML'],
    ['no body', () => '', 400, 'MalformedXML'],
    ['malformed XML', () => 'hello', 400, 'MalformedXML'],
    ['unclosed XML', () => '<CompleteMultipartUpload><Part>', 400, 'MalformedXML'],
    [
      'another document',
      () => '<Delete><Part><PartNumber>1</PartNumber></Part></Delete>',
      400,
      'MalformedXML',
    ],
    [
      'a part without a number',
      () => '<CompleteMultipartUpload><Part><ETag>a</ETag></Part></CompleteMultipartUpload>',
      400,
      'MalformedXML',
    ],
    ['a part number of 0', () => completionXml([{ number: 0, eTag: 'a' }]), 400, 'InvalidArgument'],
    [
      'a part number in words',
      () => completionXml([{ number: 'one', eTag: 'a' }]),
      400,
      'InvalidArgument',
    ],
    [
      'a document type',
      (parts) => `<!DOCTYPE a>${completionXml(parts.slice(1))}`,
      400,
      'MalformedXML',
    ],
    [
      'an entity',
      () => `<!DOCTYPE a [<!ENTITY b "c">]>${completionXml([{ number: 1, eTag: '&b;' }])}`,
      400,
      'MalformedXML',
    ],
    ['nested elements', () => '<a>'.repeat(5000) + '</a>'.repeat(5000), 400, 'MalformedXML'],
    ['a body above 2 MiB', () => ' '.repeat(2 * 1024 * 1024 + 1), 400, 'MaxMessageLengthExceeded'],
  ])(
    'with %s is rejected, and the upload can still be completed',
    async (_, body, status, code) => {
      const upload = await create();
      const parts = await putParts(upload, ['small', 'part']);
      expect(await complete(upload, body(parts))).toMatchObject({ status, code });
      expect((await read(upload.path)).code).toBe('NoSuchKey');
      const last = parts.slice(1);
      expect((await complete(upload, completionXml(last))).status).toBe(200);
      expect((await read(upload.path)).text).toBe('part');
    },
  );

  test('twenty times in parallel creates one object with one success', async () => {
    const before = (await server.blobFiles()).length;
    const upload = await create();
    const body = completionXml(await putParts(upload, [long('a'), 'b']));
    const responses = await Promise.all(Array.from({ length: 20 }, () => complete(upload, body)));
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(responses.filter(({ code }) => code === 'NoSuchUpload')).toHaveLength(19);
    expect((await read(upload.path)).text).toBe(`${long('a')}b`);
    expect(await server.blobFiles()).toHaveLength(before + 2);
  });

  test('against an abort leaves either the object or nothing', async () => {
    for (let round = 0; round < 10; round += 1) {
      const before = (await server.blobFiles()).length;
      const upload = await create();
      const body = completionXml(await putParts(upload, ['only']));
      const abort = { method: 'DELETE', path: upload.path, query: { uploadId: upload.uploadId } };
      const [completed, aborted] = await Promise.all(
        round % 2 === 0
          ? [complete(upload, body), server.signed(abort)]
          : [server.signed(abort), complete(upload, body)].toReversed(),
      );
      const object = await read(upload.path);
      if (completed?.status === 200) {
        expect(aborted?.code).toBe('NoSuchUpload');
        expect(object.text).toBe('only');
      } else {
        expect(completed?.code).toBe('NoSuchUpload');
        expect(aborted?.status).toBe(204);
        expect(object.code).toBe('NoSuchKey');
        expect(await server.blobFiles()).toHaveLength(before);
      }
    }
  });

  test('honours If-None-Match, and a rejected upload can still be completed', async () => {
    const upload = await create();
    await server.signed({ method: 'PUT', path: upload.path, body: 'there' });
    const body = completionXml(await putParts(upload, ['new']));
    expect((await complete(upload, body, { 'if-none-match': '*' })).code).toBe(
      'PreconditionFailed',
    );
    expect((await read(upload.path)).text).toBe('there');
    expect((await complete(upload, body)).status).toBe(200);
    expect((await read(upload.path)).text).toBe('new');
  });

  test('an upload of 10,000 parts works', async () => {
    const upload = await create();
    const part = await putPart(upload, 10_000, 'z');
    const listed = [{ number: 10_000, eTag: part.headers.etag ?? '' }];
    const unknown = Array.from({ length: 9_999 }, (_, index) => ({
      number: index + 1,
      eTag: '"a"',
    }));
    expect((await complete(upload, completionXml([...unknown, ...listed]))).code).toBe(
      'InvalidPart',
    );
    expect((await complete(upload, completionXml(listed))).status).toBe(200);
  });
});

describe('a part', () => {
  test.each(['0', '10001', '-1', '1.5', 'x', ''])('numbered %s is rejected', async (partNumber) => {
    const upload = await create();
    expect(await putPart(upload, partNumber, 'x')).toMatchObject({
      status: 400,
      code: 'InvalidArgument',
    });
    expect(elements((await listParts(upload)).text, 'PartNumber')).toEqual([]);
  });

  test('for an unknown, foreign or hostile upload id is rejected and not stored', async () => {
    const before = (await server.blobFiles()).length;
    const upload = await create();
    const foreign = await create();
    for (const uploadId of ['0'.repeat(48), '', '../../objects', '..', foreign.uploadId]) {
      const response = await putPart({ ...upload, uploadId }, 1, 'x');
      expect(response).toMatchObject({ status: 404, code: 'NoSuchUpload' });
    }
    expect(await server.blobFiles()).toHaveLength(before);
  });

  test('that arrives after the abort is rejected and not stored', async () => {
    const before = (await server.blobFiles()).length;
    const upload = await create();
    await putParts(upload, ['a', 'b']);
    const abort = { method: 'DELETE', path: upload.path, query: { uploadId: upload.uploadId } };
    expect((await server.signed(abort)).status).toBe(204);
    expect(await putPart(upload, 1, 'late')).toMatchObject({ status: 404, code: 'NoSuchUpload' });
    expect((await server.signed(abort)).code).toBe('NoSuchUpload');
    expect(await server.blobFiles()).toHaveLength(before);
  });

  test('can be copied from a range of an object', async () => {
    const source = `/${bucketName}/copied from/ü`;
    await server.minio.putObject(bucketName, 'copied from/ü', '0123456789abcdef');
    const upload = await create();
    const copy = (headers: Record<string, string>, partNumber: string): Promise<TestResponse> =>
      server.signed({
        method: 'PUT',
        path: upload.path,
        query: { partNumber, uploadId: upload.uploadId },
        headers: { 'x-amz-copy-source': encodeURI(source), ...headers },
      });
    const eTags = [];
    for (const [index, range] of ['bytes=0-9', 'bytes=10-15'].entries()) {
      const response = await copy({ 'x-amz-copy-source-range': range }, String(index + 1));
      eTags.push({
        number: index + 1,
        eTag: elements(response.text, 'ETag')[0]?.replaceAll('&quot;', '') ?? '',
      });
    }
    expect((await copy({ 'x-amz-copy-source-range': 'bytes=16-20' }, '3')).code).toBe(
      'InvalidRange',
    );
    expect((await copy({ 'x-amz-copy-source-range': 'all' }, '3')).code).toBe('InvalidArgument');
    expect((await complete(upload, completionXml(eTags))).status).toBe(200);
    expect((await read(upload.path)).text).toBe('0123456789abcdef');
  });
});

describe('listing', () => {
  test('parts has pages, in order', async () => {
    const upload = await create();
    for (const number of [7, 2, 10_000, 3]) await putPart(upload, number, String(number));
    const first = await listParts(upload, { 'max-parts': '3' });
    expect(elements(first.text, 'PartNumber')).toEqual(['2', '3', '7']);
    expect(elements(first.text, 'IsTruncated')).toEqual(['true']);
    const marker = elements(first.text, 'NextPartNumberMarker')[0] ?? '';
    const second = await listParts(upload, { 'max-parts': '3', 'part-number-marker': marker });
    expect(elements(second.text, 'PartNumber')).toEqual(['10000']);
    expect(elements(second.text, 'Size')).toEqual(['5']);
    expect(elements(second.text, 'IsTruncated')).toEqual(['false']);
    expect((await listParts(upload, { 'part-number-marker': 'x' })).code).toBe('InvalidArgument');
  });

  test('uploads has pages, by key and age, grouped by the delimiter', async () => {
    const bucket = 'listing-uploads';
    await server.minio.makeBucket(bucket);
    const ids: string[] = [];
    for (const key of ['b', 'a/1', 'a/2', 'c', 'c']) {
      ids.push(await server.minio.initiateNewMultipartUpload(bucket, key, {}));
    }
    const list = (query: Record<string, string>): Promise<TestResponse> =>
      server.signed({ method: 'GET', path: `/${bucket}`, query: { uploads: '', ...query } });
    const all = await list({});
    expect(elements(all.text, 'Key')).toEqual(['a/1', 'a/2', 'b', 'c', 'c']);
    expect(elements(all.text, 'UploadId')).toEqual([
      ids[1],
      ids[2],
      ids[0],
      ...ids.slice(3).toSorted(),
    ]);
    expect(elements((await list({ prefix: 'a/' })).text, 'Key')).toEqual(['a/1', 'a/2']);

    const seen: string[] = [];
    let page: Record<string, string> = {};
    for (let pages = 0; pages < 10; pages += 1) {
      const response = await list({ delimiter: '/', 'max-uploads': '1', ...page });
      seen.push(
        ...elements(response.text, 'Key'),
        ...[...response.text.matchAll(/<CommonPrefixes><Prefix>([^<]*)/g)].map(
          ([, prefix]) => prefix ?? '',
        ),
      );
      if (elements(response.text, 'IsTruncated')[0] === 'false') break;
      page = {
        'key-marker': elements(response.text, 'NextKeyMarker')[0] ?? '',
        'upload-id-marker': elements(response.text, 'NextUploadIdMarker')[0] ?? '',
      };
    }
    expect(seen).toEqual(['a/', 'b', 'c', 'c']);
  });

  test('uploads works with the minio client, which can remove them too', async () => {
    const key = 'incomplete';
    await server.minio.initiateNewMultipartUpload(bucketName, key, {});
    const names: string[] = [];
    for await (const item of server.minio.listIncompleteUploads(bucketName, key, true)) {
      names.push(item.key);
    }
    expect(names).toEqual([key]);
    await server.minio.removeIncompleteUpload(bucketName, key);
    const rest = await server.signed({
      method: 'GET',
      path: `/${bucketName}`,
      query: { uploads: '', prefix: key },
    });
    expect(elements(rest.text, 'Key')).toEqual([]);
  });
});
