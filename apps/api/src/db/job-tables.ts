import { Logger, runMigrations } from 'graphile-worker';

/** Creates or updates the tables of the job queue. Requires the migration lock. */
export async function migrateJobTables(databaseUrl: string): Promise<void> {
  await runMigrations({ connectionString: databaseUrl, logger: new Logger(() => () => {}) });
}
