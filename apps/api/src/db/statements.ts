import type { PgSession } from 'drizzle-orm/pg-core';
import { LRUCache } from 'lru-cache';
import type { AroundStatement } from '../ports/telemetry.ts';

interface Executable {
  execute(placeholderValues?: Record<string, unknown>): Promise<unknown>;
}

/** More than the service's frequent statements; a list of values creates a text for each length. */
const mostRepeated = 500;
const repeated = new LRUCache<string, true>({ max: mostRepeated });

/**
 * Makes a session prepare every statement whose text has run before, in any session: for an unprepared one the driver
 * first asks for its parameter types, and Postgres plans it again.
 *
 * For transactions. A statement with a list may stay unprepared so that Postgres plans it for its values.
 */
export function prepareRepeated(session: Pick<PgSession, 'prepareQuery'>): void {
  const prepareQuery = session.prepareQuery.bind(session);
  session.prepareQuery = (...given: Parameters<PgSession['prepareQuery']>) => {
    const [query, fields, name, ...rest] = given;
    return prepareQuery(query, fields, name ?? repeatedName(query.sql), ...rest);
  };
}

/** @returns undefined the first time; the driver assigns its own names */
function repeatedName(text: string): string | undefined {
  if (repeated.get(text)) return 'repeated';
  repeated.set(text, true);
  return undefined;
}

/** Wraps every statement of a session in `around`. */
export function observeStatements(
  session: Pick<PgSession, 'prepareQuery'>,
  around: AroundStatement,
): void {
  const prepareQuery = session.prepareQuery.bind(session);
  session.prepareQuery = (...given: Parameters<PgSession['prepareQuery']>) =>
    observed(prepareQuery(...given), (run) => around(given[0].sql, run));
}

function observed<Prepared extends Executable>(
  prepared: Prepared,
  around: <Result>(run: () => Promise<Result>) => Promise<Result>,
): Prepared {
  const execute = prepared.execute.bind(prepared);
  prepared.execute = (...values) => around(() => execute(...values));
  return prepared;
}
