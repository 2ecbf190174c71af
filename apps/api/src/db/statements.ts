import type { PgSession } from 'drizzle-orm/pg-core';
import { LRUCache } from 'lru-cache';
import type { AroundStatement } from '../ports/telemetry.ts';

interface Executable {
  execute(placeholderValues?: Record<string, unknown>): Promise<unknown>;
}

/** More than the service has that are run often; a list of values makes a text for each length. */
const mostRepeated = 500;
const repeated = new LRUCache<string, true>({ max: mostRepeated });

/**
 * Has a session prepare every statement whose text came before, in any session: the driver asks for the
 * types of one that isn't prepared first, and Postgres plans it anew.
 *
 * For transactions. A list may be left unprepared so that it is planned for its values.
 */
export function prepareRepeated(session: Pick<PgSession, 'prepareQuery'>): void {
  const prepareQuery = session.prepareQuery.bind(session);
  session.prepareQuery = (...given: Parameters<PgSession['prepareQuery']>) => {
    const [query, fields, name, ...rest] = given;
    return prepareQuery(query, fields, name ?? repeatedName(query.sql), ...rest);
  };
}

/** @returns undefined for the first time; the driver has names of its own */
function repeatedName(text: string): string | undefined {
  if (repeated.get(text)) return 'repeated';
  repeated.set(text, true);
  return undefined;
}

/** Has every statement of a session run by way of `around`. */
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
