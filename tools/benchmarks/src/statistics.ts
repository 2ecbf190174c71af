/**
 * Computes a quantile by the nearest-rank method.
 *
 * @param share - from 0 to 1; 0.5 is the median
 * @throws RangeError without values
 */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const value = sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)];
  if (value === undefined) throw new RangeError('No values have no quantile.');
  return value;
}

/**
 * Computes the median; for an even number of values, the mean of the two in the middle.
 *
 * @throws RangeError without values
 */
export function median(values: readonly number[]): number {
  const lower = quantile(values, 0.5);
  if (values.length % 2 === 1) return lower;
  return (lower + quantile(values, 0.5 + 1 / values.length)) / 2;
}

export interface Ratio {
  /** The ratio of the medians. */
  readonly ofMedians: number;
  /** The lowest ratio of a round. */
  readonly lowest: number;
  /** The highest ratio of a round. */
  readonly highest: number;
}

/**
 * Computes a ratio of values that were measured in the same rounds.
 *
 * @param base - a value for each round
 * @param compared - a value for each of the same rounds
 * @throws RangeError without rounds, or if their numbers differ
 */
export function ratioOf(base: readonly number[], compared: readonly number[]): Ratio {
  if (base.length !== compared.length) throw new RangeError('The numbers of rounds differ.');
  const ofRounds = compared.map((value, round) => value / (base[round] ?? Number.NaN));
  return {
    ofMedians: median(compared) / median(base),
    lowest: Math.min(...ofRounds),
    highest: Math.max(...ofRounds),
  };
}
