import { expect, test } from 'vitest';
import { withTags } from './tags.ts';

test('what was typed is split at commas and added once', () => {
  expect(withTags(['Logo'], ' print , LOGO,, ｐｒｉｎｔ')).toEqual(['Logo', 'print']);
  expect(withTags(['Logo'], ' ')).toEqual(['Logo']);
});
