import postgres from 'postgres';
import {
  createAnnouncements,
  listenToAnnouncements,
  type ChangeListener,
} from './announcements.ts';
import { distributionProbe } from './citus.ts';
import type { Database } from './executor.ts';
import type { Scopes } from './scopes.ts';
import type { ObserveStatement, PoolLoad } from '../ports/telemetry.ts';
import { openDatabase } from './session/session.ts';

export interface DatabaseConnection {
  readonly db: Database;
  /**
   * The same database on few connections of its own, for statements that are short and don't wait for a connection of the
   * pool: what every request reads first, who calls, and jobs that are moved while a transaction holds their lock. Few
   * connections that are always busy ask less of Postgres than many that wake up in turn. With scopes it is `db`: a scope
   * needs a transaction, and statements of transactions aren't pipelined.
   */
  readonly quickDb: Database;
  /**
   * The same database on connections that use generic plans: each statement is planned once and not for its values, for
   * reads whose planning takes as long as reading. It is `db` with scopes, without prepared statements, and behind a
   * pooler, which may refuse the setting.
   */
  readonly genericPlanDb: Database;
  /** Whether rows of organizations may be on other servers; asks at the first call, and once more after a failure. */
  readonly isDistributed: () => Promise<boolean>;
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
  /** Whether the server is one that takes writes, and is refused otherwise; default: yes. */
  readonly isPrimary?: boolean;
  /** Whether statements are prepared once per connection; default: yes. */
  readonly prepare?: boolean;
  /** The scopes that row-level security policies enforce; default: none. */
  readonly scopes?: Scopes | null;
  /** Observes every statement; default: none. */
  readonly observeStatement?: ObserveStatement | undefined;
}

/** Two: one continues while the other is opened anew. */
const quickConnections = 2;

/** Their statements are pipelined: each connection is for one that Postgres works on. */
const genericPlanConnections = 4;

/** Opens lazy pools; the first query connects. */
export function connectDatabase(options: DatabaseOptions): DatabaseConnection {
  const client = openPool(options);
  const announcements = createAnnouncements(client);
  const load = countLoad(options);
  const { directUrl, scopes = null } = options;
  const probe = distributionProbe(() => db);
  const session = {
    observe: load.observeStatement,
    transactionWaits: load.transactionWaits,
    announce: announcements.announce,
    scopes,
    servers: probe.servers,
  };
  const db = openDatabase({ ...session, pool: client });
  const quickPool = scopes ? client : openPool({ ...options, maxConnections: quickConnections });
  const plansForValues = scopes !== null || directUrl !== undefined || options.prepare === false;
  const genericPlanPool = plansForValues
    ? client
    : openPool(
        { ...options, maxConnections: genericPlanConnections },
        { plan_cache_mode: 'force_generic_plan' },
      );
  // The first stream opens its one connection.
  const listening =
    directUrl === undefined ? client : openPool({ ...options, url: directUrl, maxConnections: 1 });
  return {
    client,
    db,
    quickDb: openDatabase({ ...session, pool: quickPool }),
    genericPlanDb: openDatabase({ ...session, pool: genericPlanPool }),
    isDistributed: probe.isDistributed,
    listen: (listener) => listenToAnnouncements(listening, listener),
    load: load.read,
    async close(timeoutSeconds) {
      await announcements.flush();
      const pools = new Set([client, quickPool, genericPlanPool, listening]);
      await Promise.all([...pools].map((pool) => pool.end({ timeout: timeoutSeconds })));
    },
  };
}

function openPool(
  options: DatabaseOptions,
  settings: Readonly<Record<string, string>> = {},
): postgres.Sql {
  return postgres(options.url, {
    max: options.maxConnections,
    prepare: options.prepare ?? true,
    // A server in recovery is refused: the address leads to it until its balancer notices that it lost its role.
    ...((options.isPrimary ?? true) && { target_session_attrs: 'primary' as const }),
    connect_timeout: 5,
    // Connections that broke together come back together; the driver's own pause grows to 20 s with their number.
    backoff: (retries) => Math.min(0.01 * 2 ** retries, maxPauseSeconds),
    // The server ends a statement earlier, unless the path to it is silent.
    response_timeout: responseTimeoutMsOf(options.statementTimeoutMs) / 1000,
    keep_alive: keepAliveSeconds,
    is_unusable: ({ code }) => code === readOnly,
    idle_timeout: 60,
    // Recycled, so that the pool notices a fail-over or a new server.
    max_lifetime: 30 * 60,
    onnotice: () => {},
    types: { ...asText },
    connection: {
      application_name: 'atelier-api',
      statement_timeout: options.statementTimeoutMs,
      ...(options.lockTimeoutMs !== undefined && { lock_timeout: options.lockTimeoutMs }),
      idle_in_transaction_session_timeout: options.statementTimeoutMs,
      ...settings,
    },
  });
}

/** Maximum pause before a connection that could not be opened is tried again. */
const maxPauseSeconds = 0.25;
/** Idle time after which the system asks whether the other side is there; ten unanswered seconds end the connection. */
const keepAliveSeconds = 10;
/** The SQLSTATE of a write on a server that has become read-only: another connection may lead to the one that isn't. */
const readOnly = '25006';

/** Returns how long a client waits for a response, in milliseconds: somewhat longer than the server works on it. */
export function responseTimeoutMsOf(statementTimeoutMs: number): number {
  return statementTimeoutMs + 2_000;
}

const unchanged = (value: unknown) => value;

/** The query builder's columns encode and decode dates and times, and encode JSON. */
const asText = {
  dates: {
    to: 1184,
    // date, time, timestamp and interval, and arrays of them
    from: [1184, 1082, 1083, 1114, 1182, 1185, 1115, 1231],
    serialize: unchanged,
    parse: unchanged,
  },
  json: { to: 114, from: [114, 3802], serialize: unchanged, parse: JSON.parse },
};

interface LoadCounter {
  readonly observeStatement: ObserveStatement;
  /** @returns a function to call once the transaction has its connection, or fails to get one */
  transactionWaits(): () => void;
  read(): PoolLoad;
}

function countLoad({
  maxConnections,
  observeStatement,
}: {
  maxConnections: number;
  observeStatement?: ObserveStatement | undefined;
}): LoadCounter {
  let underWay = 0;
  return {
    observeStatement(text) {
      underWay += 1;
      const ended = observeStatement?.(text);
      return (error) => {
        underWay -= 1;
        ended?.(error);
      };
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
