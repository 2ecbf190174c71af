import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';

export interface Options {
  readonly seed: number;
  /** How many seeds in a row, each with services of its own. */
  readonly seeds: number;
  /** Faults in a row. */
  readonly rounds: number;
  /** After which no further round of a seed begins. */
  readonly seconds: number;
  /** Only faults whose names hold this. */
  readonly only: string;
  /** Whether promises are broken in the end, to see that this is found. */
  readonly plants: boolean;
}

export const usage = `Usage: pnpm test:faults [--seed N] [--seeds N] [--rounds N] [--seconds N] [--only TEXT] [--plants]

  --seed     which faults come when, and what the accounts do; printed, by default another each time
  --seeds    so many seeds in a row, each with services of its own, by default one
  --rounds   faults in a row of a seed, by default each of them once
  --seconds  no round of a seed begins after that, by default 600
  --only     just the faults whose names hold the text
  --plants   break a promise of each kind in the end, and look whether that is found
`;

/** @throws TypeError saying what is wrong with them */
export function readOptions(args: readonly string[], faults: number): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      seed: { type: 'string', default: String(randomInt(1, 1_000_000)) },
      seeds: { type: 'string', default: '1' },
      rounds: { type: 'string', default: String(faults) },
      seconds: { type: 'string', default: '600' },
      only: { type: 'string', default: '' },
      plants: { type: 'boolean', default: false },
    },
  });
  return {
    seed: wholeNumber('--seed', values.seed),
    seeds: wholeNumber('--seeds', values.seeds),
    rounds: wholeNumber('--rounds', values.rounds),
    seconds: wholeNumber('--seconds', values.seconds),
    only: values.only,
    plants: values.plants,
  };
}

function wholeNumber(name: string, text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new TypeError(`${name} takes a whole number.`);
  return Number(text);
}
