import { expect, test } from 'vitest';
import { mapConcurrently } from './concurrent.ts';

const numbers = Array.from({ length: 10 }, (_, index) => index);

test('runs every item once, at most four at a time', async () => {
  let running = 0;
  let maxRunning = 0;
  const ran: number[] = [];
  const { done, failures } = await mapConcurrently(numbers, async (item) => {
    running += 1;
    maxRunning = Math.max(maxRunning, running);
    await Promise.resolve();
    ran.push(item);
    running -= 1;
    return item * 2;
  });
  expect(ran.toSorted((a, b) => a - b)).toEqual(numbers);
  expect(done.every(({ item, result }) => result === item * 2)).toBe(true);
  expect(failures).toEqual([]);
  expect(maxRunning).toBe(4);
});

test('runs the other items when one fails', async () => {
  const { done, failures } = await mapConcurrently(numbers, async (item) => {
    if (item % 2 === 1) throw new Error(`no ${item}`);
    return item;
  });
  expect(done.map(({ item }) => item).toSorted((a, b) => a - b)).toEqual([0, 2, 4, 6, 8]);
  expect(failures).toHaveLength(5);
});

test('throws when every item fails', async () => {
  await expect(mapConcurrently(numbers, () => Promise.reject(new Error('no')))).rejects.toThrow(
    'no',
  );
});

test('accepts an empty list', async () => {
  expect(await mapConcurrently([], () => Promise.reject(new Error('no')))).toEqual({
    done: [],
    failures: [],
  });
});
