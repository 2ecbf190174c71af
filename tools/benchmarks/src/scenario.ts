import type { LoadJob } from './load.ts';
import type { ServerProcess } from './server-process.ts';

export type Traffic = Omit<LoadJob, 'until'>;

/** Traffic without the number of connections: what scenarios and contestants share. */
export type CommonTraffic = Pick<Traffic, 'headers' | 'accessTokens' | 'tokenHeader' | 'requests'>;

interface AnyVariant {
  readonly name: string;
  readonly server: ServerProcess;
  /** False if the target doesn't apply, because the variant is only a comparison. */
  readonly isJudged?: boolean;
  /** The minimum throughput of the judged variant, as a multiple of this one's. */
  readonly leadWanted?: number;
  /** Starts background load for each round. @returns a function that stops it */
  readonly background?: () => Promise<() => Promise<void>>;
}

interface Requests extends AnyVariant {
  /** Returns the traffic of a round; `amount` requests if each can be sent only once, in order. */
  traffic(amount: number): Promise<Traffic>;
  /** Whether each request of the traffic may be sent only once. */
  readonly isOneTime?: true;
}

interface Action extends AnyVariant {
  /** Sends a sequence of requests. @returns the milliseconds of each measured one */
  readonly act: () => Promise<number[]>;
}

/** A kind of load. The variants of a scenario take turns. */
export type Variant = Requests | Action;

/** The target of a scenario. */
export type Target =
  /** The maximum ratio of median or p99 times. */
  | { readonly kind: 'ratio'; readonly of: 'p50' | 'p99'; readonly most: number }
  | { readonly kind: 'throughput'; readonly least: number }
  | { readonly kind: 'median'; readonly mostMs: number };

export interface Scenario {
  readonly id: string;
  readonly title: string;
  /** The first is the base of the ratio. */
  readonly variants: readonly Variant[];
  /** Which measure ratios compare; `p50` by default. */
  readonly compares?: Measure;
  readonly target?: Target;
}

export type Measure = 'p50' | 'p99' | 'throughput';
