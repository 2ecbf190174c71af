import { startPostgres } from '@atelier/devstack';
import { hasContainerEngine, startServiceContainer } from './containers.ts';

interface DatabaseServer {
  /** A connection string with the right to create databases. */
  readonly url: string;
  stop(): Promise<void>;
}

/** Nothing has to survive a power failure here. */
export const fastSettings = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  // It would open hundreds of databases, each for one file of tests, once a minute.
  autovacuum: 'off',
  max_connections: '300',
};

/**
 * Starts a real Postgres: in a container if an engine is available, else embedded. Prints which.
 *
 * @param more - additional settings of the server
 */
export async function startDatabaseServer(
  dataDir: string,
  more: Readonly<Record<string, string>> = {},
): Promise<DatabaseServer> {
  const settings = { ...fastSettings, ...more };
  if (!(await hasContainerEngine())) {
    process.stdout.write('Postgres of this run: embedded (no container engine)\n');
    const server = await startPostgres({ dataDir, settings });
    return { url: server.url, stop: () => server.stop() };
  }
  const { image, host, port, stop } = await startServiceContainer({
    service: 'postgres',
    environment: { POSTGRES_USER: 'atelier', POSTGRES_PASSWORD: 'atelier' },
    command: [
      'postgres',
      ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    ],
    port: 5432,
  });
  process.stdout.write(`Postgres of this run: a container of ${image}\n`);
  return { url: `postgres://atelier:atelier@${host}:${port}/postgres`, stop };
}
