import { join } from 'node:path';
import { startDevstack, startPostgres, type Devstack } from '@atelier/devstack';

const settings = {
  // Every server beside the service keeps a pool of its own.
  max_connections: '300',
  // The default holds less than the million assets and the index of their names; its manual wants a quarter of the memory.
  shared_buffers: '1GB',
};

/** Starts the services that the API needs: Postgres as it comes, but for connections and buffers. */
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
