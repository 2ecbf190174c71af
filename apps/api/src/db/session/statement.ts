import { getTableColumns, sql, type Query, type SQL, type SQLWrapper } from 'drizzle-orm';
import {
  PgDatabase,
  PgSession,
  type PgPreparedQuery,
  type PgTable,
  type PreparedQueryConfig,
  type SelectedFieldsOrdered,
} from 'drizzle-orm/pg-core';
import type { PostgresJsQueryResultHKT } from 'drizzle-orm/postgres-js';
import type { Database, Executor } from '../executor.ts';
import { BuiltStatement } from './built-statement.ts';
import { allOnTheirServer, onItsServer, type Read } from './on-its-server.ts';
import type { Plan, Values } from './plan.ts';
import { ofCopies } from './of-copies.ts';
import { dialect, sessionOf, type Servers } from './session.ts';

/**
 * Runs a statement: in a transaction, or on the database, where it is its own transaction.
 *
 * @param values - of its placeholders
 * @returns its rows
 */
export type Statement<Rows> = (executor: Executor, values?: Values) => Promise<Rows>;

/** A query builder with all that its statement needs. */
interface Complete<Rows> extends SQLWrapper {
  prepare(name: string): { execute(values?: Record<string, unknown>): Promise<Rows> };
}

/**
 * Declares a statement with placeholders for its values. The query builder writes it once, at the first use, and
 * each connection prepares it once. Statements that are started without waiting for each other are sent together, in
 * that order.
 *
 * ```ts
 * const titleOf = statement((db) =>
 *   db.select({ title: tasks.title }).from(tasks).where(eq(tasks.id, sql.placeholder('id'))),
 * );
 * const [task] = await titleOf(tx, { id });
 * ```
 *
 * @param build - completes a query of the builder; it runs once, on no database
 * @see docs/decisions/0051-statements-in-transactions.md
 */
export function statement<Rows>(build: (db: Database) => Complete<Rows>): Statement<Rows> {
  return declared(build, (executor, plan, values) => sessionOf(executor).run(plan, values));
}

/**
 * Declares a read of one organization like {@link statement}; its values include `organizationId`. A distributed database
 * would plan it twice with each call, unless it reads a single table. So the server of the organization prepares it, and
 * plans it once for all values: for reads whose rows indexes find. One Postgres runs it as any other statement.
 *
 * @see docs/decisions/0112-reads-that-servers-prepare.md
 */
export function preparedRead<Rows>(build: (db: Database) => Complete<Rows>): Statement<Rows> {
  let read: Read | undefined;
  let prepared: Plan | undefined;
  return (executor, values = {}) => {
    read ??= readOf(build(builder));
    const session = sessionOf(executor);
    const plan = session.servers().prepare ? (prepared ??= onItsServer(read)) : read.plan;
    return session.run(plan, values) as Promise<Rows>;
  };
}

/**
 * Declares two reads like {@link preparedRead} that are wanted together, with the same values. A distributed database runs them in
 * one call, because the way to the server of an organization takes longer than a short read; one Postgres at the same time.
 */
export function preparedReads<First, Second>(
  build: (db: Database) => readonly [Complete<First>, Complete<Second>],
): Statement<readonly [First, Second]> {
  let reads: readonly Read[] | undefined;
  let prepared: Plan | undefined;
  return (executor, values = {}) => {
    reads ??= build(builder).map(readOf);
    const session = sessionOf(executor);
    const rows = session.servers().prepare
      ? session.run((prepared ??= allOnTheirServer(reads)), values)
      : Promise.all(reads.map(({ plan }) => session.run(plan, values)));
    return rows as Promise<readonly [First, Second]>;
  };
}

/**
 * Declares a read like {@link statement} of what the coordinator of a distributed database has itself: tables without
 * organizations. Citus would plan one with tables of every server at each call.
 *
 * @see docs/decisions/0114-reads-of-the-coordinator.md
 */
