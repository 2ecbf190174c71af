import { inject } from 'vitest';
import { newId } from '../../kernel/ids.ts';
import { migrateForService } from '../databases.ts';
import { operate } from '../operator.ts';
import { createCitusDatabase } from './cluster.ts';
// Declares the type of what `inject` returns.
import type { CitusServers } from './services.ts';

/** Creates a migrated database on the cluster; its tables are on the coordinator. @returns the owner's URL */
export async function newCitusDatabase(): Promise<string> {
  const name = `test_${newId().replaceAll('-', '')}`;
  const servers: CitusServers = inject('citusServers');
  const url = await createCitusDatabase(servers, name);
  await migrateForService(url);
  return url;
}

/** Creates a migrated database whose organizations are distributed over the workers. @returns the owner's URL */
export async function newDistributedDatabase(): Promise<string> {
  const url = await newCitusDatabase();
  const { exitCode, stderr } = await operate(['distribute'], { DATABASE_URL: url });
  if (exitCode !== 0) throw new Error(stderr);
  return url;
}
