import { AsyncLocalStorage } from 'node:async_hooks';
import type postgres from 'postgres';

/** The organizations whose rows statements read and change. */
export type Reach = 'everywhere' | readonly string[];

/** Sets the scope of statements, which row-level security policies enforce. */
export interface Scopes {
  /** Runs work with this scope, and only this one, until it settles. */
  within<Result>(reach: Reach, work: () => Promise<Result>): Promise<Result>;
  /** Returns the setting that the policies read; undefined outside of any scope, where no rows are visible. */
  setting(): string | undefined;
}

/** @see docs/decisions/0033-database-roles-and-row-level-security.md */
export function createScopes(): Scopes {
  const settings = new AsyncLocalStorage<string>();
  return {
    // A builder of the library runs when it is awaited, which has to happen inside the scope.
    within: (reach, work) => settings.run(settingOf(reach), async () => await work()),
    setting: () => settings.getStore(),
  };
}

function settingOf(reach: Reach): string {
  if (reach === 'everywhere') return '*';
  // SET takes no parameters.
  if (!reach.every((id) => /^[\da-f-]{36}$/.test(id))) throw new Error('not ids of organizations');
  return reach.join(',');
}

/** Runs work across organizations. @param scopes - null without row-level security */
export function everywhere<Result>(
  scopes: Scopes | null,
  work: () => Promise<Result>,
): Promise<Result> {
  return scopes === null ? work() : scopes.within('everywhere', work);
}

type Asynchronous = (...given: never[]) => Promise<unknown>;

/** Wraps functions so that each of them runs across organizations. */
export function eachEverywhere<Functions extends object>(
  scopes: Scopes | null,
  functions: Functions,
): Functions {
  if (scopes === null) return functions;
  const wrapped = Object.entries(functions).map(([name, run]: [string, Asynchronous]) => [
    name,
    (...given: never[]) => scopes.within('everywhere', () => run(...given)),
  ]);
  // The same functions under the same names.
  return Object.fromEntries(wrapped) as Functions;
}

/**
 * Creates a pool whose statements send the database their scope. The setting ends with its transaction, so that no
 * connection keeps it when a pooler reuses the connection; a statement outside of a transaction
 * gets its own.
 */
export function scopedPool(pool: postgres.Sql, scopes: Scopes): postgres.Sql {
  const begin = <Result>(work: (tx: postgres.TransactionSql) => Result | Promise<Result>) => {
    const setting = scopes.setting();
    if (setting === undefined) return pool.begin(work);
    return pool.begin((tx) => {
      // Pipelined with the next statement. If it fails, the driver fails the transaction.
      void tx.unsafe(`set local atelier.organizations = '${setting}'`).execute();
      return work(tx);
    });
  };
  const unsafe: postgres.Sql['unsafe'] = (...statement) =>
    scopes.setting() === undefined
      ? pool.unsafe(...statement)
      : pending(
          () => begin((tx) => tx.unsafe(...statement)),
          () => begin((tx) => tx.unsafe(...statement).values()),
        );
  return new Proxy(pool, {
    get: (target, name): unknown => {
      if (name === 'begin') return begin;
      return name === 'unsafe' ? unsafe : Reflect.get(target, name);
    },
  });
}

/** The part of the driver's queries that the library uses: they run when awaited, and return objects or arrays. */
function pending<Row extends readonly unknown[]>(
  objects: () => Promise<unknown>,
  arrays: () => Promise<unknown>,
): postgres.PendingQuery<Row & postgres.MaybeRow[]> {
  const query = {
    // oxlint-disable-next-line unicorn/no-thenable -- what the driver answers with is one
    then: (...handlers: Parameters<Promise<unknown>['then']>) => objects().then(...handlers),
    values: arrays,
  };
  return query as unknown as postgres.PendingQuery<Row & postgres.MaybeRow[]>;
}
