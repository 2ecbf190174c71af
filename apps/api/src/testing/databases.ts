import postgres from 'postgres';
import { migrateDatabase } from '../db/migrate.ts';

/** Returns the connection string of another database on the same server. */
export function withDatabase(url: string, database: string): string {
  const other = new URL(url);
  other.pathname = `/${database}`;
  return other.href;
}

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
