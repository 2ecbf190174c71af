import { hashOf } from './hash.ts';

/** Pseudo-random values, the same for the same words in every process. */
export interface Random {
  /** At least 0, below 1. */
  next(): number;
  /** An integer from `least` to `most`. */
  integer(least: number, most: number): number;
  pick<Item>(items: readonly Item[]): Item;
  /** Lower-case hexadecimal digits. */
  hex(length: number): string;
}

/** Creates pseudo-random values from the seed and words that name their purpose. */
export function randomFor(...words: readonly (string | number)[]): Random {
  // mulberry32: small, and good enough for generated data.
  let [state] = hashOf(words.join('\0'));
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const integer = (least: number, most: number) => least + Math.floor(next() * (most - least + 1));
  return {
    next,
    integer,
    pick: (items) => {
      const item = items[integer(0, items.length - 1)];
      if (item === undefined) throw new Error('nothing to pick from');
      return item;
    },
    hex: (length) => Array.from({ length }, () => integer(0, 15).toString(16)).join(''),
  };
}
