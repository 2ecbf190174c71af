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
import postgres from 'postgres';
import type { ObserveStatement } from '../../ports/telemetry.ts';
import type { Topic } from '../announcements.ts';
import type { Database, Executor, NoRelations, Transaction } from '../executor.ts';
import type { Scopes } from '../scopes.ts';
import { hasSqlState } from '../sql-state.ts';
import { BuiltStatement } from './built-statement.ts';
import type { Plan, Values } from './plan.ts';
import { wasSeen } from './repetition.ts';

/** What the database and all of its transactions share. */
export interface SessionOptions {
  readonly pool: postgres.Sql;
  readonly observe: ObserveStatement;
  /** Called when a transaction waits for a connection. @returns a function to call when it has one, or gets none */
  readonly transactionWaits: () => () => void;
  /** Sends committed changes to the listeners. */
  readonly announce: (topics: Iterable<Topic>) => void;
  /** The scopes that row-level security policies enforce; null without. */
  readonly scopes: Scopes | null;
  /** {@link oneServer} as long as it isn't known that there are more. */
  readonly servers: () => Servers;
}

/** What statements make use of on a distributed database. */
export interface Servers {
  /** Whether the servers of organizations prepare reads. */
  readonly prepare: boolean;
  /** What the rows of tables that every server has are called on the coordinator, by the names of the tables. */
  readonly copies: ReadonlyMap<string, string>;
}

export const oneServer: Servers = { prepare: false, copies: new Map() };

/** Makes all texts: columns are snake case in the database. */
export const dialect = new PgDialect({ casing: 'snake_case' });

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

  servers(): Servers {
    return this.options.servers();
  }

  /** Announces a topic after the commit; never after a rollback. */
  abstract announce(topic: Topic): void;

  /** @param text - of a statement that the query builder wrote just now */
  protected abstract isWorthPreparing(text: string): boolean;

  /** Sends a statement. Its rows are arrays of values if the plan reads them. */
  protected abstract send(sent: Sent): PromiseLike<unknown>;

  /**
   * Runs a statement that its connection prepares. Those that are started without waiting for each other
   * are sent together, in that order.
   */
  run(plan: Plan, values: Values): Promise<unknown> {
    return this.runAs(prepared, plan, values);
  }

  /** Runs a statement that may wait for the locks of others: nothing that doesn't belong to it is sent behind it. */
  runAlone(plan: Plan, values: Values): Promise<unknown> {
    return this.run(plan, values);
  }

  /** Called by the query builder, for a statement that is run as it is. */
  prepareQuery<Config extends PreparedQueryConfig>(
    query: Query,
    fields: SelectedFieldsOrdered | undefined,
  ): PgPreparedQuery<Config> {
    const how = this.isWorthPreparing(query.sql) ? prepared : unprepared;
    const run = (plan: Plan, values: Values) => this.runAs(how, plan, values);
    return new BuiltStatement<Config>({ query, fields, run });
  }

  /** Called by the library's migrator. */
  override all<Row>(query: SQL): Promise<Row[]> {
    return this.execute(query);
  }

  // The only asynchronous function of a statement: each further one shows in the profile.
  protected async runAs(how: How, plan: Plan, values: Values): Promise<unknown> {
    const parameters = plan.parametersOf(values);
    const ended = this.options.observe(plan.text);
    try {
      const rows = await this.send({ plan, parameters: parameters as Parameters, how });
      // The driver's rows, as `send` promises them.
      const read = plan.readRows ? plan.readRows(rows as unknown[][]) : rows;
      ended(null);
      return read;
    } catch (error) {
      const failure = this.reasonOf(new DrizzleQueryError(plan.text, parameters, error as Error));
      ended(failure);
      throw failure;
    }
  }

  /** Finds out why a statement failed. */
  protected reasonOf(failure: DrizzleQueryError): DrizzleQueryError {
    return failure;
  }
}

interface Sent {
  readonly plan: Plan;
  readonly parameters: Parameters;
  readonly how: How;
}

type Parameters = postgres.ParameterOrJSON<never>[];
type How = Readonly<postgres.UnsafeQueryOptions>;
const prepared: How = { prepare: true };
const unprepared: How = { prepare: false };
/** The driver asks after sending whether its connection may take another statement meanwhile. */
const alone: How & { onexecute(): boolean } = { ...prepared, onexecute: () => false };

/** Each statement is its own transaction, on any connection of the pool. */
class PoolSession extends Session {
  announce(topic: Topic): void {
    this.options.announce([topic]);
  }

  override runAlone(plan: Plan, values: Values): Promise<unknown> {
    return this.runAs(alone, plan, values);
  }

  /** A list may stay unprepared, so that Postgres plans it for its values. */
  protected isWorthPreparing(): boolean {
    return false;
  }

  protected send(sent: Sent): PromiseLike<unknown> {
    const { pool, scopes } = this.options;
    const scope = scopes?.setting();
    if (scope === undefined) return sendOn(pool, sent);
    return pool.begin((connection) => {
      setScope(connection, scope);
      return sendOn(connection, sent);
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
  #aborting: DrizzleQueryError | null = null;

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

  protected send(sent: Sent): PromiseLike<unknown> {
    return sendOn(this.#connection, sent);
  }

  /** What was sent behind a failed statement fails with an error that tells nothing of its reason, and may be awaited first. */
  protected override reasonOf(failure: DrizzleQueryError): DrizzleQueryError {
    if (hasSqlState(failure, '25P02')) return this.#aborting ?? failure;
    if (failure.cause instanceof postgres.PostgresError) this.#aborting = failure;
    return failure;
  }

  transaction(): never {
    throw new Error('a transaction is opened on the database');
  }
}

class OpenTransaction extends PgTransaction<PostgresJsQueryResultHKT, NoRelations, NoRelations> {
  constructor(session: TransactionSession) {
    super(dialect, session, undefined);
  }

  transaction(): never {
    throw new Error('a transaction within a transaction');
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

function sendOn(
  connection: postgres.Sql | postgres.TransactionSql,
  { plan, parameters, how }: Sent,
): PromiseLike<unknown> {
  const query = connection.unsafe(plan.text, parameters, how);
  return plan.readRows ? query.values() : query;
}
