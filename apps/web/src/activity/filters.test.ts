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
