/**
 * The value below which a share of the values lies, by the nearest rank.
 *
 * @param share - from 0 to 1; 0.5 is the median
 * @throws RangeError without values
 */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const value = sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)];
  if (value === undefined) throw new RangeError('There is nothing to take a quantile of.');
  return value;
}

/**
 * The middle value; of an even number, the mean of the two in the middle.
 *
 * @throws RangeError without values
 */
export function median(values: readonly number[]): number {
  const lower = quantile(values, 0.5);
  if (values.length % 2 === 1) return lower;
  return (lower + quantile(values, 0.5 + 1 / values.length)) / 2;
}

export interface Ratio {
  /** The median of one divided by the median of the other. */
  readonly ofMedians: number;
  /** The lowest and the highest ratio of any round: how far to trust the first. */
  readonly lowest: number;
  readonly highest: number;
}

/**
 * How many times the base something takes, measured in rounds that ran side by side.
 *
 * @param base - a value for each round
 * @param compared - a value for each of the same rounds
 * @throws RangeError without rounds, or when one has rounds that the other hasn't
 */
export function ratioOf(base: readonly number[], compared: readonly number[]): Ratio {
  if (base.length !== compared.length) throw new RangeError('The rounds are not side by side.');
  const ofRounds = compared.map((value, round) => value / (base[round] ?? Number.NaN));
  return {
    ofMedians: median(compared) / median(base),
    lowest: Math.min(...ofRounds),
    highest: Math.max(...ofRounds),
  };
}