export function coordinatorRead<Rows>(build: (db: Database) => Complete<Rows>): Statement<Rows> {
  let known: { readonly copies: Servers['copies']; readonly plan: Plan } | undefined;
  return declared(build, (executor, plan, values) => {
    const session = sessionOf(executor);
    const { copies } = session.servers();
    if (copies.size === 0) return session.run(plan, values);
    if (known?.copies !== copies) known = { copies, plan: ofCopies(plan, copies) };
    return session.run(known.plan, values);
  });
}

/**
 * Declares a statement like {@link statement} that is its own transaction and takes locks. While it waits for those of others,
 * no other request's statement waits behind it on its connection.
 */
export function lockingStatement<Rows>(build: (db: Database) => Complete<Rows>): Statement<Rows> {
  return declared(build, (executor, plan, values) => sessionOf(executor).runAlone(plan, values));
}

function declared<Rows>(
  build: (db: Database) => Complete<Rows>,
  run: (executor: Executor, plan: Plan, values: Values) => Promise<unknown>,
): Statement<Rows> {
  let plan: Plan | undefined;
  return (executor, values = {}) => {
    plan ??= planOfBuilt(build(builder));
    // The query builder's type of the rows that this plan reads.
    return run(executor, plan, values) as Promise<Rows>;
  };
}

/**
 * Declares statements like {@link statement}, whose text depends on a shape: one for each, written at its first use.
 *
 * @param build - the same for shapes with the same JSON; there are a few hundred of them at most
 */
export function statementByShape<Shape, Rows>(
  build: (db: Database, shape: Shape) => Complete<Rows>,
): StatementByShape<Shape, Rows> {
  return byShape((shape: Shape) => statement((db) => build(db, shape)));
}

/** One of several statements, by its shape. */
type StatementByShape<Shape, Rows> = (
  executor: Executor,
  shape: Shape,
  values?: Values,
) => Promise<Rows>;

/** Declares others so. @param declare - called once for shapes with the same JSON */
export function byShape<Shape, Rows>(
  declare: (shape: Shape) => Statement<Rows>,
): StatementByShape<Shape, Rows> {
  const statements = new Map<string, Statement<Rows>>();
  return (executor, shape, values) => {
    const name = JSON.stringify(shape);
    const known = statements.get(name) ?? declare(shape);
    statements.set(name, known);
    return known(executor, values);
  };
}

function readOf(query: Complete<unknown>): Read {
  return { query, plan: planOfBuilt(query) };
}

function planOfBuilt(complete: Complete<unknown>): Plan {
  const built = complete.prepare('statement');
  if (!(built instanceof BuiltStatement)) throw new Error('not built by the given query builder');
  return built.plan;
}

/** Of the query builder that only writes statements. */
class UnconnectedSession extends PgSession<PostgresJsQueryResultHKT> {
  prepareQuery<Config extends PreparedQueryConfig>(
    query: Query,
    fields: SelectedFieldsOrdered | undefined,
  ): PgPreparedQuery<Config> {
    return new BuiltStatement<Config>({ query, fields, run: async () => unconnected() });
  }

  transaction(): never {
    return unconnected();
  }
}

function unconnected(): never {
  throw new Error('this query builder has no database: return the query without running it');
}

const builder: Database = new PgDatabase(dialect, new UnconnectedSession(dialect), undefined);

/** Builds placeholders with the names of these columns, to insert the values of a row. */
export function placeholdersOf<
  Table extends PgTable,
  Name extends keyof Table['_']['columns'] & string,
>(table: Table, names: readonly Name[]): Record<Name, SQL> {
  const columns = getTableColumns(table);
  const placeholders = names.map((name) => {
    const encoder = {
      // The library omits values that are known to be null, and passes all others to the column's encoder.
      mapToDriverValue: (value: unknown): unknown =>
        value === null ? null : columns[name]?.mapToDriverValue(value),
    };
    return [name, sql`${sql.param(sql.placeholder(name), encoder)}`] as const;
  });
  // Built from the names.
  return Object.fromEntries(placeholders) as Record<Name, SQL>;
}
