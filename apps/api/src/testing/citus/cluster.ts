import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { startPostgres, type PostgresOptions, type RunningPostgres } from '@atelier/devstack';
import postgres from 'postgres';
import { closeDatabase, createDatabase, databaseOf, withDatabase } from '../databases.ts';
import type { CitusPlace } from './place.ts';

/** A coordinator and its workers. */
export interface CitusCluster {
  /** Connection strings with the right to create databases, the coordinator's first. */
  readonly servers: readonly string[];
  stop(): Promise<void>;
}

export interface ClusterOptions {
  readonly workers: number;
  /** Settings of each server beside those that Citus needs. */
  readonly settings: Readonly<Record<string, string>>;
}

const settingsOfCitus = {
  shared_preload_libraries: 'citus',
  max_prepared_transactions: '400',
  // Citus has a process for each database, without which nothing ends a deadlock between servers.
  max_worker_processes: '100',
  wal_level: 'logical',
  'citus.node_conninfo': 'sslmode=disable',
  'citus.enable_statistics_collection': 'off',
  // Enough for both workers, and a quarter of the time to make each table.
  'citus.shard_count': '8',
};

/**
 * Starts a coordinator and workers on loopback, or finds the servers of the cluster that runs.
 *
 * @param directory - each server that is started has its data in a folder of it, as `dataDirOf` says
 */
export async function startCitusCluster(
  place: CitusPlace,
  directory: string,
  options: ClusterOptions,
): Promise<CitusCluster> {
  if (place.kind === 'cluster') {
    return { servers: await serversOf(place.url), stop: async () => {} };
  }
  const nodes = await Promise.all(
    Array.from({ length: options.workers + 1 }, (_, index) =>
      startNode({
        extensionsDir: place.path,
        dataDir: dataDirOf(directory, index),
        settings: options.settings,
      }),
    ),
  );
  return {
    servers: nodes.map(({ adminUrl }) => adminUrl),
    stop: async () => {
      await Promise.all(nodes.map((node) => node.stop()));
    },
  };
}

/** The folder of a server that was started. @param index - 0 for the coordinator */
export function dataDirOf(directory: string, index: number): string {
  return join(directory, `node-${index}`);
}

/** Starts a server that others of its cluster can sign in to. */
export async function startNode(options: PostgresOptions): Promise<RunningPostgres> {
  const settings = { ...settingsOfCitus, ...options.settings };
  const node = await startPostgres({ ...options, settings });
  // The servers sign in to each other as every role, whose passwords they don't know.
  writeFileSync(join(options.dataDir, 'cluster/pg_hba.conf'), 'host all all 127.0.0.1/32 trust\n');
  await onServer(node.adminUrl, (sql) => sql`select pg_reload_conf()`);
  await untilOpen(node.adminUrl);
  return node;
}

/** Waits until the server has read who may sign in without a password. */
async function untilOpen(url: string): Promise<void> {
  const passwordless = new URL(url);
  passwordless.password = '';
  const isOpen = () =>
    onServer(passwordless.href, (sql) => sql`select 1`).then(
      () => true,
      () => false,
    );
  while (!(await isOpen())) await delay(20);
}

async function serversOf(url: string): Promise<string[]> {
  const nodes = await onServer(
    url,
    (sql) => sql<{ host: string; port: number }[]>`
      select nodename as host, nodeport as port from pg_dist_node
      where isactive and noderole = 'primary' and groupid <> 0 order by groupid`,
  );
  const others = nodes.map(({ host, port }) => {
    const worker = new URL(url);
    worker.hostname = host;
    worker.port = String(port);
    return worker.href;
  });
  return [url, ...others];
}

/** Creates a database on every server of a cluster. @returns its connection string, on the coordinator */
export async function createCitusDatabase(
  servers: readonly string[],
  name: string,
): Promise<string> {
  const [coordinator = '', ...others] = await Promise.all(
    servers.map((server) => createExtendedDatabase(server, name)),
  );
  const { hostname, port } = new URL(coordinator);
  await onServer(
    coordinator,
    (sql) => sql`select citus_set_coordinator_host(${hostname}, ${Number(port)})`,
  );
  for (const worker of others) await addNode(coordinator, worker);
  return coordinator;
}

/** Ends all connections to a database and allows no others, so that it can be cloned. */
export async function closeForClones(servers: readonly string[], name: string): Promise<void> {
  await Promise.all(servers.map((server) => onServer(server, (sql) => closeDatabase(sql, name))));
}

/**
 * Creates a clone of a database on every server of a cluster: which servers have which rows is in tables of the database.
 *
 * @param template - see {@link closeForClones}
 * @returns its connection string, on the coordinator
 */
export async function cloneCitusDatabase(
  servers: readonly string[],
  { name, template }: { name: string; template: string },
): Promise<string> {
  await Promise.all(servers.map((server) => createDatabase(server, { name, template })));
  const [coordinator = ''] = servers;
  return withDatabase(coordinator, name);
}

/** Adds a server to the cluster of a database. @param coordinator - the database's connection string */
export async function addWorker(coordinator: string, server: string): Promise<void> {
  const name = databaseOf(coordinator);
  await addNode(coordinator, await createExtendedDatabase(server, name));
}

async function createExtendedDatabase(server: string, name: string): Promise<string> {
  await createDatabase(server, { name });
  const url = withDatabase(server, name);
  await onServer(url, (sql) => sql`create extension citus`);
  return url;
}

const maxAttempts = 5;

/** Sends the roles along. Another database that is made meanwhile may change the same ones: then it is refused. */
async function addNode(coordinator: string, worker: string): Promise<void> {
  const { hostname, port } = new URL(worker);
  for (let attempts = 1; ; attempts += 1) {
    try {
      await onServer(
        coordinator,
        (sql) => sql`select citus_add_node(${hostname}, ${Number(port)})`,
      );
      return;
    } catch (error) {
      if (attempts === maxAttempts) throw error;
    }
  }
}

/** Runs statements on a connection of their own. */
export async function onServer<Result>(
  url: string,
  run: (sql: postgres.Sql) => Promise<Result>,
): Promise<Result> {
  const sql = postgres(url, { max: 1, onnotice: () => {} });
  try {
    return await run(sql);
  } finally {
    await sql.end();
  }
}
