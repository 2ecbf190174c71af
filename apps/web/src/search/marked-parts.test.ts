import { expect, test } from 'vitest';
import { markedParts } from './marked-parts.ts';

const shown = (text: string, ranges: number[][]) =>
  markedParts(text, ranges)
    .map((part) => (part.isMatch ? `[${part.text}]` : part.text))
    .join('');

test.each([
  ['Launch plan', [[7, 11]], 'Launch [plan]'],
  [
    'Launch plan',
    [
      [0, 6],
      [7, 11],
    ],
    '[Launch] [plan]',
  ],
  ['Launch plan', [], 'Launch plan'],
  ['<img onerror>', [[5, 12]], '<img [onerror]>'],
  ['👩‍💻 plan', [[6, 10]], '👩‍💻 [plan]'],
  [
    'plan',
    [
      [0, 0],
      [2, 1],
      [0, 9],
      [-1, 2],
    ],
    'plan',
  ],
  [
    'plan',
    [
      [0, 3],
      [2, 4],
    ],
    '[pla]n',
  ],
  ['', [], ''],
])('%j with the ranges %j', (text, ranges, expected) => {
  expect(shown(text, ranges)).toBe(expected);
  expect(
    markedParts(text, ranges)
      .map((part) => part.text)
      .join(''),
  ).toBe(text);
});
