import { join } from 'node:path';
import { drizzle } from 'drizzle-orm/postgres-js';
import { migrate } from 'drizzle-orm/postgres-js/migrator';
import postgres from 'postgres';
import { queueRevision } from '../jobs/queue.ts';
import { packageDir } from '../package-dir.ts';

/** Any number, as long as every process takes the same. */
const migrationLock = 7_239_041_117;

/**
 * Brings the database up to date. Safe to call from several processes at once: they queue up at an
 * advisory lock, because the migrator itself would apply a migration twice.
 */
export async function migrateDatabase(url: string): Promise<void> {
  const client = postgres(url, { max: 1, onnotice: () => {}, connect_timeout: 10 });
  try {
    await client`select pg_advisory_lock(${migrationLock})`;
    await migrate(drizzle(client), {
      migrationsFolder: join(packageDir, 'migrations'),
    });
    if ((await revisionOfQueue(client)) !== queueRevision) {
      // The queue brings a driver and a reader of settings of its own, which a start seldom needs.
      const { migrateJobs } = await import('../jobs/runner.ts');
      await migrateJobs(url);
    }
  } finally {
    // Ends the session and with it the lock.
    await client.end({ timeout: 5 });
  }
}

/** @returns null where the queue has no tables yet */
async function revisionOfQueue(client: postgres.Sql): Promise<number | null> {
  const [table] = await client`select to_regclass('graphile_worker.migrations') as name`;
  if (table?.['name'] === null) return null;
  const [latest] = await client<{ revision: number | null }[]>`
    select max(id) as revision from graphile_worker.migrations`;
  return latest?.revision ?? null;
}
