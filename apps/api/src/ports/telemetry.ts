import type { FastifyInstance } from 'fastify';
import type { JobHandlers } from './jobs.ts';
import type { ObjectStore } from './object-store.ts';

/** Called when a statement starts. Its text contains no values: those are parameters. @returns a function to call when it ends */
export type ObserveStatement = (text: string) => StatementEnded;

/** @param error - null if it succeeded */
export type StatementEnded = (error: Error | null) => void;

/** The load of a connection pool. */
export interface PoolLoad {
  /** Statements without a response yet, and transactions without a connection yet. */
  readonly underWay: number;
  readonly maxConnections: number;
}

/** The number of changes that a bulkhead currently holds back, and that it has refused since the start. */
export interface BulkheadLoad {
  readonly waiting: number;
  readonly refused: number;
}

/** The jobs of one name and state. */
export interface QueueFigure {
  readonly job: string;
  /** `due`: could run now; `scheduled`: later; `running`; `failed`: out of attempts. */
  readonly state: 'due' | 'scheduled' | 'running' | 'failed';
  readonly jobs: number;
  /** How long the oldest of them has been due; 0 unless due. */
  readonly oldestSeconds: number;
}

/** How far a consumer of the activities is behind. */
export interface LogFigure {
  readonly consumer: string;
  /** Age of the oldest activity that it hasn't taken; 0 without one. */
  readonly oldestSeconds: number;
}

/** Traces and metrics of this process. If they are not configured, this is absent and nothing is loaded. */
export interface Telemetry {
  /** The URL of the metrics for Prometheus; null if not exposed. */
  readonly metricsAddress: string | null;
  /** Creates spans of statements, below the active span. */
  readonly observeStatement: ObserveStatement;
  /** Registers a span and metrics for every request. Before any other hook, so that refusals count too. */
  observeRequests(app: FastifyInstance): void;
  /** Wraps a storage with a span and metrics for every network request. */
  observeStore(store: ObjectStore): ObjectStore;
  /** Wraps handlers with a span and metrics for every run. */
  observeJobs(handlers: JobHandlers): JobHandlers;
  /** Counts a security event. */
  countSecurityEvent(event: string): void;
  /** Counts a wrong second factor, by its kind. */
  countSecondFactorFailure(kind: string): void;
  /** Registers metrics of the pool, read at each collection. */
  watchPool(read: () => PoolLoad): void;
  /** Registers metrics of waiting changes, read at each collection. */
  watchBulkhead(read: () => BulkheadLoad): void;
  /** Registers metrics of the job queue, read at each collection. */
  watchQueue(read: () => Promise<readonly QueueFigure[]>): void;
  /** Registers metrics of the consumers of activities, read at each collection. */
  watchLog(read: () => Promise<readonly LogFigure[]>): void;
  /** Returns the log fields that link a line to its trace; empty outside of one. */
  logFields(): Readonly<Record<string, string>>;
  /** Sends pending data, and closes the metrics port. */
  stop(): Promise<void>;
}
