import { setTimeout as delay } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { gather } from './gathered.ts';

test('what is added meanwhile is handed over together, each once and in order', async () => {
  const pieces: number[][] = [];
  const gathered = gather<number>(async (items) => {
    pieces.push([...items]);
    await delay(5);
  }, vi.fn());
  gathered.add(1);
  for (const item of [2, 3, 4]) gathered.add(item);
  await gathered.done();
  gathered.add(5);
  await gathered.done();
  expect(pieces).toEqual([[1], [2, 3, 4], [5]]);
});

test('after a failure nothing is handed over, and it is thrown at the end', async () => {
  const onFailure = vi.fn();
  const work = vi.fn(async () => {
    await delay(1);
    throw new Error('away');
  });
  const gathered = gather<number>(work, onFailure);
  gathered.add(1);
  gathered.add(2);
  await expect(gathered.done()).rejects.toThrow('away');
  gathered.add(3);
  await expect(gathered.done()).rejects.toThrow('away');
  expect(work).toHaveBeenCalledTimes(1);
  expect(onFailure).toHaveBeenCalledTimes(1);
});

test('without anything there is nothing to wait for', async () => {
  const work = vi.fn(async () => {});
  await gather<number>(work, vi.fn()).done();
  expect(work).not.toHaveBeenCalled();
});
