import { getTableColumns, sql, type SQL } from 'drizzle-orm';
import type { PgSession, PgTable } from 'drizzle-orm/pg-core';
import type { Executor, Transaction } from './executor.ts';
import { mapperOf } from './rows.ts';

type Written = Parameters<PgSession['prepareQuery']>;
type Session = Pick<PgSession, 'prepareQuery'>;

/**
 * Prepares a statement for use in transactions, each of which is its own session: the query builder runs once, and
 * any session executes the result. Statements that are started without awaiting each other are pipelined in that order.
 *
 * @param write - ends with `.prepare(name)`, with placeholders for values; its fields aren't nested
 * @returns the statement, bound to a session
 * @see docs/decisions/0051-statements-in-transactions.md
 */
export function writtenOnce<Statement>(
  write: (executor: Executor) => Statement,
): (executor: Executor) => Statement {
  let written: Written | undefined;
  return (executor) => {
    const session = sessionOf(executor);
    written ??= whatIsPrepared(session, () => write(executor));
    // Every session gives the same text the same type.
    return session.prepareQuery(...written) as Statement;
  };
}

/** The part of a session that this needs: it prepares a statement with a plan for its rows. */
function whatIsPrepared(session: Session, meanwhile: () => unknown): Written {
  let prepared: Written | undefined;
  const own = session.prepareQuery;
  const prepareQuery = own.bind(session);
  session.prepareQuery = (...given: Written) => {
    prepared = given;
    return prepareQuery(...given);
  };
  try {
    meanwhile();
  } finally {
    session.prepareQuery = own;
  }
  if (!prepared)
    throw new Error('A statement that is to be written once ends with `.prepare(name)`');
  const [query, fields, name, isArray, , ...rest] = prepared;
  const mapper = mapperOf(fields);
  if (fields && !mapper) throw new Error(`Nested fields can't be written once: ${query.sql}`);
  return [query, fields, name, isArray, mapper, ...rest];
}

function sessionOf(executor: Executor): Session {
  // Every executor has a session; the callers' type omits it.
  return (executor as Transaction)._.session;
}

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
