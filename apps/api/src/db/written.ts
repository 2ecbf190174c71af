import { getTableColumns, sql, type SQL } from 'drizzle-orm';
import type { PgSession, PgTable } from 'drizzle-orm/pg-core';
import type { Executor, Transaction } from './executor.ts';
import { mapperOf } from './rows.ts';

type Written = Parameters<PgSession['prepareQuery']>;
type Session = Pick<PgSession, 'prepareQuery'>;

/**
 * A statement for transactions, each of which is a session of its own: the query builder writes it once, and
 * any session runs it. Several that are run without waiting for each other are sent together, in that order.
 *
 * @param write - ends with `.prepare(name)`, with placeholders where values go; its fields aren't nested
 * @returns the statement on a session
 * @see docs/decisions/0051-statements-in-transactions.md
 */
export function writtenOnce<Statement>(
  write: (executor: Executor) => Statement,
): (executor: Executor) => Statement {
  let written: Written | undefined;
  return (executor) => {
    const session = sessionOf(executor);
    written ??= whatIsPrepared(session, () => write(executor));
    // What any session makes of the same text has the same type.
    return session.prepareQuery(...written) as Statement;
  };
}

/** What a session is given to prepare meanwhile, with a plan for its rows. */
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
  // Whatever executes statements has one; what callers need of it leaves that out.
  return (executor as Transaction)._.session;
}

/** The placeholders of these columns, named as they are: what a row's values are filled in for. */
export function placeholdersOf<
  Table extends PgTable,
  Name extends keyof Table['_']['columns'] & string,
>(table: Table, names: readonly Name[]): Record<Name, SQL> {
  const columns = getTableColumns(table);
  const placeholders = names.map((name) => {
    const encoder = {
      // The library leaves out values that are known to be null, and asks the column about all others.
      mapToDriverValue: (value: unknown): unknown =>
        value === null ? null : columns[name]?.mapToDriverValue(value),
    };
    return [name, sql`${sql.param(sql.placeholder(name), encoder)}`] as const;
  });
  // Made of the names.
  return Object.fromEntries(placeholders) as Record<Name, SQL>;
}
