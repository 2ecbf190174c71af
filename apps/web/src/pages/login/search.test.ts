import { expect, test } from 'vitest';
import { validateSearch } from './search.ts';

test('accepts a path of the app as redirect', () => {
  const redirect = '/projects/1?task=2';
  expect(validateSearch({ redirect })).toEqual({ redirect });
});

test.each(['https://evil.example', '//evil.example', '/\\evil.example', 'javascript:alert(1)', 7])(
  'ignores a redirect to another origin: %s',
  (redirect) => {
    expect(validateSearch({ redirect })).toEqual({});
  },
);
