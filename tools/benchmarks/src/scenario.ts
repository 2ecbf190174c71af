import type { LoadJob } from './load.ts';
import type { ServerProcess } from './server-process.ts';

export type Traffic = Omit<LoadJob, 'until'>;

interface AnyVariant {
  readonly name: string;
  readonly server: ServerProcess;
  /** False for what is only compared with: the target is not meant for it. */
  readonly isJudged?: boolean;
  /** How many times its throughput the judged variant's should be at least. */
  readonly leadWanted?: number;
  /** Starts what runs beside each round. @returns how to stop it */
  readonly beside?: () => Promise<() => Promise<void>>;
}

interface Requests extends AnyVariant {
  /** Traffic of a round; a list of `amount` requests where each must be sent once and in order. */
  traffic(amount: number): Promise<Traffic>;
  /** Whether each request of the traffic may be sent only once. */
  readonly isOneTime?: true;
}

interface Action extends AnyVariant {
  /** Calls that follow from each other. @returns how many milliseconds each of those measured took */
  readonly act: () => Promise<number[]>;
}

/** A kind of requests whose speed is measured; variants of a scenario run by turns. */
export type Variant = Requests | Action;

/** What a scenario should reach. */
export type Target =
  /** Of the times: the median's, or that of the slowest hundredth. */
  | { readonly kind: 'ratio'; readonly of: 'p50' | 'p99'; readonly most: number }
  | { readonly kind: 'throughput'; readonly least: number }
  | { readonly kind: 'median'; readonly mostMs: number };

export interface Scenario {
  readonly id: string;
  readonly title: string;
  /** The first is the base of the ratio. */
  readonly variants: readonly Variant[];
  /** Of what a ratio is; `p50` unless told. */
  readonly compares?: Measure;
  readonly target?: Target;
}

export type Measure = 'p50' | 'p99' | 'throughput';
