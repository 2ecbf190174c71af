import { sql } from 'drizzle-orm';
import { withTimeout } from '../kernel/timeout.ts';
import type { DatabaseConnection } from './client.ts';

/** Asks whether the service can work on its database. */
export interface DatabaseProbe {
  /** @throws Error if no server that takes writes responds within two seconds */
  check(): Promise<void>;
  close(timeoutSeconds: number): Promise<void>;
}

const probeTimeoutMs = 2_000;

/**
 * Asks on a connection of its own: a pool that is busy responds late, although the database is there.
 *
 * @param connect - opens a pool of one; called again after a failure
 */
export function createProbe(connect: () => DatabaseConnection): DatabaseProbe {
  let connection: DatabaseConnection | null = null;
  let asking: Promise<void> | null = null;

  async function ask(): Promise<void> {
    connection ??= connect();
    try {
      const writes = await withTimeout(
        probeTimeoutMs,
        isWritable(connection),
        () => new Error('no response in time'),
      );
      if (!writes) throw new Error('the server is read-only');
    } catch (error) {
      // The next one may lead to another server; one without a response would only wait on.
      void connection.close(0).catch(() => {});
      connection = null;
      throw error;
    }
  }

  return {
    check() {
      asking ??= ask().finally(() => (asking = null));
      return asking;
    },
    async close(timeoutSeconds) {
      await asking?.catch(() => {});
      await connection?.close(timeoutSeconds);
    },
  };
}

async function isWritable({ db }: DatabaseConnection): Promise<boolean> {
  const [row] = await db.execute<{ isWritable: boolean }>(
    sql`select not current_setting('transaction_read_only')::boolean as "isWritable"`,
  );
  return row?.isWritable === true;
}
