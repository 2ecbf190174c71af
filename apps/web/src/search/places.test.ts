import { Search } from 'lucide-react';
import { expect, test } from 'vitest';
import { placeOf, typeIcon } from './places.ts';

const id = '019aa4f0-5c1e-7b3a-9d2f-6f1f0c7a9e42';
const context = { project: null, task: null, collection: null };

test('what was found opens its page', () => {
  const found = { id, title: 'Sky', context };
  expect(placeOf({ ...found, type: 'asset' })).toEqual({ path: `/assets/${id}`, search: {} });
  expect(placeOf({ ...found, type: 'person' })).toEqual({
    path: '/settings/members',
    search: { q: 'Sky' },
  });
});

test('what is newer than this build is searched for', () => {
  // As a later version of the API may respond.
  const type = 'recipe' as never;
  const place = { path: '/search', search: { q: 'Soup' } };
  expect(placeOf({ id, title: 'Soup', context, type })).toEqual(place);
  expect(typeIcon(type)).toBe(Search);
});
