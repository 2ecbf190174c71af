import { expect, test } from 'vitest';
import { visible } from './visible.ts';

test('characters that reorder or hide others are named', () => {
  expect(visible('invoice\u202Efdp.exe')).toBe('invoice[U+202E]fdp.exe');
  expect(visible('a\u200Bb\uFEFF\u0007')).toBe('a[U+200B]b[U+FEFF][U+0007]');
});

test.each(['two\nlines\tand a tab', 'שלום עולם', 'می‌خواهم', '👩‍👩‍👧', '<b>&amp;</b>'])(
  '%j stays as it is',
  (text) => {
    expect(visible(text)).toBe(text);
  },
);
