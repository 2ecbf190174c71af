/** Pseudo-random values, the same for the same seed. */
export interface Randomness {
  /** An integer from 0 up to, but not including, `bound`. */
  below(bound: number): number;
  /** A well-formed id that no resource has. */
  id(): string;
}

/** Creates a Mulberry32 generator: small, and good enough to pick values. */
export function randomnessOf(seed: number): Randomness {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (bound: number) => Math.floor(next() * bound);
  const hex = (digits: number) =>
    Array.from({ length: digits }, () => below(16).toString(16)).join('');
  return {
    below,
    id: () => `01900000-${hex(4)}-7${hex(3)}-8${hex(3)}-${hex(12)}`,
  };
}
