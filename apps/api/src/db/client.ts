import { drizzle } from 'drizzle-orm/postgres-js';
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
import type { Database } from './executor.ts';
import * as schema from './generated/schema.ts';
import { scopedPool, type Scopes } from './scopes.ts';
import type { AroundStatement, PoolLoad } from '../ports/telemetry.ts';
import { observeStatements, prepareRepeated } from './statements.ts';

export interface DatabaseConnection {
  readonly db: Database;
  /** The underlying pool, for a library with its own statements. */
  readonly client: postgres.Sql;
  /** Listens for the commits of every process; resolves once it is connected. */
  listen(listener: ChangeListener): Promise<void>;
  /** Returns the current load of the pool. */
  load(): PoolLoad;
  /** Closes the pool; running statements get `timeoutSeconds` to finish. */
  close(timeoutSeconds: number): Promise<void>;
}

export interface DatabaseOptions {
  readonly url: string;
  /** The same database without a pooler in transaction mode, which doesn't support LISTEN; default: `url`. */
  readonly directUrl?: string | undefined;
  readonly maxConnections: number;
  readonly statementTimeoutMs: number;
  /** Lock timeout; default: the statement timeout. */
  readonly lockTimeoutMs?: number;
  /** Whether statements are prepared once per connection; default: yes. */
  readonly prepare?: boolean;
  /** The scopes that row-level security policies enforce; default: none. */
  readonly scopes?: Scopes | null;
  /** Observes every statement; default: none. */
  readonly aroundStatement?: AroundStatement | undefined;
}

/** Opens a lazy pool; the first query connects. */
export function connectDatabase(options: DatabaseOptions): DatabaseConnection {
  const client = openPool(options);
  const announcements = createAnnouncements(client);
  const pool = options.scopes ? scopedPool(client, options.scopes) : client;
  const db = drizzle(pool, { schema, casing: 'snake_case' });
  mapRowsByPlan(db._.session);
  const load = countLoad(options);
  observeStatements(db._.session, load.aroundStatement);
  const { directUrl } = options;
  // The first stream opens its one connection.
  const listening =
    directUrl === undefined ? client : openPool({ ...options, url: directUrl, maxConnections: 1 });
  return {
    client,
    db: announcing(counting(db, load), announcements),
    listen: (listener) => listenToAnnouncements(listening, listener),
    load: load.read,
    async close(timeoutSeconds) {
      await announcements.flush();
      const pools = new Set([client, listening]);
      await Promise.all([...pools].map((pool) => pool.end({ timeout: timeoutSeconds })));
    },
  };
}

function openPool(options: DatabaseOptions): postgres.Sql {
  return postgres(options.url, {
    max: options.maxConnections,
    prepare: options.prepare ?? true,
    connect_timeout: 5,
    idle_timeout: 60,
    // Recycled, so that the pool notices a fail-over or a new server.
    max_lifetime: 30 * 60,
    onnotice: () => {},
    connection: {
      application_name: 'atelier-api',
      statement_timeout: options.statementTimeoutMs,
      ...(options.lockTimeoutMs !== undefined && { lock_timeout: options.lockTimeoutMs }),
      idle_in_transaction_session_timeout: options.statementTimeoutMs,
    },
  });
}

interface LoadCounter {
  readonly aroundStatement: AroundStatement;
  /** @returns a function to call once the transaction has its connection, or fails to get one */
  transactionWaits(): () => void;
  read(): PoolLoad;
}

function countLoad({
  maxConnections,
  aroundStatement = (_text, run) => run(),
}: {
  maxConnections: number;
  aroundStatement?: AroundStatement | undefined;
}): LoadCounter {
  let underWay = 0;
  const settle = () => {
    underWay -= 1;
  };
  return {
    aroundStatement(text, run) {
      underWay += 1;
      const running = aroundStatement(text, run);
      // The caller handles rejection; here only the end matters.
      running.then(settle, settle);
      return running;
    },
    transactionWaits() {
      let isWaiting = true;
      underWay += 1;
      return () => {
        if (isWaiting) underWay -= 1;
        isWaiting = false;
      };
    },
    read: () => ({ underWay, maxConnections }),
  };
}

/** Counts waiting transactions, and observes the statements inside transactions like any other. */
function counting<Db extends Database>(db: Db, load: LoadCounter): Db {
  const begin = db.transaction.bind(db);
  db.transaction = async (work, config) => {
    const waitsNoLonger = load.transactionWaits();
    try {
      return await begin((tx) => {
        waitsNoLonger();
        prepareRepeated(tx._.session);
        observeStatements(tx._.session, load.aroundStatement);
        return work(tx);
      }, config);
    } finally {
      waitsNoLonger();
    }
  };
  return db;
}

/** Announces the topics of a transaction after its commit, whichever method ran it. */
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
