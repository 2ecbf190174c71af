import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres } from '@atelier/devstack';
import { sql } from 'drizzle-orm';
import { onTestFinished } from 'vitest';
import type { Database } from '../db/executor.ts';
import { migrateForService } from './databases.ts';

/** Starts a Postgres for this test alone, which may break it. @returns the URL of its migrated database */
export async function startOwnServer(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'atelier-own-'));
  const server = await startPostgres({ dataDir: directory });
  onTestFinished(async () => {
    await server.stop();
    await rm(directory, { recursive: true });
  });
  await migrateForService(server.url);
  return server.url;
}

/** Kills one process of a server, which then ends the others, and recovers without a new start. */
export async function crash(db: Database): Promise<void> {
  const [own] = await db.execute<{ process: number }>(sql`select pg_backend_pid() as process`);
  if (!own) throw new Error('the server has no process');
  process.kill(own.process, 'SIGKILL');
}
