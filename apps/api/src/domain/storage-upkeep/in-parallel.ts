import pLimit from 'p-limit';

/** Number of concurrent requests to the storage. */
const parallelCalls = 8;

/** @returns the results, in the order of the items */
export function inParallel<Item, Result>(
  items: readonly Item[],
  visit: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const limit = pLimit(parallelCalls);
  return Promise.all(items.map((item) => limit(() => visit(item))));
}
