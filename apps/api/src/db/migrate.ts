import { fileURLToPath } from 'node:url';
import { drizzle } from 'drizzle-orm/postgres-js';
import { migrate } from 'drizzle-orm/postgres-js/migrator';
import postgres from 'postgres';
import { migrateJobs } from '../jobs/runner.ts';

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
      migrationsFolder: fileURLToPath(new URL('../../migrations', import.meta.url)),
    });
    await migrateJobs(url);
  } finally {
    // Ends the session and with it the lock.
    await client.end({ timeout: 5 });
  }
}
