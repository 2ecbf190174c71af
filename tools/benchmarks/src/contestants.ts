import { join } from 'node:path';
import type { LoadRequest } from './load.ts';
import type { CommonTraffic } from './scenario.ts';
import { startServer, type ServerProcess } from './server-process.ts';

/** A server that does the same as the service in some of S0 to S3. */
export interface Contestant {
  readonly name: string;
  readonly server: ServerProcess;
  /** `whole` does the same work as the service; `bare` does less, and shows what the difference costs. */
  readonly work: 'whole' | 'bare';
  /** Scenarios that it takes part in. */
  readonly scenarios: readonly ('S0' | 'S1' | 'S2' | 'S3')[];
  /** Translates a request of the service; by default, the request stays the same. */
  readonly requestOf?: (request: LoadRequest) => LoadRequest;
  /** The minimum throughput of the service, as a multiple of this one's. */
  readonly leadWanted?: number;
  /** Its own traffic, if its work only resembles the service's. Then responses aren't compared. */
  readonly trafficOf?: (scenario: string) => CommonTraffic;
  /** Finds the contract's `data` in its response. */
  readonly dataIn?: (body: unknown) => unknown;
}

const limitDir = join(import.meta.dirname, 'limit');

/** Starts the limits: the same work by hand, and under a bare framework. */
export async function startLimits(
  environment: Readonly<Record<string, string>>,
  logDir: string,
  nodeFlags: readonly string[] = [],
): Promise<Contestant[]> {
  const start = (entry: string, work: 'whole' | 'bare') =>
    startServer({
      entry: join(limitDir, entry),
      env: { ...environment, NODE_ENV: 'production', OPPONENT_WORK: work },
      logFile: join(logDir, `${entry}-${work}.log`),
      nodeFlags,
    });
  return [
    {
      name: 'the limit: node:http by hand',
      server: await start('node-http.ts', 'whole'),
      work: 'whole',
      scenarios: ['S0', 'S1', 'S2', 'S3'],
    },
    {
      name: 'bare Fastify',
      server: await start('bare-fastify.ts', 'whole'),
      work: 'whole',
      scenarios: ['S0', 'S1', 'S2', 'S3'],
    },
    {
      name: 'node:http by hand, bare work: no session, no role',
      server: await start('node-http.ts', 'bare'),
      work: 'bare',
      scenarios: ['S1', 'S2', 'S3'],
    },
    {
      name: "node:http by hand, with the service's headers and log line",
      server: await start('health.ts', 'bare'),
      work: 'bare',
      scenarios: ['S0'],
    },
  ];
}
