import { Asset, Collection } from '@atelier/contract';
import { describe, expect, test } from 'vitest';
import { assertUnchanged, eTagOf, isNamedBy } from './etag.ts';
import { newId } from './ids.ts';

const at = '2026-11-21T09:30:00.000Z';
const collection = {
  id: newId(),
  title: 'Brand',
  organizationId: newId(),
  createdBy: newId(),
  assetCount: 3,
  isFavorite: false,
  createdAt: at,
  updatedAt: at,
};
const asset = {
  id: newId(),
  assetName: 'logo.png',
  assetType: 'image/png',
  description: null,
  tags: [],
  assetShortUrl: 'https://api.example.com/s/3fK9xQ2mZr7TbLwA',
  assetLongUrl: 'https://storage.example.com/a/logo.png?X-Amz-Signature=1',
  createdAt: at,
  collectionId: newId(),
  organizationId: newId(),
  createdBy: newId(),
  fileSize: 12,
  checksum: null as string | null,
  detectedType: null as string | null,
  width: null as number | null,
  height: null as number | null,
  currentVersion: 1,
  isFavorite: false,
  thumbnailUrl: null as string | null,
  publishedFromAssetId: null,
  publicLinkEnabled: true,
  review: { status: 'NONE' as const, versionNumber: 1, changedBy: null, changedAt: null },
  commentCount: 0,
  openCommentCount: 0,
  updatedAt: at,
};

describe('an entity tag', () => {
  test('is strong, and the same for the same fields in any order, with any undeclared fields', () => {
    const tag = eTagOf(Collection, collection);
    expect(tag).toMatch(/^"[\w-]{22}"$/);
    const shuffled = Object.fromEntries(Object.entries(collection).toReversed());
    const beside = { ...(shuffled as typeof collection), deletedAt: null };
    expect(eTagOf(Collection, beside)).toBe(tag);
  });

  test.each(Object.keys(collection) as (keyof typeof collection)[])('changes with %s', (field) => {
    const other = { string: newId(), number: 4, boolean: true }[
      typeof collection[field] as 'string'
    ];
    expect(eTagOf(Collection, { ...collection, [field]: other })).not.toBe(
      eTagOf(Collection, collection),
    );
  });

  test('stays when a URL is signed again, and changes when it leads elsewhere', () => {
    const tagged = (changes: Partial<typeof asset>) => eTagOf(Asset, { ...asset, ...changes });
    const [signedAnew, elsewhere] = [
      'https://storage.example.com/a/logo.png?X-Amz-Signature=2',
      'https://storage.example.com/b/logo.png?X-Amz-Signature=1',
    ];
    expect(tagged({ assetLongUrl: signedAnew })).toBe(tagged({}));
    expect(tagged({ assetLongUrl: elsewhere })).not.toBe(tagged({}));
    const small = tagged({ thumbnailUrl: 'https://storage.example.com/t?X-Amz-Signature=1' });
    expect(small).not.toBe(tagged({}));
    expect(tagged({ thumbnailUrl: 'https://storage.example.com/t?X-Amz-Signature=2' })).toBe(small);
    // Only presigned URLs have a signature: other fields count in full.
    expect(tagged({ assetName: 'a?b' })).not.toBe(tagged({ assetName: 'a?c' }));
  });
});

describe('fields that the service adds later', () => {
  const findings = {
    checksum: 'ab'.repeat(32),
    detectedType: 'image/png',
    width: 4,
    height: 3,
    thumbnailUrl: 'https://storage.example.com/t',
  };
  const changes = Object.entries(findings).map(([name, value]) => ({ [name]: value }));

  test.each(changes)('changes the full tag: %j', (change) => {
    const before = eTagOf(Asset, asset);
    const after = eTagOf(Asset, { ...asset, ...change });
    expect(after).not.toBe(before);
    expect(isNamedBy(before, after)).toBe(false);
  });

  test.each(changes)('invalidates no If-Match: %j', (change) => {
    const current = { ...asset, ...change };
    const check = (ifMatch: string, resource = current) => {
      assertUnchanged({ ifMatch }, Asset, resource);
    };
    const seen = eTagOf(Asset, asset);
    expect(() => check(seen)).not.toThrow();
    expect(() => check(eTagOf(Asset, current), asset)).not.toThrow();
    expect(() => check(seen, { ...current, assetName: 'other' })).toThrow(
      expect.objectContaining({ code: 'precondition_failed' }),
    );
    expect(() => check(`W/${seen}`)).toThrow();
    expect(() => check(seen.replace('"', '"x'))).toThrow();
  });
});

describe('If-Match', () => {
  const tag = eTagOf(Collection, collection);
  const check = (ifMatch: string | null) => () =>
    assertUnchanged({ ifMatch }, Collection, collection);

  test.each([null, '*', tag, `"other", ${tag}`, `${tag},"other"`, `"a,b",${tag}`])(
    'of %j lets the change through',
    (ifMatch) => {
      expect(check(ifMatch)).not.toThrow();
    },
  );

  test.each(['"other"', `W/${tag}`, `"a", W/${tag}`, '""', `"${tag.slice(1, -2)}"`])(
    'of %j refuses it',
    (ifMatch) => {
      expect(check(ifMatch)).toThrow(expect.objectContaining({ code: 'precondition_failed' }));
    },
  );
});

test.each([
  ['"a"', true],
  ['W/"a"', true],
  ['"b", W/"a"', true],
  ['*', true],
  ['"b"', false],
  ['a', false],
  ['', false],
])('If-None-Match of %j names "a": %j', (header, isNamed) => {
  expect(isNamedBy(header, '"a"')).toBe(isNamed);
});
