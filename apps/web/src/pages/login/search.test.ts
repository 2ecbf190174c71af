import { expect, test } from 'vitest';
import { validateSearch } from './search.ts';

test('a login goes on to a path of the app', () => {
  const redirect = '/projects/1?task=2';
  expect(validateSearch({ redirect })).toEqual({ redirect });
});

test.each(['https://evil.example', '//evil.example', '/\\evil.example', 'javascript:alert(1)', 7])(
  'a login never leads to another place: %s',
  (redirect) => {
    expect(validateSearch({ redirect })).toEqual({});
  },
);
