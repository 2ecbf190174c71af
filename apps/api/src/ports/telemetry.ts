import type { FastifyInstance } from 'fastify';
import type { JobHandlers } from './jobs.ts';
import type { ObjectStore } from './object-store.ts';

/** Runs a statement and observes it. The text holds no values: those are parameters. */
export type AroundStatement = <Result>(text: string, run: () => Promise<Result>) => Promise<Result>;

/** How busy a connection pool is. */
export interface PoolLoad {
  /** Statements without a response yet, and transactions without a connection yet. */
  readonly underWay: number;
  readonly maxConnections: number;
}

/** How many changes a bulkhead holds back now, and how many it has refused since the start. */
export interface BulkheadLoad {
  readonly waiting: number;
  readonly refused: number;
}

/** Jobs of one name that are in one state. */
export interface QueueFigure {
  readonly job: string;
  /** `due`: could run now; `scheduled`: later; `running`; `failed`: out of attempts. */
  readonly state: 'due' | 'scheduled' | 'running' | 'failed';
  readonly jobs: number;
  /** For how long the oldest of them could have run; 0 unless due. */
  readonly oldestSeconds: number;
}

/** Traces and metrics of this process. Where nobody asked for them there is none of this, and nothing is loaded. */
export interface Telemetry {
  /** Where Prometheus finds the metrics; null where it is not to. */
  readonly metricsAddress: string | null;
  /** Spans of statements, below whatever is under way. */
  readonly aroundStatement: AroundStatement;
  /** A span and figures of every request. Before any other hook, so that refusals count too. */
  observeRequests(app: FastifyInstance): void;
  /** The same storage, with a span and figures of every call that reaches the network. */
  observeStore(store: ObjectStore): ObjectStore;
  /** The same handlers, with a span and figures of every run. */
  observeJobs(handlers: JobHandlers): JobHandlers;
  /** Counts a security event. */
  countSecurityEvent(event: string): void;
  /** Figures of the pool, read whenever metrics are. */
  watchPool(read: () => PoolLoad): void;
  /** Figures of changes that wait for their turn, read whenever metrics are. */
  watchBulkhead(read: () => BulkheadLoad): void;
  /** Figures of the job queue, read whenever metrics are. */
  watchQueue(read: () => Promise<readonly QueueFigure[]>): void;
  /** What a log line needs to be found from its trace; empty outside of one. */
  logFields(): Readonly<Record<string, string>>;
  /** Sends what is still to be sent, and lets go of the port of the metrics. */
  stop(): Promise<void>;
}
