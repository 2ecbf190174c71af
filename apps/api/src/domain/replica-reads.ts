import type { Database } from '../db/executor.ts';
import { ReplicaAway, type ReadScope } from '../db/replica.ts';
import type { Deps } from '../deps.ts';
import { Failure } from '../kernel/errors.ts';

/** Runs a read of a scope; see {@link spreadReads}. */
export type SpreadRead<Statements> = <Answer>(
  scope: ReadScope,
  read: (statements: Statements) => Promise<Answer>,
) => Promise<Answer>;

/**
 * Sends reads to the replica when it has caught up with the primary, otherwise to the primary.
 *
 * A read sees every change of its scope that was committed before it began, by any caller. When the
 * replica fails, the primary serves the read: a read may run twice.
 *
 * @param prepare - prepares the statements of the reads on one of the two
 */
export function spreadReads<Statements>(
  { db, replica, log }: Pick<Deps, 'db' | 'replica' | 'log'>,
  prepare: (db: Database) => Statements,
): SpreadRead<Statements> {
  const onPrimary = prepare(db);
  if (!replica) return (_scope, read) => read(onPrimary);
  // A replica that was away comes back with other connections.
  const prepared = new WeakMap<Database, Statements>();

  return async (scope, read) => {
    const current = await replica.upToDate(scope);
    if (!current) return read(onPrimary);
    const statements = prepared.get(current) ?? prepare(current);
    prepared.set(current, statements);
    try {
      return await replica.during(current, read(statements));
    } catch (err) {
      if (err instanceof Failure) throw err;
      if (!(err instanceof ReplicaAway)) log.warn({ err }, 'a read failed on the replica');
      return read(onPrimary);
    }
  };
}
