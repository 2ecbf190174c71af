import { join } from 'node:path';
import type { LoadRequest } from './load.ts';
import type { CommonTraffic } from './side-by-side.ts';
import { startServer, type ServerProcess } from './server-process.ts';

/** Something that does the same as the service in S0 to S3. */
export interface Contestant {
  readonly name: string;
  readonly server: ServerProcess;
  /** What it is there for: `bare` does less than the service, and shows what the difference costs. */
  readonly work: 'whole' | 'bare';
  /** Scenarios that it takes part in. */
  readonly scenarios: readonly ('S0' | 'S1' | 'S2' | 'S3')[];
  /** Its own address of a call; the same as the service's unless told. */
  readonly requestOf?: (request: LoadRequest) => LoadRequest;
  /** How many times its throughput the service's should be at least. */
  readonly leadWanted?: number;
  /** Its own traffic: what it does is only like what the service does, and not compared. */
  readonly trafficOf?: (scenario: string) => CommonTraffic;
  /** The contract's `data` in what it answers. */
  readonly dataIn?: (answer: unknown) => unknown;
}

const limitDir = join(import.meta.dirname, 'limit');

/** What nothing is faster than by much: the same work by hand, and under a bare framework. */
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
      name: "node:http by hand, with the service's headers and line of log",
      server: await start('health.ts', 'bare'),
      work: 'bare',
      scenarios: ['S0'],
    },
  ];
}
