import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

export interface LoadRequest {
  readonly method: 'GET' | 'POST' | 'PATCH';
  /** The path with its query. */
  readonly path: string;
  readonly body?: unknown;
  /** `new`: each time with an `Idempotency-Key` of its own, as the client sends it. */
  readonly idempotencyKey?: 'new';
}

/** A job of the load generator. */
export interface LoadJob {
  readonly url: string;
  readonly connections: number;
  /** Each connection sends these in turn, repeatedly. */
  readonly requests: readonly LoadRequest[];
  /** `spread`: each connection sends only one of them, in turn. */
  readonly order?: 'spread';
  /** The number of requests over all connections, a duration, or until `finish` is called. */
  readonly until: { readonly amount: number } | { readonly seconds: number } | 'finished';
  readonly headers: Readonly<Record<string, string>>;
  /** Assigned to the connections in turn; without any, requests are anonymous. */
  readonly accessTokens: readonly string[];
  /** The header that carries the plain token; `Authorization: Bearer` by default. */
  readonly tokenHeader?: string;
  /**
   * A field of the body whose next value comes from the `data` of each response; `first` has the first value of
   * each connection.
   */
  readonly carried?: { readonly field: string; readonly first: readonly string[] };
}

export interface LoadResult {
  readonly requestCount: number;
  readonly requestsPerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** The p99 of each of the job's requests, in their order; NaN for those that weren't sent. */
  readonly p99sMs: readonly number[];
  /** The share of one core that the generator used, from 0 to 1. */
  readonly generatorCpuShare: number;
}

/** The message of the generator after a job. */
export type LoadReply = { readonly result: LoadResult | null } | { readonly problem: string };

export interface LoadGenerator {
  /**
   * @returns null if the time was up before the first response; requests that were sent may have had an effect
   * @throws Error if any response is missing or not 2xx
   */
  run(job: LoadJob): Promise<LoadResult | null>;
  /** Ends the job that runs, within a second. */
  finish(): void;
  stop(): void;
}

/** Starts a process that only sends requests. */
export function startLoadGenerator(): LoadGenerator {
  const child: ChildProcess = fork(join(import.meta.dirname, 'load-process.ts'), {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const ended = once(child, 'exit').then(() => {
    throw new Error('The load generator exited.');
  });
  ended.catch(() => undefined);
  return {
    async run(job) {
      child.send(job);
      // Sent by load-process.ts.
      const [reply] = (await Promise.race([once(child, 'message'), ended])) as [LoadReply];
      if ('problem' in reply) throw new Error(reply.problem);
      return reply.result;
    },
    finish: () => void child.send('finish'),
    stop: () => void child.kill(),
  };
}
