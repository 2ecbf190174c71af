import type { Organization } from '@atelier/client';
import { expect, test } from 'vitest';
import { visibilityOf } from './visibility.ts';

const organization = (id: string, changes: Partial<Organization>): Organization => ({
  id,
  name: id,
  slug: id,
  type: 'TEAM',
  ownerId: 'ada',
  planCode: 'FREE',
  memberCount: 1,
  myRole: 'OWNER',
  publicLinks: 'OFF_FOR_NEW',
  mailContent: 'TITLES',
  secondFactorRequiredFrom: null,
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-01T00:00:00.000Z',
  ...changes,
});

const all = [
  organization('own', { type: 'PERSONAL', publicLinks: 'ON_FOR_NEW' }),
  organization('closed', {}),
  organization('open', { publicLinks: 'ON_FOR_NEW' }),
  organization('strict', { publicLinks: 'FORBIDDEN' }),
];

test.each([
  [null, 'public'],
  ['closed', 'members'],
  ['open', 'public'],
  ['strict', 'members'],
  ['unknown', null],
] as const)('a new file in the organization %j is visible to %j', (organizationId, expected) => {
  expect(visibilityOf({ organizationId, collectionId: 'c' }, all)).toBe(expected);
});

test('a new version has no visibility of its own', () => {
  expect(visibilityOf({ organizationId: 'open', collectionId: 'c', assetId: 'a' }, all)).toBeNull();
});
