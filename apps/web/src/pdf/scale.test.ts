import { expect, test } from 'vitest';
import { densityFor, scaleFor } from './scale.ts';

const page = { width: 600, height: 800 };

test('a page fits the window, or its width, or has the chosen size', () => {
  const window = { width: 900, height: 400 };
  expect(scaleFor('page', page, window)).toBe(0.5);
  expect(scaleFor('width', page, window)).toBe(1.5);
  expect(scaleFor(2, page, window)).toBe(2);
});

test('no page is shown smaller or larger than can be worked with', () => {
  expect(scaleFor('page', { width: 1e6, height: 1e6 }, { width: 900, height: 400 })).toBe(0.1);
  expect(scaleFor(1000, page, page)).toBe(8);
});

test('a large page is drawn with fewer pixels', () => {
  expect(densityFor(page, 2)).toBe(2);
  const large = { width: 8000, height: 8000 };
  expect((large.width * densityFor(large, 2)) ** 2).toBeCloseTo(16_000_000);
});
