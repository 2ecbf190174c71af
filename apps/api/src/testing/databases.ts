import postgres from 'postgres';
import { migrateDatabase } from '../db/migrate.ts';
import { newId } from '../kernel/ids.ts';

/** Returns the connection string of another database on the same server. */
export function withDatabase(url: string, database: string): string {
  const other = new URL(url);
  other.pathname = `/${database}`;
  return other.href;
}

/** Returns the name of the database of a connection string. */
export const databaseOf = (url: string): string => new URL(url).pathname.slice(1);

/** Returns a name that no other database of the tests has. */
export const newDatabaseName = (): string => `test_${newId().replaceAll('-', '')}`;

/** Creates a database, empty or as a clone of a template without connections. */
export async function createDatabase(
  serverUrl: string,
  { name, template = 'template1' }: { name: string; template?: string },
): Promise<void> {
  const client = postgres(serverUrl, { max: 1, onnotice: () => {} });
  try {
    // Four times as fast as writing the copy to the log.
    await client`create database ${client(name)} template ${client(template)} strategy file_copy`;
  } finally {
    await client.end();
  }
}

/**
 * Ends all connections to a database, waits for their end, and allows no others.
 *
 * @param client - connected to another database of the same server
 */
export async function closeDatabase(client: postgres.Sql, name: string): Promise<void> {
  await client`alter database ${client(name)} allow_connections false`;
  await client`select pg_terminate_backend(pid, 10000) from pg_stat_activity where datname = ${name}`;
}

/** The role that the service connects as in tests, as in a deployment: it owns nothing. */
const serviceRole = { name: 'atelier_tests', password: 'a password of the tests' };

/** Migrates a database for the service, which connects as in {@link asService}. */
export async function migrateForService(url: string): Promise<void> {
  await migrateDatabase(url, serviceRole);
}

/** Returns the connection string of the service's role. @param url - of the owner of the tables */
export function asService(url: string): string {
  const service = new URL(url);
  service.username = serviceRole.name;
  service.password = serviceRole.password;
  return service.href;
}
