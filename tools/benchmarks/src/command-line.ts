import { parseArgs } from 'node:util';
import type { Pace } from './measure.ts';
import { fullSizes, quickSizes, type Sizes } from './seed/sizes.ts';

export const usage = `Usage: pnpm bench [options]

  --quick         little data and a few seconds, to see that everything runs
  --only S4,S8    only these scenarios
  --opponents     S1 to S3 also beside other frameworks, installed at the first time
  --products      S1 and S2 beside whole products, and nothing else
  --profile S2    where the API spends its time in one scenario, by the profiler of V8
  --memory S2     what the memory of the API is made of after one scenario, beside that of the limits
  --rounds 9      more rounds (default 5)
  --fresh         seed anew, instead of using what an earlier run has left in .data/benchmarks

  DATABASE_ROW_LEVEL_SECURITY=true has the API run with row-level security.`;

export interface Wishes {
  /** Names the directory of the seeded data. */
  readonly profile: 'quick' | 'full';
  readonly sizes: Sizes;
  readonly pace: Pace;
  /** Of the file that S6 uploads. */
  readonly uploadParts: number;
  readonly isFresh: boolean;
  readonly hasOpponents: boolean;
  readonly hasProducts: boolean;
  /** What to look into, instead of comparing. */
  readonly inspected: 'time' | 'memory' | null;
  /** @param id - of a scenario; `S4` also means those that belong to it, as `S4-search` */
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

/** @throws TypeError for what isn't an option, with its message for people */
export function readWishes(args: readonly string[]): Wishes {
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

function inspectedBy(values: { profile?: string; memory?: string }): Wishes['inspected'] {
  if (values.profile !== undefined) return 'time';
  return values.memory === undefined ? null : 'memory';
}
