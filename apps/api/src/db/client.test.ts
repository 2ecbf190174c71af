import { describe, expect, test } from 'vitest';

interface Queue {
  readonly length: number;
  push(item: object): void;
  shift(): object | undefined;
  remove(item: object): object | null;
}

const { default: createQueue } = (await import(
  new URL('queue.js', import.meta.resolve('postgres')).href
)) as { default: () => Queue };

/** One item always waits, as in a pool under steady load: the queue never gets empty. */
function keepBusy(queue: Queue, times: number): void {
  for (let index = 0; index < times; index += 1) {
    queue.push({ index });
    queue.shift();
  }
}

/** See docs/decisions for the patch of postgres.js that this holds in place. */
describe('the queue of the pool', () => {
  test('hands out in order, and removes by identity', () => {
    const queue = createQueue();
    const [first, second, third] = [{}, {}, {}];
    for (const item of [first, second, third]) queue.push(item);
    expect(queue.remove(second)).toBe(second);
    expect(queue.remove(second)).toBeNull();
    expect([queue.length, queue.shift(), queue.shift(), queue.shift()]).toEqual([
      2,
      first,
      third,
      undefined,
    ]);
  });

  test('holds no more after five million turns than after fifty thousand', () => {
    const queue = createQueue();
    queue.push({});
    keepBusy(queue, 50_000);
    const first = process.memoryUsage().heapTotal;
    keepBusy(queue, 5_000_000);
    // Each turn used to leave a slot behind: more than 100 MiB here.
    expect(process.memoryUsage().heapTotal - first).toBeLessThan(20 * 1024 ** 2);
    expect(queue.length).toBe(1);
  });
});
