import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { slicer } from './event-loop-slices.ts';

/** @returns for each part of the works, how often the event loop had been around */
async function turnsOf(works: number, parts: readonly number[]): Promise<number[]> {
  const turns: number[] = [];
  let count = 0;
  let isOver = false;
  const work = async () => {
    const next = slicer(10);
    for (const amount of parts) {
      await next(amount);
      turns.push(count);
    }
  };
  const all = Promise.all(Array.from({ length: works }, work)).finally(() => {
    isOver = true;
  });
  while (!isOver) {
    await turn();
    count += 1;
  }
  await all;
  return turns;
}

test('small parts share a turn', async () => {
  const [first = 0, ...others] = await turnsOf(1, [4, 3, 3, 1, 9, 20]);
  expect(others.map((count) => count - first)).toEqual([0, 0, 1, 1, 2]);
});

test('works at the same time have one part in a turn, after the first of each', async () => {
  const turns = await turnsOf(4, [10, 10, 10]);
  expect(turns).toHaveLength(12);
  expect(new Set(turns.slice(4)).size).toBe(8);
});
