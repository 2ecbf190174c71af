import { expect, test } from 'vitest';
import { filtersOf, isFiltered, queryOf } from './filters.ts';

const id = '019aa4f5-4e6f-7071-b283-9e0f1a2b3c4d';

test('filters are read from the address', () => {
  const search = { q: ' plan ', type: 'task', scope: 'everywhere', project: id, by: 'me' };
  const filters = filtersOf({ ...search, status: 'TODO', from: '2026-11-01', to: '2026-11-02' });
  expect(filters).toMatchObject({ q: 'plan', type: 'task', isEverywhere: true, by: 'me' });
  const query = queryOf(filters);
  expect(query).toMatchObject({
    q: 'plan',
    types: 'task',
    scope: 'everywhere',
    projectId: id,
    createdBy: 'me',
    status: 'TODO',
    from: new Date('2026-11-01T00:00:00').toISOString(),
    // To the end of the day.
    to: new Date('2026-11-03T00:00:00').toISOString(),
  });
});

test('what makes no sense is left out', () => {
  const search = { q: 12, type: 'x', project: 'x', by: 'ada', status: 'x', from: '2026-13-01' };
  const filters = filtersOf({ ...search, to: '1' });
  expect(queryOf(filters)).toEqual({ q: '12' });
  expect(isFiltered(filters)).toBe(false);
});

test('each filter counts as one, the type does not', () => {
  expect(isFiltered(filtersOf({ q: 'x', type: 'task' }))).toBe(false);
  for (const search of [{ project: id }, { assignee: 'me' }, { scope: 'everywhere' }]) {
    expect(isFiltered(filtersOf(search))).toBe(true);
  }
});
