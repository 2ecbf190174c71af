import type { PostgresJsDatabase } from 'drizzle-orm/postgres-js';
import type * as schema from './generated/schema.ts';

/** The database with its pool: each statement is its own transaction. */
export type Database = PostgresJsDatabase<typeof schema>;

/** Runs statements: in a transaction, or directly on the database, where each statement is its own transaction. */
export type Executor = Pick<Database, 'select' | 'insert' | 'update' | 'delete' | 'execute'>;

/** An open transaction. */
export type Transaction = Parameters<Parameters<Database['transaction']>[0]>[0];
