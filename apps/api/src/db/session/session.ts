import { DrizzleQueryError, type Query, type SQL } from 'drizzle-orm';
import {
  PgDatabase,
  PgDialect,
  PgSession,
  PgTransaction,
  type PgPreparedQuery,
  type PgTransactionConfig,
  type PreparedQueryConfig,
  type SelectedFieldsOrdered,
} from 'drizzle-orm/pg-core';
import type { PostgresJsQueryResultHKT } from 'drizzle-orm/postgres-js';
import type postgres from 'postgres';
import type { AroundStatement } from '../../ports/telemetry.ts';
import type { Topic } from '../announcements.ts';
import type { Database, Executor, Transaction } from '../executor.ts';
import type { Scopes } from '../scopes.ts';
import { BuiltStatement } from './built-statement.ts';
import type { Plan, Values } from './plan.ts';
import { wasSeen } from './repetition.ts';

/** What the database and all of its transactions share. */
export interface SessionOptions {
  readonly pool: postgres.Sql;
  /** Observes every statement. */
  readonly around: AroundStatement;
  /** Called when a transaction waits for a connection. @returns a function to call when it has one, or gets none */
  readonly transactionWaits: () => () => void;
  /** Sends committed changes to the listeners. */
  readonly announce: (topics: Iterable<Topic>) => void;
  /** The scopes that row-level security policies enforce; null without. */
  readonly scopes: Scopes | null;
}

/** Makes all texts: columns are snake case in the database. */
export const dialect = new PgDialect({ casing: 'snake_case' });

type NoRelations = Record<string, never>;

/**
 * Runs statements, in place of the library's own session: by plan, observed, and in the scope of their organization.
 *
 * @see docs/decisions/0051-statements-in-transactions.md
 */
export abstract class Session extends PgSession<
  PostgresJsQueryResultHKT,
  NoRelations,
  NoRelations
> {
  protected readonly options: SessionOptions;

  constructor(options: SessionOptions) {
    super(dialect);
    this.options = options;
  }

  /** Announces a topic after the commit; never after a rollback. */
  abstract announce(topic: Topic): void;

  /** @param text - of a statement that the query builder wrote just now */
  protected abstract isWorthPreparing(text: string): boolean;

  protected abstract send(plan: Plan, parameters: Parameters, how: How): Promise<unknown>;

  /**
   * Runs a statement that its connection prepares. Those that are started without waiting for each other
   * are sent together, in that order.
   */
  run(plan: Plan, values: Values): Promise<unknown> {
    return this.#run(plan, values, prepared);
  }

  /** Called by the query builder, for a statement that is run as it is. */
  prepareQuery<Config extends PreparedQueryConfig>(
    query: Query,
    fields: SelectedFieldsOrdered | undefined,
  ): PgPreparedQuery<Config> {
    const how = this.isWorthPreparing(query.sql) ? prepared : unprepared;
    const run = (plan: Plan, values: Values) => this.#run(plan, values, how);
    return new BuiltStatement<Config>({ query, fields, run });
  }

  /** Called by the library's migrator. */
  override all<Row>(query: SQL): Promise<Row[]> {
    return this.execute(query);
  }

  async #run(plan: Plan, values: Values, how: How): Promise<unknown> {
    const parameters = plan.parametersOf(values);
    return this.options.around(plan.text, async () => {
      try {
        return await this.send(plan, parameters as Parameters, how);
      } catch (error) {
        throw new DrizzleQueryError(plan.text, parameters, error as Error);
      }
    });
  }
}

type Parameters = postgres.ParameterOrJSON<never>[];
type How = Readonly<postgres.UnsafeQueryOptions>;
const prepared: How = { prepare: true };
const unprepared: How = { prepare: false };

/** Each statement is its own transaction, on any connection of the pool. */
class PoolSession extends Session {
  announce(topic: Topic): void {
    this.options.announce([topic]);
  }

  /** A list may stay unprepared, so that Postgres plans it for its values. */
  protected isWorthPreparing(): boolean {
    return false;
  }

  protected send(plan: Plan, parameters: Parameters, how: How): Promise<unknown> {
    const { pool, scopes } = this.options;
    const scope = scopes?.setting();
    if (scope === undefined) return rowsOf(pool, { plan, parameters, how });
    return pool.begin((connection) => {
      setScope(connection, scope);
      return rowsOf(connection, { plan, parameters, how });
    });
  }

  async transaction<Result>(
    work: (tx: Transaction) => Promise<Result>,
    config?: PgTransactionConfig,
  ): Promise<Result> {
    const { pool, scopes, transactionWaits, announce } = this.options;
    const scope = scopes?.setting();
    const topics = new Set<Topic>();
    const waitsNoLonger = transactionWaits();
    let result: Result;
    try {
      // The driver's type unwraps arrays of promises; this is none.
      result = (await pool.begin(async (connection) => {
        waitsNoLonger();
        if (scope !== undefined) setScope(connection, scope);
        const tx = new OpenTransaction(new TransactionSession(this.options, connection, topics));
        if (config) await tx.setTransaction(config);
        return work(tx);
      })) as Result;
    } finally {
      waitsNoLonger();
    }
    if (topics.size > 0) announce(topics);
    return result;
  }
}

/** All statements on the one connection of a transaction. */
class TransactionSession extends Session {
  readonly #connection: postgres.TransactionSql;
  readonly #topics: Set<Topic>;

  constructor(options: SessionOptions, connection: postgres.TransactionSql, topics: Set<Topic>) {
    super(options);
    this.#connection = connection;
    this.#topics = topics;
  }

  announce(topic: Topic): void {
    this.#topics.add(topic);
  }

  /** For an unprepared one the driver first asks for its parameter types, and Postgres plans it again. */
  protected isWorthPreparing(text: string): boolean {
    return wasSeen(text);
  }

  protected send(plan: Plan, parameters: Parameters, how: How): Promise<unknown> {
    return rowsOf(this.#connection, { plan, parameters, how });
  }

  transaction(): never {
    throw new Error('a transaction within a transaction');
  }
}

class OpenTransaction extends PgTransaction<PostgresJsQueryResultHKT, NoRelations, NoRelations> {
  readonly #session: Session;

  constructor(session: Session) {
    super(dialect, session, undefined);
    this.#session = session;
  }

  transaction<Result>(work: (tx: Transaction) => Promise<Result>): Promise<Result> {
    return this.#session.transaction(work);
  }
}

/** Opens the query builder on a pool. */
export function openDatabase(options: SessionOptions): Database {
  return new PgDatabase(dialect, new PoolSession(options), undefined);
}

/** Returns the session of a database or a transaction. */
export function sessionOf(executor: Executor): Session {
  const { session } = executor._;
  if (session instanceof Session) return session;
  throw new Error('not a database of connectDatabase, nor a transaction of one');
}

/** Ends with its transaction, so that no connection keeps it when a pooler reuses the connection. */
function setScope(connection: postgres.TransactionSql, scope: string): void {
  // Pipelined with the next statement. If it fails, the driver fails the transaction.
  void connection.unsafe(`set local atelier.organizations = '${scope}'`).execute();
}

interface Sent {
  readonly plan: Plan;
  readonly parameters: Parameters;
  readonly how: How;
}

async function rowsOf(
  connection: postgres.Sql | postgres.TransactionSql,
  { plan, parameters, how }: Sent,
): Promise<unknown> {
  const query = connection.unsafe(plan.text, parameters, how);
  return plan.readRows ? plan.readRows(await query.values()) : query;
}
