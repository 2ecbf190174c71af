import postgres from 'postgres';

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
