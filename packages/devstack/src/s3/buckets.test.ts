import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bucketName, elements, keys, startTestServer } from './testing/harness.ts';
import type { TestResponse, TestServer } from './testing/harness.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

const put = (bucket: string, key: string, body = key): Promise<TestResponse> =>
  server.signed({
    method: 'PUT',
    path: `/${bucket}/${encodeURIComponent(key).replaceAll('%2F', '/')}`,
    body,
  });

describe('a bucket', () => {
  test('is created, found, listed and removed', async () => {
    await server.minio.makeBucket('short-lived');
    expect(await server.minio.bucketExists('short-lived')).toBe(true);
    expect((await server.minio.listBuckets()).map(({ name }) => name)).toContain('short-lived');
    await server.minio.removeBucket('short-lived');
    expect(await server.minio.bucketExists('short-lived')).toBe(false);
    await expect(server.minio.removeBucket('short-lived')).rejects.toMatchObject({
      code: 'NoSuchBucket',
    });
  });

  test('is not created twice', async () => {
    await expect(server.minio.makeBucket(bucketName)).rejects.toMatchObject({
      code: 'BucketAlreadyOwnedByYou',
    });
    const racing = await Promise.all(
      Array.from({ length: 5 }, () => server.signed({ method: 'PUT', path: '/contested' })),
    );
    expect(racing.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(racing.filter(({ status }) => status === 409)).toHaveLength(4);
  });

  test('with an object is not removed', async () => {
    await server.minio.makeBucket('full');
    await put('full', 'x');
    await expect(server.minio.removeBucket('full')).rejects.toMatchObject({
      code: 'BucketNotEmpty',
    });
    await server.minio.removeObject('full', 'x');
    await server.minio.removeBucket('full');
  });

  test('removed during writes is either gone or not empty', async () => {
    for (let round = 0; round < 5; round += 1) {
      const bucket = `racing-${round}`;
      await server.minio.makeBucket(bucket);
      const [first, removal, second] = await Promise.all([
        put(bucket, 'a'),
        server.signed({ method: 'DELETE', path: `/${bucket}` }),
        put(bucket, 'b'),
      ]);
      const stored = [first, second].filter(({ status }) => status === 200).length;
      const list = await server.signed({ method: 'GET', path: `/${bucket}` });
      if (removal.status === 204) {
        expect(stored).toBe(0);
        expect(list.code).toBe('NoSuchBucket');
      } else {
        expect(removal.code).toBe('BucketNotEmpty');
        expect(elements(list.text, 'Key')).toHaveLength(stored);
      }
    }
  });

  test('removed with unfinished uploads loses their bytes', async () => {
    await server.minio.makeBucket('unfinished');
    const before = (await server.blobFiles()).length;
    const uploadId = await server.minio.initiateNewMultipartUpload('unfinished', 'x', {});
    const query = { partNumber: '1', uploadId };
    await server.signed({ method: 'PUT', path: '/unfinished/x', query, body: 'part' });
    expect(await server.blobFiles()).toHaveLength(before + 1);
    await server.minio.removeBucket('unfinished');
    expect(await server.blobFiles()).toHaveLength(before);
  });

  test.each([
    'ab',
    'Upper',
    'under_score',
    '-dash',
    'dash-',
    'a..b',
    'a.-b',
    '192.168.0.1',
    '%2e%2e',
    'a%00b',
    'x'.repeat(64),
  ])('named %s is rejected', async (name) => {
    const response = await server.signed({ method: 'PUT', path: `/${name}` });
    expect(response).toMatchObject({ status: 400, code: 'InvalidBucketName' });
  });

  test('returns its region', async () => {
    const response = await server.signed({
      method: 'GET',
      path: `/${bucketName}`,
      query: { location: '' },
    });
    expect(response.text).toContain(
      '<LocationConstraint xmlns="http://s3.amazonaws.com/doc/2006-03-01/"></LocationConstraint>',
    );
    const body =
      '<CreateBucketConfiguration><LocationConstraint>eu-west-1</LocationConstraint></CreateBucketConfiguration>';
    const elsewhere = await server.signed({ method: 'PUT', path: '/elsewhere', body });
    expect(elsewhere.code).toBe('IllegalLocationConstraintException');
    expect(keys.region).toBe('us-east-1');
  });
});

describe('deleting many', () => {
  const remove = (body: string): Promise<TestResponse> =>
    server.signed({ method: 'POST', path: `/${bucketName}`, query: { delete: '' }, body });

  test('removes existing objects and ignores missing ones', async () => {
    for (const key of ['d1', ' d2 ', 'd&3']) await put(bucketName, key);
    const response = await remove(
      '<Delete><Object><Key>d1</Key></Object><Object><Key> d2 </Key></Object><Object><Key>d&amp;3</Key></Object><Object><Key>none</Key></Object></Delete>',
    );
    expect(elements(response.text, 'Key')).toEqual(['d1', ' d2 ', 'd&amp;3', 'none']);
    const rest = await server.signed({
      method: 'GET',
      path: `/${bucketName}`,
      query: { prefix: 'd' },
    });
    expect(elements(rest.text, 'Key')).toEqual([]);
    expect((await server.signed({ method: 'GET', path: `/${bucketName}/%20d2%20` })).code).toBe(
      'NoSuchKey',
    );
  });

  test('in quiet mode lists only failures', async () => {
    await put(bucketName, 'quiet');
    const long = 'x'.repeat(1025);
    const response = await remove(
      `<Delete><Quiet>true</Quiet><Object><Key>quiet</Key></Object><Object><Key>${long}</Key></Object></Delete>`,
    );
    expect(elements(response.text, 'Key')).toEqual([long]);
    expect(response.code).toBe('KeyTooLongError');
    expect((await server.signed({ method: 'GET', path: `/${bucketName}/quiet` })).status).toBe(404);
  });

  test.each([
    ['nothing', '<Delete></Delete>'],
    ['an empty key', '<Delete><Object><Key></Key></Object></Delete>'],
    ['an object without a key', '<Delete><Object></Object></Delete>'],
    ['more than 1,000 keys', `<Delete>${'<Object><Key>a</Key></Object>'.repeat(1001)}</Delete>`],
  ])('of %s is rejected', async (_, body) => {
    expect(await remove(body)).toMatchObject({ status: 400, code: 'MalformedXML' });
  });
});

describe('copying', () => {
  const copy = (headers: Record<string, string>, key = 'copy'): Promise<TestResponse> =>
    server.signed({ method: 'PUT', path: `/${bucketName}/${key}`, headers });
  const source = `/${bucketName}/source%20%C3%BC`;
  const read = (key: string): Promise<TestResponse> =>
    server.signed({ method: 'GET', path: `/${bucketName}/${key}` });

  beforeAll(async () => {
    const headers = { 'content-type': 'text/plain', 'x-amz-meta-a': 'b' };
    await server.signed({ method: 'PUT', path: source, headers, body: 'original' });
  });

  test('keeps bytes, type and metadata, and survives its source', async () => {
    const other = `/${bucketName}/fleeting`;
    await server.signed({
      method: 'PUT',
      path: other,
      headers: { 'content-type': 'text/plain', 'x-amz-meta-a': 'b' },
      body: 'bytes',
    });
    const response = await copy({ 'x-amz-copy-source': other });
    expect(response.status).toBe(200);
    await server.signed({ method: 'DELETE', path: other });
    const object = await read('copy');
    expect(object.text).toBe('bytes');
    expect(object.headers).toMatchObject({ 'content-type': 'text/plain', 'x-amz-meta-a': 'b' });
    expect(elements(response.text, 'ETag')[0]?.replaceAll('&quot;', '"')).toBe(object.headers.etag);
  });

  test('can replace the metadata, also onto itself', async () => {
    const headers = {
      'x-amz-copy-source': source,
      'x-amz-metadata-directive': 'REPLACE',
      'x-amz-meta-c': 'd',
    };
    expect((await copy(headers, 'replaced')).status).toBe(200);
    const object = await read('replaced');
    expect(object.headers).toMatchObject({
      'content-type': 'binary/octet-stream',
      'x-amz-meta-c': 'd',
    });
    expect(object.headers).not.toHaveProperty('x-amz-meta-a');
    const self = {
      ...headers,
      'x-amz-copy-source': `/${bucketName}/replaced`,
      'x-amz-meta-c': 'e',
    };
    expect((await copy(self, 'replaced')).status).toBe(200);
    expect(await read('replaced')).toMatchObject({
      text: 'original',
      headers: { 'x-amz-meta-c': 'e' },
    });
  });

  test.each<[string, Record<string, string>, number, string]>([
    ['a missing key', { 'x-amz-copy-source': `/${bucketName}/none` }, 404, 'NoSuchKey'],
    ['a missing bucket', { 'x-amz-copy-source': '/no-such-bucket/x' }, 404, 'NoSuchBucket'],
    ['only a bucket', { 'x-amz-copy-source': `/${bucketName}` }, 400, 'InvalidArgument'],
    [
      'a path out of the store',
      { 'x-amz-copy-source': '/../../etc/passwd' },
      400,
      'InvalidBucketName',
    ],
    ['a version', { 'x-amz-copy-source': `${source}?versionId=1` }, 404, 'NoSuchVersion'],
    [
      'an unmet If-Match',
      { 'x-amz-copy-source': source, 'x-amz-copy-source-if-match': '"0"' },
      412,
      'PreconditionFailed',
    ],
    [
      'an unmet If-None-Match',
      { 'x-amz-copy-source': source, 'x-amz-copy-source-if-none-match': '*' },
      412,
      'PreconditionFailed',
    ],
    [
      'another directive',
      { 'x-amz-copy-source': source, 'x-amz-metadata-directive': 'MERGE' },
      400,
      'InvalidArgument',
    ],
  ])('from %s is rejected', async (_, headers, status, code) => {
    expect(await copy(headers, 'never')).toMatchObject({ status, code });
    expect((await read('never')).code).toBe('NoSuchKey');
  });

  test('onto itself without a change is rejected', async () => {
    const response = await server.signed({
      method: 'PUT',
      path: source,
      headers: { 'x-amz-copy-source': source },
    });
    expect(response).toMatchObject({ status: 400, code: 'InvalidRequest' });
  });

  test('works with the minio client', async () => {
    await server.minio.copyObject(bucketName, 'by client', `/${bucketName}/source ü`);
    expect((await read('by%20client')).text).toBe('original');
  });
});
