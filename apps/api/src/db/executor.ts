import type { PgDatabase, PgTransaction } from 'drizzle-orm/pg-core';
import type { PostgresJsQueryResultHKT } from 'drizzle-orm/postgres-js';

/** The library's relational queries aren't used: they hide how often they ask. */
export type NoRelations = Record<string, never>;

/** The database with its pool: each statement is its own transaction. */
export type Database = PgDatabase<PostgresJsQueryResultHKT, NoRelations, NoRelations>;

/** An open transaction. */
export type Transaction = PgTransaction<PostgresJsQueryResultHKT, NoRelations, NoRelations>;

/** Runs statements: in a transaction, or directly on the database, where each statement is its own transaction. */
export type Executor = Pick<
  Database,
  '_' | '$with' | 'with' | 'select' | 'insert' | 'update' | 'delete' | 'execute'
>;
