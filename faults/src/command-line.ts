import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';

export interface Options {
  readonly seed: number;
  /** Faults in a row. */
  readonly rounds: number;
  /** After which no further round begins. */
  readonly seconds: number;
  /** Only faults whose names hold this. */
  readonly only: string;
}

export const usage = `Usage: pnpm test:faults [--seed N] [--rounds N] [--seconds N] [--only TEXT]

  --seed     which faults come when, and what the accounts do; printed, by default another each time
  --rounds   faults in a row, by default each of them once
  --seconds  no round begins after that, by default 600
  --only     just the faults whose names hold the text
`;

/** @throws TypeError saying what is wrong with them */
export function readOptions(args: readonly string[], faults: number): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      seed: { type: 'string', default: String(randomInt(1, 1_000_000)) },
      rounds: { type: 'string', default: String(faults) },
      seconds: { type: 'string', default: '600' },
      only: { type: 'string', default: '' },
    },
  });
  return {
    seed: wholeNumber('--seed', values.seed),
    rounds: wholeNumber('--rounds', values.rounds),
    seconds: wholeNumber('--seconds', values.seconds),
    only: values.only,
  };
}

function wholeNumber(name: string, text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new TypeError(`${name} takes a whole number.`);
  return Number(text);
}
