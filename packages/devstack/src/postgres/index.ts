import { createHmac } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import postgres from 'postgres';
import { lockDirectory } from '../lock.ts';
import { freePorts } from '../ports.ts';
import { accountForPostgres } from './account.ts';
import { locatePostgres } from './binaries.ts';
import type { Cluster } from './cluster.ts';
import {
  DamagedCluster,
  clusterExists,
  createCluster,
  readPassword,
  serviceRole,
  superuser,
} from './cluster.ts';
import { stopOrphan } from './orphan.ts';
import type { PostgresServer } from './server.ts';
import { PortTaken, RemainsOfKilledServer, runServer } from './server.ts';
import { binariesFor } from './shared-binaries.ts';

export interface PostgresOptions {
  /** Created if missing; holds the cluster, its password (mode 0600) and the server's log. */
  dataDir: string;
  /** Default: a free port. */
  port?: number;
  /** Server settings on top of the defaults, such as `{ fsync: 'off' }`. */
  settings?: Readonly<Record<string, string>>;
  /** Created if missing; default `atelier`. */
  database?: string;
  /** A folder whose `lib` and `extension` hold more extensions; the server's user has to be able to read it. */
  extensionsDir?: string;
}

export interface RunningPostgres {
  /** Connection URL of the database, with the password. */
  url: string;
  /** URL of the same database for the unprivileged role of the service. */
  serviceUrl: string;
  /** URL of the maintenance database `postgres`, with the same user. */
  adminUrl: string;
  port: number;
  pid: number;
  /** Resolves when the server has ended for any reason. */
  exited: Promise<void>;
  /** Closes connections, flushes, and releases the directory; a second call is a no-op. */
  stop(): Promise<void>;
  /** Kills the server, for a process that is about to exit; the next start recovers. */
  abort(): void;
}

const portTries = 5;
const remainsTimeoutMs = 10_000;
const remainsPollMs = 100;

async function prepareCluster(dataDir: string, isDurable: boolean): Promise<Cluster> {
  const clusterDir = join(dataDir, 'cluster');
  const account = accountForPostgres(clusterDir);
  const located = await locatePostgres();
  const cluster: Cluster = {
    clusterDir,
    account,
    passwordFile: join(dataDir, 'password'),
    binaries: account === undefined ? located : binariesFor(account, located),
  };
  if (clusterExists(clusterDir)) await stopOrphan(clusterDir);
  else await createCluster(cluster, isDurable);
  return cluster;
}

interface ServeOptions {
  cluster: Cluster;
  logFile: string;
  options: PostgresOptions;
}

async function serve({
  cluster,
  logFile,
  options,
}: ServeOptions): Promise<[PostgresServer, number]> {
  const settings = options.settings ?? {};
  const remainsDeadline = performance.now() + remainsTimeoutMs;
  let portsTried = 0;
  for (;;) {
    const [port = 0] = options.port === undefined ? await freePorts(1) : [options.port];
    try {
      const { extensionsDir } = options;
      return [await runServer({ cluster, port, settings, logFile, extensionsDir }), port];
    } catch (error) {
      if (error instanceof RemainsOfKilledServer && performance.now() < remainsDeadline) {
        await delay(remainsPollMs);
        continue;
      }
      portsTried += 1;
      const mayTryAnother = error instanceof PortTaken && options.port === undefined;
      if (!mayTryAnother || portsTried >= portTries) throw error;
    }
  }
}

async function ensureDatabase(
  adminUrl: string,
  { name, servicePassword }: { name: string; servicePassword: string },
): Promise<void> {
  const sql = postgres(adminUrl, { max: 1, fetch_types: false, onnotice: () => undefined });
  try {
    const [found] = await sql`SELECT
      (SELECT true FROM pg_database WHERE datname = ${name}) AS database,
      (SELECT true FROM pg_roles WHERE rolname = ${serviceRole}) AS role,
      pg_is_in_recovery() AS "isReplica"`;
    if (found?.['database'] !== true) await sql`CREATE DATABASE ${sql(name)}`;
    if (found?.['role'] === true || found?.['isReplica'] === true) return;
    // This statement takes no parameters; the password has only letters and digits.
    await sql.unsafe(`CREATE ROLE ${serviceRole} LOGIN NOINHERIT PASSWORD '${servicePassword}'`);
  } finally {
    await sql.end();
  }
}

/** Derives the password from that of the owner, so that none must be stored. */
function servicePasswordOf(password: string): string {
  return createHmac('sha256', password).update(serviceRole).digest('hex');
}

function isRefusedPassword(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '28P01';
}

/**
 * Starts a real Postgres on loopback, with a random password, on the cluster in `dataDir`. Creates the cluster on
 * first use, and stops a server that a killed process left behind.
 *
 * As root, it runs as the cluster's owner, or as the user nobody (65534).
 *
 * @throws DirectoryInUse when a live process serves the directory; DamagedCluster with the directory, the problem
 * and the remedy; PortTaken when `port` is given and taken
 */
export async function startPostgres(options: PostgresOptions): Promise<RunningPostgres> {
  const dataDir = resolve(options.dataDir);
  const database = options.database ?? 'atelier';
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const lock = lockDirectory(dataDir);
  let server: PostgresServer | undefined;
  try {
    const cluster = await prepareCluster(dataDir, options.settings?.['fsync'] !== 'off');
    const password = readPassword(cluster);
    let port: number;
    [server, port] = await serve({ cluster, logFile: join(dataDir, 'postgres.log'), options });
    const servicePassword = servicePasswordOf(password);
    const serverUrl = `postgres://${superuser}:${encodeURIComponent(password)}@127.0.0.1:${port}`;
    const adminUrl = `${serverUrl}/postgres`;
    await ensureDatabase(adminUrl, { name: database, servicePassword }).catch((error: unknown) => {
      if (!isRefusedPassword(error)) throw error;
      const what = `the password in ${cluster.passwordFile} is wrong`;
      throw new DamagedCluster(cluster.clusterDir, what, { cause: error });
    });
    lock.announce(`Postgres on 127.0.0.1:${port}`);
    const running = server;
    return {
      url: `${serverUrl}/${encodeURIComponent(database)}`,
      serviceUrl: `postgres://${serviceRole}:${servicePassword}@127.0.0.1:${port}/${encodeURIComponent(database)}`,
      adminUrl,
      port,
      pid: running.pid,
      exited: running.exited,
      abort: () => running.abort(),
      stop: async () => {
        await running.stop();
        lock.release();
      },
    };
  } catch (error) {
    await server?.stop();
    lock.release();
    throw error;
  }
}
