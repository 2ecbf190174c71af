/** Pseudo-random numbers from a seed. */
export interface Random {
  /** At least 0 and less than 1. */
  next(): number;
  /** An integer, both ends included. */
  between(least: number, most: number): number;
  pick<Item>(items: readonly Item[]): Item;
  /** Returns the items in random order. */
  shuffled<Item>(items: readonly Item[]): Item[];
  /** An independent sequence, so that the order of concurrent users doesn't matter. */
  fork(salt: number): Random;
}

/** Mulberry32: small, fast, and good enough to choose faults. */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const between = (least: number, most: number) => least + Math.floor(next() * (most - least + 1));
  return {
    next,
    between,
    pick(items) {
      const item = items[between(0, items.length - 1)];
      if (item === undefined) throw new Error('there is nothing to pick from');
      return item;
    },
    shuffled: (items) =>
      items
        .map((item) => ({ item, order: next() }))
        .toSorted((a, b) => a.order - b.order)
        .map(({ item }) => item),
    fork: (salt) => seededRandom(Math.imul(seed ^ (salt + 1), 0x9e3779b1)),
  };
}
