import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/postgres-js';
import { migrate } from 'drizzle-orm/postgres-js/migrator';
import postgres from 'postgres';
import { packageDir } from '../package-dir.ts';
import { finishMigrations, migrateDistributed } from './distributed-migrations.ts';
import { isDistributed, prepareForChanges, type Reader } from './distribution.ts';
import { readJournal } from './migration-files.ts';
import { grantToService, type ServiceRole } from './grants.ts';
import { setPolicies } from './policies.ts';
import { adoptRestoredActivities, hasRestoredActivities } from './restored-activities.ts';

/** An arbitrary number that all processes share. */
const migrationLock = 7_239_041_117;

/** The newest migration of the job queue's tables, in the installed release of the library. */
export const queueRevision = 20;

const migrationsFolder = join(packageDir, 'migrations');

/**
 * Migrates the database, and grants the service's role its privileges. Safe to call from several processes at
 * once: they wait for an advisory lock, because the migrator itself would apply a migration twice.
 *
 * @param url - connects as the owner of the tables; another role only checks whether the database is up to date
 * @param service - the role that the service connects as, if it isn't the owner
 * @param hasPolicies - whether row-level security is on
 * @throws Error if a change is necessary, and the role lacks the rights
 */
export async function migrateDatabase(
  url: string,
  service: ServiceRole | null = null,
  hasPolicies = false,
): Promise<void> {
  const client = postgres(url, { max: 1, onnotice: () => {}, connect_timeout: 10 });
  try {
    await client`select pg_advisory_lock(${migrationLock})`;
    const db = drizzle(client);
    const isCluster = await isDistributed(db);
    if (isCluster && hasPolicies) {
      throw new Error(
        'row-level security does not work on a distributed database: set DATABASE_ROW_LEVEL_SECURITY to false',
      );
    }
    if (isCluster) await prepareForChanges(db);
    await applyMigrations(client, isCluster).catch((error: unknown) => {
      throw isNotAllowed(error) ? behind(error) : error;
    });
    // A dump is restored into one server, and distributed afterwards.
    if (!isCluster) await adoptRestoredActivities(db);
    if ((await revisionOfQueue(client)) !== queueRevision) {
      // The queue loads its own driver and configuration reader, which a start rarely needs.
      const { migrateJobTables } = await import('./job-tables.ts');
      await migrateJobTables(url);
    }
    await setPolicies(client, hasPolicies);
    if (service) await grantToService(client, service);
  } finally {
    // Ends the session, and so releases the lock.
    await client.end({ timeout: 5 });
  }
}

/**
 * Whether {@link migrateDatabase} has nothing left to do for the tables: also in one that was restored from a dump of this
 * release, whose activities are still those of another server.
 */
export async function isMigrated(db: Reader): Promise<boolean> {
  const newest = (await readJournal(migrationsFolder)).at(-1);
  if ((await newestApplied(db)) < (newest?.when ?? Infinity)) return false;
  return (await isDistributed(db)) || !(await hasRestoredActivities(db));
}

/** Only the newest migration is compared, as the migrator does. */
async function applyMigrations(client: postgres.Sql, isCluster: boolean): Promise<void> {
  const db = drizzle(client);
  const entries = await readJournal(migrationsFolder);
  const newestMs = entries.at(-1)?.when ?? Infinity;
  const appliedMs = await newestApplied(db);
  if (appliedMs < newestMs) {
    if (isCluster) await migrateDistributed(client, migrationsFolder);
    else await migrate(db, { migrationsFolder });
    return;
  }
  // The functions of a newer release, which was rolled back or is being rolled out, stay as they are.
  if (isCluster && appliedMs === newestMs) await finishMigrations(db);
}

/** @returns 0 if there is none */
async function newestApplied(db: Reader): Promise<number> {
  const [table] = await db.execute<{ isThere: boolean }>(
    sql`select to_regclass('drizzle.__drizzle_migrations') is not null as "isThere"`,
  );
  if (!table?.isThere) return 0;
  const [latest] = await db.execute<{ appliedMs: string | null }>(
    sql`select max(created_at)::text as "appliedMs" from drizzle.__drizzle_migrations`,
  );
  return Number(latest?.appliedMs ?? 0);
}

function isNotAllowed(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if ('code' in cause && cause.code === '42501') return true;
  }
  return false;
}

function behind(cause: unknown): Error {
  return new Error(
    'the database is not up to date, and this role may not change its tables: run the migrations, with DATABASE_MIGRATION_URL',
    { cause },
  );
}

/** @returns null if the queue has no tables yet */
async function revisionOfQueue(client: postgres.Sql): Promise<number | null> {
  const [table] = await client`select to_regclass('graphile_worker.migrations') as name`;
  if (table?.['name'] === null) return null;
  const [latest] = await client<{ revision: number | null }[]>`
    select max(id) as revision from graphile_worker.migrations`;
  return latest?.revision ?? null;
}
