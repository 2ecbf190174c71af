import type { Database } from '../db/executor.ts';
import { ReplicaAway, type ReadScope } from '../db/replica.ts';
import type { Deps } from '../deps.ts';
import { Failure } from '../kernel/errors.ts';

/** Runs a read of a scope; see {@link replicaReads}. */
export type SpreadRead = <Result>(
  scope: ReadScope,
  read: (db: Database) => Promise<Result>,
) => Promise<Result>;

/**
 * Sends reads to the replica when it has caught up with the primary, otherwise to the primary.
 *
 * A read sees every change of its scope that was committed before it began, by any caller. When the
 * replica fails, the primary serves the read: a read may run twice.
 */
export function replicaReads({
  db,
  replica,
  log,
}: Pick<Deps, 'db' | 'replica'> & { readonly log: Pick<Deps['log'], 'warn'> }): SpreadRead {
  if (!replica) return (_scope, read) => read(db);

  return async (scope, read) => {
    const current = await replica.upToDate(scope);
    if (!current) return read(db);
    try {
      return await replica.during(current, read(current));
    } catch (err) {
      if (err instanceof Failure) throw err;
      if (!(err instanceof ReplicaAway)) log.warn({ err }, 'a read failed on the replica');
      return read(db);
    }
  };
}
