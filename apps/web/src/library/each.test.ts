import { expect, test } from 'vitest';
import { each } from './each.ts';

const numbers = Array.from({ length: 10 }, (_, index) => index);

test('runs every item once, at most four at a time', async () => {
  let running = 0;
  let most = 0;
  const ran: number[] = [];
  const { done, failures } = await each(numbers, async (item) => {
    running += 1;
    most = Math.max(most, running);
    await Promise.resolve();
    ran.push(item);
    running -= 1;
    return item * 2;
  });
  expect(ran.toSorted((a, b) => a - b)).toEqual(numbers);
  expect(done.every(({ item, answer }) => answer === item * 2)).toBe(true);
  expect(failures).toEqual([]);
  expect(most).toBe(4);
});

test('a failure holds no other item up', async () => {
  const { done, failures } = await each(numbers, async (item) => {
    if (item % 2 === 1) throw new Error(`no ${item}`);
    return item;
  });
  expect(done.map(({ item }) => item).toSorted((a, b) => a - b)).toEqual([0, 2, 4, 6, 8]);
  expect(failures).toHaveLength(5);
});

test('throws when every item fails', async () => {
  await expect(each(numbers, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
});

test('has nothing to do with no items', async () => {
  expect(await each([], () => Promise.reject(new Error('no')))).toEqual({ done: [], failures: [] });
});
