import { join } from 'node:path';
import { startDevstack, startPostgres, type Devstack } from '@atelier/devstack';

const settings = {
  // Every contestant has a connection pool of its own.
  max_connections: '300',
  // The default is smaller than the million assets and the index of their names; the manual advises a quarter of the memory.
  shared_buffers: '1GB',
};

/** Starts the services of the API. Postgres has its defaults except for connections and buffers. */
export async function startStack(dataDir: string): Promise<Devstack> {
  const postgres = await startPostgres({ dataDir: join(dataDir, 'postgres'), settings });
  try {
    const stack = await startDevstack({
      dataDir,
      env: { DATABASE_URL: postgres.url },
      baseUrl: 'http://localhost:3000',
    });
    return {
      ...stack,
      environment: { ...stack.environment, DATABASE_URL: postgres.url },
      async stop() {
        await stack.stop();
        await postgres.stop();
      },
    };
  } catch (error) {
    await postgres.stop();
    throw error;
  }
}
