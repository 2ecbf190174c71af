import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

export interface LoadRequest {
  readonly method: 'GET' | 'POST' | 'PATCH';
  /** With its query. */
  readonly path: string;
  readonly body?: unknown;
}

/** What the load generator is to do. */
export interface LoadJob {
  readonly url: string;
  readonly connections: number;
  /** Each connection sends these in turn, again and again. */
  readonly requests: readonly LoadRequest[];
  /** A number of requests over all connections, or a time. */
  readonly until: { readonly amount: number } | { readonly seconds: number };
  readonly headers: Readonly<Record<string, string>>;
  /** Given to the connections in turn; none: anonymous calls. */
  readonly accessTokens: readonly string[];
  /** The header that tells one as it is; a bearer's unless told. */
  readonly tokenHeader?: string;
  /**
   * A field of the body that each answer renews by its own of the same name, in `data`; with the first values,
   * one for each connection.
   */
  readonly carried?: { readonly field: string; readonly first: readonly string[] };
}

export interface LoadResult {
  readonly requestCount: number;
  readonly requestsPerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** The median of each of the job's requests, in their order. */
  readonly mediansMs: readonly number[];
  /** How much of one core the generator itself took, from 0 to 1. */
  readonly generatorCpuShare: number;
}

/** What a generator answers. */
export type LoadAnswer = { readonly result: LoadResult | null } | { readonly problem: string };

export interface LoadGenerator {
  /**
   * @returns null when the time was over before the first answer; what was sent may have been taken
   * @throws Error when any request was answered with anything but 2xx, or not at all
   */
  run(job: LoadJob): Promise<LoadResult | null>;
  stop(): void;
}

/** Starts a process that does nothing but make requests. */
export function startLoadGenerator(): LoadGenerator {
  const child: ChildProcess = fork(join(import.meta.dirname, 'load-process.ts'), {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const ended = once(child, 'exit').then(() => {
    throw new Error('The load generator ended.');
  });
  ended.catch(() => undefined);
  return {
    async run(job) {
      child.send(job);
      // Only load-process.ts answers.
      const [answer] = (await Promise.race([once(child, 'message'), ended])) as [LoadAnswer];
      if ('problem' in answer) throw new Error(answer.problem);
      return answer.result;
    },
    stop: () => void child.kill(),
  };
}
