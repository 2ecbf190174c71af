import type { OpponentSettings } from './work.ts';

/** The settings that the benchmark passes to this opponent. */
export const settings = process.env as unknown as OpponentSettings & Record<string, string>;
