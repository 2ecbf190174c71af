import { join } from 'node:path';
import type { LoadRequest } from './load.ts';
import type { CommonTraffic, Role } from './scenario.ts';
import { startServer, type ServerProcess } from './server-process.ts';

/** A scenario in which others do the service's work. */
export type SideBySide = 'S0' | 'S1' | 'S2' | 'S2-repeated' | 'S2-writes' | 'S3';

/** A server that does the same as the service in some scenarios. */
export interface Contestant {
  readonly name: string;
  readonly server: ServerProcess;
  readonly role: Role;
  /** `whole` does the same work as the service; `bare` does less, and shows what the difference costs. */
  readonly work: 'whole' | 'bare';
  /** Scenarios that it takes part in. */
  readonly scenarios: readonly SideBySide[];
  /** Translates a request of the service; by default, the request stays the same. */
  readonly requestOf?: (request: LoadRequest) => LoadRequest;
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
      role: 'limit',
      work: 'whole',
      scenarios: ['S0', 'S1', 'S2', 'S2-repeated', 'S2-writes', 'S3'],
    },
    {
      name: 'bare Fastify',
      server: await start('bare-fastify.ts', 'whole'),
      role: 'framework',
      work: 'whole',
      scenarios: ['S0', 'S1', 'S2', 'S2-writes', 'S3'],
    },
    {
      name: 'node:http by hand, bare work: no session, no role',
      server: await start('node-http.ts', 'bare'),
      role: 'comparison',
      work: 'bare',
      scenarios: ['S1', 'S2', 'S3'],
    },
    {
      name: "node:http by hand, with the service's headers and log line",
      server: await start('health.ts', 'bare'),
      role: 'comparison',
      work: 'bare',
      scenarios: ['S0'],
    },
  ];
}
