import { expect, test } from 'vitest';
import { pageOfRecord } from './page-of-record.ts';

const record = { id: 'r-1', name: 'ada@example.com' };

test.each([
  ['organization', '/settings/organization', {}],
  ['member', '/settings/members', { q: 'ada@example.com' }],
  ['invitation', '/settings/members', { tab: 'invitations' }],
  ['collection', '/collections/r-1', {}],
  ['asset', '/assets/r-1', {}],
  ['project', '/projects/r-1', {}],
] as const)('%s has a page', (resourceType, path, search) => {
  expect(pageOfRecord({ ...record, resourceType })).toEqual({ path, search });
});

test('a task has one once its project is known', () => {
  const task = { ...record, resourceType: 'task' } as const;
  expect(pageOfRecord(task)).toBeNull();
  expect(pageOfRecord(task, 'p-1')).toEqual({ path: '/projects/p-1', search: { task: 'r-1' } });
});

test.each(['comment', 'asset_comment', 'label'] as const)('%s has none', (resourceType) => {
  expect(pageOfRecord({ ...record, resourceType })).toBeNull();
});
