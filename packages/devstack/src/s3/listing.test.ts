// @module-tag slow

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { elements, startTestServer } from './testing/harness.ts';
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

  const list = (query: Record<string, string>): Promise<TestResponse> =>
    server.signed({
      method: 'GET',
      path: `/${bucket}`,
      query: { 'list-type': '2', 'encoding-type': 'url', ...query },
    });
  const listed = ({ text }: TestResponse): { keys: string[]; prefixes: string[] } => ({
    keys: elements(text, 'Key').map(decodeURIComponent),
    prefixes: [...text.matchAll(/<CommonPrefixes><Prefix>([^<]*)/g)].map(([, prefix]) =>
      decodeURIComponent(prefix ?? ''),
    ),
  });

  test('returns every key in byte order', async () => {
    const bytewise = names.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
    expect(listed(await list({})).keys).toEqual(bytewise);
    expect(bytewise.indexOf('\uFF5E')).toBeLessThan(bytewise.indexOf('\u{1F600}'));
  });

  test('groups by the delimiter', async () => {
    const response = listed(await list({ delimiter: '/', prefix: 'a' }));
    expect(response).toEqual({ keys: ['a'], prefixes: ['a/'] });
    expect(listed(await list({ delimiter: '/', prefix: 'a/' }))).toEqual({
      keys: ['a/1', 'a/2'],
      prefixes: ['a/b/'],
    });
    expect(listed(await list({ delimiter: 'b/', prefix: 'a/' }))).toEqual({
      keys: ['a/1', 'a/2'],
      prefixes: ['a/b/'],
    });
  });

  test.each([1, 2, 3, 1000])('in pages of %d returns everything once', async (size) => {
    for (const delimiter of ['', '/']) {
      const whole = listed(await list({ delimiter }));
      const seen: { keys: string[]; prefixes: string[] } = { keys: [], prefixes: [] };
      let token: Record<string, string> = {};
      for (;;) {
        const response = await list({ delimiter, 'max-keys': String(size), ...token });
        const page = listed(response);
        seen.keys.push(...page.keys);
        seen.prefixes.push(...page.prefixes);
        expect(elements(response.text, 'KeyCount')).toEqual([
          String(page.keys.length + page.prefixes.length),
        ]);
        if (elements(response.text, 'IsTruncated')[0] === 'false') break;
        expect(page.keys.length + page.prefixes.length).toBe(size);
        token = { 'continuation-token': elements(response.text, 'NextContinuationToken')[0] ?? '' };
      }
      expect(seen).toEqual(whole);
    }
  });

  test('of version 1 pages by marker', async () => {
    const seen: string[] = [];
    let marker = '';
    for (;;) {
      const query = { delimiter: '/', 'max-keys': '2', 'encoding-type': 'url', marker };
      const response = await server.signed({ method: 'GET', path: `/${bucket}`, query });
      const { keys: pageKeys, prefixes } = listed(response);
      seen.push(...pageKeys, ...prefixes);
      if (elements(response.text, 'IsTruncated')[0] === 'false') break;
      marker = decodeURIComponent(elements(response.text, 'NextMarker')[0] ?? '');
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
      const response = await list(query);
      expect(listed(response)).toEqual({ keys: [], prefixes: [] });
      expect(elements(response.text, 'IsTruncated')).toEqual(['false']);
    }
  });

  test.each<Record<string, string>>([
    { 'max-keys': '-1' },
    { 'max-keys': 'x' },
    { 'continuation-token': 'forged' },
    { 'continuation-token': '' },
    { 'encoding-type': 'xml' },
    { 'list-type': '3' },
  ])('with %o is rejected', async (query) => {
    expect(await list(query)).toMatchObject({ status: 400, code: 'InvalidArgument' });
  });

  test('escapes every name in XML', async () => {
    const response = await list({ 'encoding-type': '' });
    expect(response.text).toContain('<Key>b&amp;&lt;&gt;&quot;</Key>');
    expect(response.text).toContain('<Key>c&#x1;d</Key>');
    expect(response.text).not.toContain('\u0001');
  });

  test('works with the minio client, in both versions', async () => {
    for (const stream of [
      server.minio.listObjectsV2(bucket, '', true),
      server.minio.listObjects(bucket, '', true),
    ]) {
      const found: string[] = [];
      for await (const item of stream) found.push(item.name);
      expect(found.toSorted()).toEqual(names.toSorted());
    }
  });

  test('of 1,100 keys comes in two pages', async () => {
    await server.minio.makeBucket('many');
    const expected = Array.from(
      { length: 1100 },
      (_, index) => `k${String(index).padStart(5, '0')}`,
    );
    for (let index = 0; index < expected.length; index += 50) {
      await Promise.all(
        expected.slice(index, index + 50).map((key) => server.minio.putObject('many', key, '')),
      );
    }
    const found: string[] = [];
    for await (const item of server.minio.listObjectsV2('many', '', true)) found.push(item.name);
    expect(found).toEqual(expected);
    await server.minio.removeObjects('many', expected);
    await server.minio.removeBucket('many');
  });
});
