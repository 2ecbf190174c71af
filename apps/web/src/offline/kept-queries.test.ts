import { hashKey } from '@tanstack/react-query';
import { expect, test } from 'vitest';
import { excess, isKept, limits, organizationOf, serialized } from './kept-queries.ts';

test.each([
  ['auth', 'user', true],
  ['tasks', 'board', true],
  ['comments', 'list', true],
  ['apiKeys', 'list', false],
  ['sessions', 'list', false],
  ['security', 'overview', false],
  ['account', 'latestExport', false],
  ['webhooks', 'get', false],
  ['serviceAccounts', 'listKeys', false],
  ['organizations', 'listInvitations', false],
  ['organizations', 'getInvitation', false],
  ['assets', 'download', false],
  ['auth', 'verifyToken', false],
  ['unknown', 'list', false],
])('%s.%s is kept: %s', (group, name, expected) => {
  expect(isKept(['atelier', group, name, {}])).toBe(expected);
});

test('a query without a name is not kept', () => {
  expect(isKept(['atelier'])).toBe(false);
});

test('the organization of a query is known by its hash', () => {
  const key = (organizationId?: string | null) => [
    'atelier',
    'tasks',
    'board',
    'p',
    {},
    { organizationId },
  ];
  expect(organizationOf(hashKey(key('o-1')))).toBe('o-1');
  expect(organizationOf(hashKey(key(null)))).toBeUndefined();
  expect(organizationOf(hashKey(['atelier', 'auth', 'user']))).toBeUndefined();
});

test('presigned links are left out', () => {
  const json = serialized(['atelier', 'assets', 'get'], {
    assetName: 'ridge.jpg',
    thumbnailUrl: 'http://storage/a?X-Amz-Signature=abc',
    versions: [{ url: 'http://storage/b?x=1&X-Amz-Signature=abc' }],
  });
  expect(JSON.parse(json)).toEqual({
    queryKey: ['atelier', 'assets', 'get'],
    data: { assetName: 'ridge.jpg', thumbnailUrl: null, versions: [{ url: null }] },
  });
});

const indexOf = (sizes: readonly number[]) =>
  new Map(sizes.map((size, at) => [`q${at}`, { fetchedAtMs: at, size }]));

test('the oldest exceed the number of responses', () => {
  const index = indexOf(Array.from({ length: limits.count + 2 }, () => 1));
  expect(excess(index).toSorted()).toEqual(['q0', 'q1']);
});

test('the oldest exceed the total size', () => {
  expect(excess(indexOf([10, limits.totalSize - 10, 10]))).toEqual(['q0']);
  expect(excess(indexOf([limits.totalSize - 10, 10]))).toEqual([]);
});
