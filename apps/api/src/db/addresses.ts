import type { Config } from '../config.ts';

/** Returns the Postgres URL without a pooler, for clients that need their own session: jobs and LISTEN. */
export function directDatabaseUrl(config: Config): string {
  return config.DATABASE_DIRECT_URL ?? config.DATABASE_URL;
}

/** Returns the Postgres URL of the tables' owner, without a pooler. */
export function ownerDatabaseUrl(config: Config): string {
  return config.DATABASE_MIGRATION_URL ?? directDatabaseUrl(config);
}
