import { parseArgs } from 'node:util';
import type { Pace } from './measure.ts';
import { fullSizes, quickSizes, type Sizes } from './seed/sizes.ts';

export const usage = `Usage: pnpm bench [options]

  --quick         little data and short rounds, to see that everything runs
  --only S4,S8    only these scenarios
  --opponents     compare S1 to S3 with other frameworks, which the first run installs
  --products      compare S1 and S2 with whole products, and measure nothing else
  --profile S2    print where the API spends its time in one scenario, by the profiler of V8
  --memory S2     print what the API uses memory for after one scenario, beside the limits
  --rounds 9      how many rounds (default 5)
  --fresh         seed again, instead of using .data/benchmarks of an earlier run

  DATABASE_ROW_LEVEL_SECURITY=true runs the API with row-level security.`;

export interface Options {
  /** Names the directory of the seeded data. */
  readonly profile: 'quick' | 'full';
  readonly sizes: Sizes;
  readonly pace: Pace;
  /** How many parts the file of S6 has. */
  readonly uploadParts: number;
  readonly isFresh: boolean;
  readonly hasOpponents: boolean;
  readonly hasProducts: boolean;
  /** What to inspect, instead of comparing. */
  readonly inspected: 'time' | 'memory' | null;
  /** @param id - of a scenario; `S4` also selects `S4-search` */
  isWanted(id: string): boolean;
}

const quickPace: Pace = {
  rounds: 2,
  secondsPerRound: 2,
  warmUpSeconds: 3,
  leadInSeconds: 1,
  oneTimeRequests: 40,
};
const fullPace: Pace = {
  rounds: 5,
  secondsPerRound: 4,
  warmUpSeconds: 3,
  leadInSeconds: 1,
  oneTimeRequests: 400,
};

/** @throws TypeError if an option is invalid; its message is for people */
export function readOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      quick: { type: 'boolean', default: false },
      only: { type: 'string' },
      profile: { type: 'string' },
      memory: { type: 'string' },
      rounds: { type: 'string' },
      fresh: { type: 'boolean', default: false },
      opponents: { type: 'boolean', default: false },
      products: { type: 'boolean', default: false },
    },
  });
  const pace = values.quick ? quickPace : fullPace;
  const rounds = Number(values.rounds ?? pace.rounds);
  if (!Number.isInteger(rounds) || rounds < 1) {
    throw new TypeError('--rounds must be a number from 1.');
  }
  const only = (values.products ? 'S1,S2' : (values.profile ?? values.memory ?? values.only))
    ?.split(',')
    .map((id) => id.trim().toLowerCase())
    .filter((id) => id !== '');
  return {
    profile: values.quick ? 'quick' : 'full',
    sizes: values.quick ? quickSizes : fullSizes,
    pace: { ...pace, rounds },
    uploadParts: values.quick ? 10 : 100,
    isFresh: values.fresh,
    hasOpponents: values.opponents,
    hasProducts: values.products,
    inspected: inspectedBy(values),
    isWanted(id) {
      const name = id.toLowerCase();
      return only?.some((wanted) => name === wanted || name.startsWith(`${wanted}-`)) ?? true;
    },
  };
}

function inspectedBy(values: { profile?: string; memory?: string }): Options['inspected'] {
  if (values.profile !== undefined) return 'time';
  return values.memory === undefined ? null : 'memory';
}
