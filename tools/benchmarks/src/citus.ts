import { join } from 'node:path';
import { migrateDatabase } from '../../../apps/api/src/db/migrate.ts';
import { runOperator } from '../../../apps/api/src/operator/run.ts';
import {
  createCitusDatabase,
  dataDirOf,
  startCitusCluster,
} from '../../../apps/api/src/testing/citus/cluster.ts';
import { findCitus } from '../../../apps/api/src/testing/citus/place.ts';
import { postgresCpu } from './postgres-cpu.ts';

/** A cluster whose organizations are distributed over its workers. */
export interface DistributedDatabase {
  /** Of the coordinator. */
  readonly url: string;
  /** Readers of the processor time of each server in milliseconds, the coordinator's first. */
  readonly cpuMs: readonly (() => number)[];
  stop(): Promise<void>;
}

const repository = join(import.meta.dirname, '../../..');
const settings = { max_connections: '300' };

/**
 * Starts a coordinator and workers with an empty, distributed database. They have the defaults of Postgres except for the number
 * of connections and what Citus needs.
 *
 * @throws Error if no files of Citus are found, or a command fails
 */
export async function startDistributedDatabase(
  directory: string,
  workers: number,
): Promise<DistributedDatabase> {
  const place = findCitus({ CITUS_DIR: process.env['CITUS_DIR'] }, repository);
  if (!place) {
    throw new Error('No Citus: set CITUS_DIR to a folder with its files for the bundled Postgres.');
  }
  const cluster = await startCitusCluster(place, directory, { workers, settings });
  try {
    const url = await createCitusDatabase(cluster.servers, 'bench');
    await migrateDatabase(url);
    await distribute(url);
    const cpuMs = cluster.servers.map((_, index) => postgresCpu(dataDirOf(directory, index)));
    return { url, cpuMs, stop: () => cluster.stop() };
  } catch (error) {
    await cluster.stop();
    throw error;
  }
}

async function distribute(url: string): Promise<void> {
  const complaints: string[] = [];
  const exitCode = await runOperator({
    args: ['distribute'],
    env: { DATABASE_URL: url },
    defaultDataDir: '',
    print: () => {},
    complain: (line) => complaints.push(line),
  });
  if (exitCode !== 0) throw new Error(complaints.join('\n'));
}
