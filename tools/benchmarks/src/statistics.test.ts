import { describe, expect, test } from 'vitest';
import { median, quantile, ratioOf } from './statistics.ts';

describe('quantiles', () => {
  test('are measured values, in any order', () => {
    const values = Array.from({ length: 100 }, (_, index) => 100 - index);
    expect([0, 0.01, 0.5, 0.99, 1].map((share) => quantile(values, share))).toEqual([
      1, 1, 50, 99, 100,
    ]);
    expect(quantile([7], 0.99)).toBe(7);
    expect(values[0]).toBe(100);
  });

  test('sort by number, not as text', () => {
    expect(quantile([9, 10, 1000], 0.5)).toBe(10);
  });

  test('of no values are rejected', () => {
    expect(() => quantile([], 0.5)).toThrow(RangeError);
    expect(() => median([])).toThrow(RangeError);
  });
});

test('the median of an even number of values lies between the two in the middle', () => {
  expect([median([1, 100, 3, 2]), median([5, 1, 3]), median([4]), median([2, 4])]).toEqual([
    2.5, 3, 4, 3,
  ]);
});

describe('a ratio', () => {
  test('divides the medians and has the range of the rounds', () => {
    expect(ratioOf([10, 10, 20], [15, 12, 20])).toEqual({
      ofMedians: 1.5,
      lowest: 1,
      highest: 1.5,
    });
  });

  test('is rejected if a round is missing', () => {
    expect(() => ratioOf([1, 2], [1])).toThrow(RangeError);
    expect(() => ratioOf([], [])).toThrow(RangeError);
  });
});
