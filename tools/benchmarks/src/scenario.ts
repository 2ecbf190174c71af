import type { LoadJob } from './load.ts';
import type { ServerProcess } from './server-process.ts';
import type { Ratio } from './statistics.ts';

export type Traffic = Omit<LoadJob, 'until'>;

/** Traffic without the number of connections: what scenarios and contestants share. */
export type CommonTraffic = Pick<Traffic, 'headers' | 'accessTokens' | 'tokenHeader' | 'requests'>;

/**
 * What a variant is beside the others of its scenario:
 *
 * - `service`: what the targets judge;
 * - `limit`: the same work by hand;
 * - `framework`: the same work on the service's framework without anything else;
 * - `plain` and `tuned`: another stack as its guides say, and in the ways of the service;
 * - `product`: similar work of a whole product;
 * - `comparison`: anything that shows where time goes.
 */
export type Role = 'service' | 'limit' | 'framework' | 'plain' | 'tuned' | 'product' | 'comparison';

interface AnyVariant {
  readonly name: string;
  readonly server: ServerProcess;
  readonly role: Role;
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

/** What a scenario has to reach. Each is judged by what its variants measured. */
export type Target =
  /** The throughput of the service relative to each variant of a role, or to the one of that name. */
  | {
      readonly kind: 'throughput';
      readonly over: Role;
      readonly named?: string;
      readonly least: number;
    }
  /** The same by processor time: the throughput on one core that does nothing else. */
  | { readonly kind: 'processor'; readonly over: Role; readonly least: number }
  /** The p99 or memory of the service relative to the variant of a role. */
  | { readonly kind: 'p99' | 'memory'; readonly beside: Role; readonly most: number }
  /** The last variant relative to the first: by the medians, or in the highest round. */
  | {
      readonly kind: 'growth';
      readonly of: 'p50' | 'p99';
      readonly by: keyof Pick<Ratio, 'ofMedians' | 'highest'>;
      readonly most: number;
    }
  /** The processor time of Postgres for each request of each variant. */
  | { readonly kind: 'postgres'; readonly maxMs: number }
  /** The p99 of each request of the traffic. */
  | { readonly kind: 'slowest'; readonly maxMs: number };

export interface Scenario {
  readonly id: string;
  readonly title: string;
  /** The first is the base of the ratios. */
  readonly variants: readonly Variant[];
  /** Which measure ratios compare; `p50` by default. */
  readonly compares?: Measure;
  readonly targets?: readonly Target[];
}

export type Measure = 'p50' | 'p99' | 'throughput';
