import { join } from 'node:path';
import { startDevstack, startPostgres, type Devstack } from '@atelier/devstack';

/** Every server beside the service keeps a pool of its own. */
const settings = { max_connections: '300' };

/** Starts the services that the API needs: Postgres as it comes, but for the number of connections. */
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
