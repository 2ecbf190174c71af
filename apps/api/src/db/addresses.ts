import type { Config } from '../config.ts';

/** The Postgres address past a pooler, for what needs a session of its own: jobs and LISTEN. */
export function directDatabaseUrl(config: Config): string {
  return config.DATABASE_DIRECT_URL ?? config.DATABASE_URL;
}

/** The Postgres address of the owner of the tables, past a pooler. */
export function ownerDatabaseUrl(config: Config): string {
  return config.DATABASE_MIGRATION_URL ?? directDatabaseUrl(config);
}
