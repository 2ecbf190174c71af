import postgres from 'postgres';
import { migrateDatabase } from '../db/migrate.ts';

/** The connection string of another database of the same server. */
export function withDatabase(url: string, database: string): string {
  const other = new URL(url);
  other.pathname = `/${database}`;
  return other.href;
}

/** Creates a database, empty or as a clone of a template that nobody is connected to. */
export async function createDatabase(
  serverUrl: string,
  { name, template = 'template1' }: { name: string; template?: string },
): Promise<void> {
  const client = postgres(serverUrl, { max: 1, onnotice: () => {} });
  try {
    await client`create database ${client(name)} template ${client(template)}`;
  } finally {
    await client.end();
  }
}

/** The role that the service connects as in tests, as in a deployment: it owns nothing. */
const serviceRole = { name: 'atelier_tests', password: 'a password of the tests' };

/** Brings a database up to date, for the service to connect as {@link asService} says. */
export async function migrateForService(url: string): Promise<void> {
  await migrateDatabase(url, serviceRole);
}

/** The same database as the service connects to it. @param url - of the owner of the tables */
export function asService(url: string): string {
  const service = new URL(url);
  service.username = serviceRole.name;
  service.password = serviceRole.password;
  return service.href;
}
