import { startPostgres } from '@atelier/devstack';

interface DatabaseServer {
  /** A connection string that may create databases. */
  readonly url: string;
  stop(): Promise<void>;
}

/** Nothing has to survive a power cut here. */
const swiftSettings = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  max_connections: '300',
};

/**
 * A real Postgres: in a container where an engine answers, else the embedded one. Says which.
 *
 * @param more - further settings of the server
 */
export async function startDatabaseServer(
  dataDir: string,
  more: Readonly<Record<string, string>> = {},
): Promise<DatabaseServer> {
  const settings = { ...swiftSettings, ...more };
  if (await containerEngineAnswers()) {
    process.stdout.write('Postgres of this run: a container\n');
    return startContainer(settings);
  }
  process.stdout.write('Postgres of this run: embedded (no container engine answers)\n');
  const server = await startPostgres({ dataDir, settings });
  return { url: server.url, stop: () => server.stop() };
}

async function containerEngineAnswers(): Promise<boolean> {
  const { getContainerRuntimeClient } = await import('testcontainers');
  return getContainerRuntimeClient().then(
    () => true,
    () => false,
  );
}

async function startContainer(settings: Readonly<Record<string, string>>): Promise<DatabaseServer> {
  const { GenericContainer, Wait } = await import('testcontainers');
  const credentials = { user: 'atelier', password: 'atelier' };
  const container = await new GenericContainer('postgres:18-alpine')
    .withEnvironment({
      POSTGRES_USER: credentials.user,
      POSTGRES_PASSWORD: credentials.password,
    })
    .withCommand([
      'postgres',
      ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    ])
    .withExposedPorts(5432)
    .withWaitStrategy(Wait.forLogMessage(/database system is ready to accept connections/, 2))
    .start();
  const address = `${container.getHost()}:${container.getMappedPort(5432)}`;
  return {
    url: `postgres://${credentials.user}:${credentials.password}@${address}/postgres`,
    async stop() {
      await container.stop();
    },
  };
}
