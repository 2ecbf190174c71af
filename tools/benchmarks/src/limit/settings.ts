import type { OpponentSettings } from './work.ts';

/** The settings of this opponent, which the benchmark gives it. */
export const settings = process.env as unknown as OpponentSettings & Record<string, string>;
