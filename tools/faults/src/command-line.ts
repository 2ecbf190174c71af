import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';

export interface Options {
  readonly seed: number;
  /** How many consecutive seeds, each with services of its own. */
  readonly seeds: number;
  /** How many faults. */
  readonly rounds: number;
  /** After this time, no further round of a seed begins. */
  readonly seconds: number;
  /** Only faults whose names contain this. */
  readonly only: string;
  /** Whether promises are broken at the end, to prove that the checks notice. */
  readonly injectedFaults: boolean;
}

export const usage = `Usage: pnpm test:faults [--seed N] [--seeds N] [--rounds N] [--seconds N] [--only TEXT] [--injected-faults]

  --seed             decides the order of the faults and what the accounts do; random by default, and printed
  --seeds            how many consecutive seeds, each with services of its own; 1 by default
  --rounds           how many faults for each seed; by default, each fault once
  --seconds          no round of a seed begins after this time; 600 by default
  --only             only faults whose names contain the text
  --injected-faults  break a promise of each kind at the end, and check that each is noticed
`;

/** @throws TypeError if an option is invalid; its message is for people */
export function readOptions(args: readonly string[], faults: number): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      seed: { type: 'string', default: String(randomInt(1, 1_000_000)) },
      seeds: { type: 'string', default: '1' },
      rounds: { type: 'string', default: String(faults) },
      seconds: { type: 'string', default: '600' },
      only: { type: 'string', default: '' },
      'injected-faults': { type: 'boolean', default: false },
    },
  });
  return {
    seed: wholeNumber('--seed', values.seed),
    seeds: wholeNumber('--seeds', values.seeds),
    rounds: wholeNumber('--rounds', values.rounds),
    seconds: wholeNumber('--seconds', values.seconds),
    only: values.only,
    injectedFaults: values['injected-faults'],
  };
}

function wholeNumber(name: string, text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new TypeError(`${name} takes a whole number.`);
  return Number(text);
}
