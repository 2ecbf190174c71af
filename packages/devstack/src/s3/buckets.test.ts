import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bucketName, elements, keys, startTestServer } from './testing/harness.ts';
import type { Answer, TestServer } from './testing/harness.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

const put = (bucket: string, key: string, body = key): Promise<Answer> =>
  server.signed({
    method: 'PUT',
    path: `/${bucket}/${encodeURIComponent(key).replaceAll('%2F', '/')}`,
    body,
  });

describe('a bucket', () => {
  test('is made, found, listed and removed', async () => {
    await server.minio.makeBucket('short-lived');
    expect(await server.minio.bucketExists('short-lived')).toBe(true);
    expect((await server.minio.listBuckets()).map(({ name }) => name)).toContain('short-lived');
    await server.minio.removeBucket('short-lived');
    expect(await server.minio.bucketExists('short-lived')).toBe(false);
    await expect(server.minio.removeBucket('short-lived')).rejects.toMatchObject({
      code: 'NoSuchBucket',
    });
  });

  test('is not made twice', async () => {
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

  test('removed while objects arrive ends either empty-handed or refused', async () => {
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

  test('removed with unfinished uploads takes their bytes along', async () => {
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
  ])('named %s is refused', async (name) => {
    const answer = await server.signed({ method: 'PUT', path: `/${name}` });
    expect(answer).toMatchObject({ status: 400, code: 'InvalidBucketName' });
  });

  test('tells its region', async () => {
    const answer = await server.signed({
      method: 'GET',
      path: `/${bucketName}`,
      query: { location: '' },
    });
    expect(answer.text).toContain(
      '<LocationConstraint xmlns="http://s3.amazonaws.com/doc/2006-03-01/"></LocationConstraint>',
    );
    const body =
      '<CreateBucketConfiguration><LocationConstraint>eu-west-1</LocationConstraint></CreateBucketConfiguration>';
    const elsewhere = await server.signed({ method: 'PUT', path: '/elsewhere', body });
    expect(elsewhere.code).toBe('IllegalLocationConstraintException');
    expect(keys.region).toBe('us-east-1');
  });
});

describe('listing objects', () => {
  // U+FF5E sorts before U+1F600 by bytes, after it by UTF-16 units.
  const names = [
    'a',
    'a/1',
    'a/2',
    'a/b/3',
    'b c+d',
    'b&<>"',
    'c\u0001d',
    '~',
    'ü',
    '\uFF5E',
    '\u{1F600}',
  ];
  const bucket = 'listing';

  beforeAll(async () => {
    await server.minio.makeBucket(bucket);
    for (const name of names.toReversed()) expect((await put(bucket, name)).status).toBe(200);
  });

  const list = (query: Record<string, string>): Promise<Answer> =>
    server.signed({
      method: 'GET',
      path: `/${bucket}`,
      query: { 'list-type': '2', 'encoding-type': 'url', ...query },
    });
  const listed = ({ text }: Answer): { keys: string[]; prefixes: string[] } => ({
    keys: elements(text, 'Key').map(decodeURIComponent),
    prefixes: [...text.matchAll(/<CommonPrefixes><Prefix>([^<]*)/g)].map(([, prefix]) =>
      decodeURIComponent(prefix ?? ''),
    ),
  });

  test('gives every key in the order of its bytes', async () => {
    const bytewise = names.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
    expect(listed(await list({})).keys).toEqual(bytewise);
    expect(bytewise.indexOf('\uFF5E')).toBeLessThan(bytewise.indexOf('\u{1F600}'));
  });

  test('folds at the delimiter', async () => {
    const answer = listed(await list({ delimiter: '/', prefix: 'a' }));
    expect(answer).toEqual({ keys: ['a'], prefixes: ['a/'] });
    expect(listed(await list({ delimiter: '/', prefix: 'a/' }))).toEqual({
      keys: ['a/1', 'a/2'],
      prefixes: ['a/b/'],
    });
    expect(listed(await list({ delimiter: 'b/', prefix: 'a/' }))).toEqual({
      keys: ['a/1', 'a/2'],
      prefixes: ['a/b/'],
    });
  });

  test.each([1, 2, 3, 1000])('in pages of %d gives everything once', async (size) => {
    for (const delimiter of ['', '/']) {
      const whole = listed(await list({ delimiter }));
      const seen: { keys: string[]; prefixes: string[] } = { keys: [], prefixes: [] };
      let token: Record<string, string> = {};
      for (;;) {
        const answer = await list({ delimiter, 'max-keys': String(size), ...token });
        const page = listed(answer);
        seen.keys.push(...page.keys);
        seen.prefixes.push(...page.prefixes);
        expect(elements(answer.text, 'KeyCount')).toEqual([
          String(page.keys.length + page.prefixes.length),
        ]);
        if (elements(answer.text, 'IsTruncated')[0] === 'false') break;
        expect(page.keys.length + page.prefixes.length).toBe(size);
        token = { 'continuation-token': elements(answer.text, 'NextContinuationToken')[0] ?? '' };
      }
      expect(seen).toEqual(whole);
    }
  });

  test('of the first version pages by marker', async () => {
    const seen: string[] = [];
    let marker = '';
    for (;;) {
      const query = { delimiter: '/', 'max-keys': '2', 'encoding-type': 'url', marker };
      const answer = await server.signed({ method: 'GET', path: `/${bucket}`, query });
      const { keys: pageKeys, prefixes } = listed(answer);
      seen.push(...pageKeys, ...prefixes);
      if (elements(answer.text, 'IsTruncated')[0] === 'false') break;
      marker = decodeURIComponent(elements(answer.text, 'NextMarker')[0] ?? '');
    }
    const whole = listed(await list({ delimiter: '/' }));
    expect(seen.toSorted()).toEqual([...whole.keys, ...whole.prefixes].toSorted());
  });

  test('starts after a key, present or not', async () => {
    expect(listed(await list({ 'start-after': 'a/2' })).keys[0]).toBe('a/b/3');
    expect(listed(await list({ 'start-after': 'a/1x', prefix: 'a/' })).keys).toEqual([
      'a/2',
      'a/b/3',
    ]);
    expect(listed(await list({ 'start-after': 'zz', prefix: 'a/' })).keys).toEqual([]);
  });

  test('of nothing is empty and complete', async () => {
    for (const query of [{ 'max-keys': '0' }, { prefix: 'none' }]) {
      const answer = await list(query);
      expect(listed(answer)).toEqual({ keys: [], prefixes: [] });
      expect(elements(answer.text, 'IsTruncated')).toEqual(['false']);
    }
  });

  test.each<Record<string, string>>([
    { 'max-keys': '-1' },
    { 'max-keys': 'x' },
    { 'continuation-token': 'forged' },
    { 'continuation-token': '' },
    { 'encoding-type': 'xml' },
    { 'list-type': '3' },
  ])('with %o is refused', async (query) => {
    expect(await list(query)).toMatchObject({ status: 400, code: 'InvalidArgument' });
  });

  test('writes every name so that XML survives it', async () => {
    const answer = await list({ 'encoding-type': '' });
    expect(answer.text).toContain('<Key>b&amp;&lt;&gt;&quot;</Key>');
    expect(answer.text).toContain('<Key>c&#x1;d</Key>');
    expect(answer.text).not.toContain('\u0001');
  });

  test('works with the minio client, both ways', async () => {
    for (const stream of [
      server.minio.listObjectsV2(bucket, '', true),
      server.minio.listObjects(bucket, '', true),
    ]) {
      const found: string[] = [];
      for await (const item of stream) found.push(item.name);
      expect(found.toSorted()).toEqual(names.toSorted());
    }
  });

  test('of 1,500 keys comes in two pages', async () => {
    await server.minio.makeBucket('many');
    const wanted = Array.from({ length: 1500 }, (_, index) => `k${String(index).padStart(5, '0')}`);
    for (let index = 0; index < wanted.length; index += 50) {
      await Promise.all(wanted.slice(index, index + 50).map((key) => put('many', key, '')));
    }
    const found: string[] = [];
    for await (const item of server.minio.listObjectsV2('many', '', true)) found.push(item.name);
    expect(found).toEqual(wanted);
    await server.minio.removeObjects('many', wanted);
    await server.minio.removeBucket('many');
  });
});

describe('deleting many', () => {
  const remove = (body: string): Promise<Answer> =>
    server.signed({ method: 'POST', path: `/${bucketName}`, query: { delete: '' }, body });

  test('removes what is there and does not mind what is not', async () => {
    for (const key of ['d1', ' d2 ', 'd&3']) await put(bucketName, key);
    const answer = await remove(
      '<Delete><Object><Key>d1</Key></Object><Object><Key> d2 </Key></Object><Object><Key>d&amp;3</Key></Object><Object><Key>none</Key></Object></Delete>',
    );
    expect(elements(answer.text, 'Key')).toEqual(['d1', ' d2 ', 'd&amp;3', 'none']);
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

  test('quietly tells only failures', async () => {
    await put(bucketName, 'quiet');
    const long = 'x'.repeat(1025);
    const answer = await remove(
      `<Delete><Quiet>true</Quiet><Object><Key>quiet</Key></Object><Object><Key>${long}</Key></Object></Delete>`,
    );
    expect(elements(answer.text, 'Key')).toEqual([long]);
    expect(answer.code).toBe('KeyTooLongError');
    expect((await server.signed({ method: 'GET', path: `/${bucketName}/quiet` })).status).toBe(404);
  });

  test.each([
    ['nothing', '<Delete></Delete>'],
    ['an empty key', '<Delete><Object><Key></Key></Object></Delete>'],
    ['an object without a key', '<Delete><Object></Object></Delete>'],
    ['more than 1,000 keys', `<Delete>${'<Object><Key>a</Key></Object>'.repeat(1001)}</Delete>`],
  ])('of %s is refused', async (_, body) => {
    expect(await remove(body)).toMatchObject({ status: 400, code: 'MalformedXML' });
  });
});

describe('copying', () => {
  const copy = (headers: Record<string, string>, key = 'copy'): Promise<Answer> =>
    server.signed({ method: 'PUT', path: `/${bucketName}/${key}`, headers });
  const source = `/${bucketName}/source%20%C3%BC`;
  const read = (key: string): Promise<Answer> =>
    server.signed({ method: 'GET', path: `/${bucketName}/${key}` });

  beforeAll(async () => {
    const headers = { 'content-type': 'text/plain', 'x-amz-meta-a': 'b' };
    await server.signed({ method: 'PUT', path: source, headers, body: 'original' });
  });

  test('keeps bytes, type and metadata, and outlives its source', async () => {
    const other = `/${bucketName}/fleeting`;
    await server.signed({
      method: 'PUT',
      path: other,
      headers: { 'content-type': 'text/plain', 'x-amz-meta-a': 'b' },
      body: 'bytes',
    });
    const answer = await copy({ 'x-amz-copy-source': other });
    expect(answer.status).toBe(200);
    await server.signed({ method: 'DELETE', path: other });
    const object = await read('copy');
    expect(object.text).toBe('bytes');
    expect(object.headers).toMatchObject({ 'content-type': 'text/plain', 'x-amz-meta-a': 'b' });
    expect(elements(answer.text, 'ETag')[0]?.replaceAll('&quot;', '"')).toBe(object.headers.etag);
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
  ])('from %s is refused', async (_, headers, status, code) => {
    expect(await copy(headers, 'never')).toMatchObject({ status, code });
    expect((await read('never')).code).toBe('NoSuchKey');
  });

  test('onto itself unchanged is refused', async () => {
    const answer = await server.signed({
      method: 'PUT',
      path: source,
      headers: { 'x-amz-copy-source': source },
    });
    expect(answer).toMatchObject({ status: 400, code: 'InvalidRequest' });
  });

  test('works with the minio client', async () => {
    await server.minio.copyObject(bucketName, 'by client', `/${bucketName}/source ü`);
    expect((await read('by%20client')).text).toBe('original');
  });
});
