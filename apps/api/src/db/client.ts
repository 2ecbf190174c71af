import { drizzle, type PostgresJsDatabase } from 'drizzle-orm/postgres-js';
import postgres from 'postgres';
import * as schema from './schema/index.ts';

export type Database = PostgresJsDatabase<typeof schema>;
/** A transaction, or the database itself where a single statement is its own transaction. */
export type Executor = Pick<Database, 'select' | 'insert' | 'update' | 'delete' | 'execute'>;
export type Transaction = Parameters<Parameters<Database['transaction']>[0]>[0];

export interface DatabaseConnection {
  readonly db: Database;
  /** The pool itself, for a library that brings its own statements. */
  readonly client: postgres.Sql;
  /** Ends the pool; statements under way get `timeoutSeconds` to finish. */
  close(timeoutSeconds: number): Promise<void>;
}

/** Opens a lazy pool; the first query connects. */
export function connectDatabase(options: {
  url: string;
  maxConnections: number;
  statementTimeoutMs: number;
}): DatabaseConnection {
  const client = postgres(options.url, {
    max: options.maxConnections,
    connect_timeout: 5,
    idle_timeout: 60,
    // Recycled, so that a fail-over or a new server is noticed.
    max_lifetime: 30 * 60,
    onnotice: () => {},
    connection: {
      application_name: 'atelier-api',
      statement_timeout: options.statementTimeoutMs,
      idle_in_transaction_session_timeout: options.statementTimeoutMs,
    },
  });
  return {
    client,
    db: drizzle(client, { schema, casing: 'snake_case' }),
    close: (timeoutSeconds) => client.end({ timeout: timeoutSeconds }),
  };
}
