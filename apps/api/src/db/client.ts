import { drizzle, type PostgresJsDatabase } from 'drizzle-orm/postgres-js';
import postgres from 'postgres';
import {
  collectTopics,
  createAnnouncements,
  listenToAnnouncements,
  type Announcements,
  type ChangeListener,
  type Topic,
} from './announcements.ts';
import { mapRowsByPlan } from './rows.ts';
import * as schema from './schema/index.ts';

export type Database = PostgresJsDatabase<typeof schema>;
/** A transaction, or the database itself where a single statement is its own transaction. */
export type Executor = Pick<Database, 'select' | 'insert' | 'update' | 'delete' | 'execute'>;
export type Transaction = Parameters<Parameters<Database['transaction']>[0]>[0];

export interface DatabaseConnection {
  readonly db: Database;
  /** The pool itself, for a library that brings its own statements. */
  readonly client: postgres.Sql;
  /** Hears what any process commits; resolves once it does. */
  listen(listener: ChangeListener): Promise<void>;
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
  const announcements = createAnnouncements(client);
  const db = drizzle(client, { schema, casing: 'snake_case' });
  mapRowsByPlan(db._.session);
  return {
    client,
    db: announcing(db, announcements),
    listen: (listener) => listenToAnnouncements(client, listener),
    async close(timeoutSeconds) {
      await announcements.flush();
      await client.end({ timeout: timeoutSeconds });
    },
  };
}

/** Announces the topics of a transaction once it is committed, whichever program ran it. */
function announcing<Db extends Database>(db: Db, announcements: Announcements): Db {
  const begin = db.transaction.bind(db);
  collectTopics(db, (topic) => announcements.announce([topic]));
  db.transaction = async (work, config) => {
    const topics = new Set<Topic>();
    const answer = await begin((tx) => {
      collectTopics(tx, (topic) => topics.add(topic));
      return work(tx);
    }, config);
    if (topics.size > 0) announcements.announce(topics);
    return answer;
  };
  return db;
}
