import { expect, test } from 'vitest';
import { activityQuery } from './filters.ts';
import { activitySearch } from './search.ts';

test('ignores invalid search parameters', () => {
  const search = { type: 'asset', action: 'asset.create', from: '2026-11-21', to: 'soon' };
  expect(activitySearch(search)).toEqual({
    type: 'asset',
    action: 'asset.create',
    from: '2026-11-21',
  });
  expect(activitySearch({ type: 'constructor', action: 'toString', from: '2026-99-99' })).toEqual(
    {},
  );
});

test('drops an action of another resource type', () => {
  expect(activitySearch({ type: 'asset', action: 'task.create' })).toEqual({ type: 'asset' });
});

test('filters by a person, whose id is checked', () => {
  const person = '019aa4f0-5c1e-7b3a-9d2f-6f1f0c7a9e42';
  expect(activityQuery(activitySearch({ person }))).toEqual({ actorId: person });
  expect(activitySearch({ person: 'ada' })).toEqual({});
});

test('ignores an unknown action', () => {
  expect(activityQuery({ type: 'asset', action: 'asset.explode' })).toEqual({
    resourceType: 'asset',
  });
});

test('includes both days, in the local time zone', () => {
  expect(activityQuery({ from: '2026-11-20', to: '2026-11-30' })).toEqual({
    from: new Date(2026, 10, 20).toISOString(),
    to: new Date(2026, 11, 1).toISOString(),
  });
});
