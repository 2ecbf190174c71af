import { AsyncLocalStorage } from 'node:async_hooks';
import type postgres from 'postgres';

/** Of which organizations statements see and change rows. */
export type Reach = 'everywhere' | readonly string[];

/** Who may see what, where policies of the database hold statements to it. */
export interface Scopes {
  /** Runs work whose statements have this reach, and no other, until it settles. */
  within<Result>(reach: Reach, work: () => Promise<Result>): Promise<Result>;
  /** What the policies go by here and now; undefined outside of any scope, where nothing is to be seen. */
  setting(): string | undefined;
}

/** @see docs/decisions/0033-database-roles-and-row-level-security.md */
export function createScopes(): Scopes {
  const settings = new AsyncLocalStorage<string>();
  return {
    // A builder of the library runs when it is waited for, which has to be in here.
    within: (reach, work) => settings.run(settingOf(reach), async () => await work()),
    setting: () => settings.getStore(),
  };
}

function settingOf(reach: Reach): string {
  if (reach === 'everywhere') return '*';
  // A statement of this kind takes no parameters.
  if (!reach.every((id) => /^[\da-f-]{36}$/.test(id))) throw new Error('not ids of organizations');
  return reach.join(',');
}

/** Work of no single organization. @param scopes - null where no policies hold anybody to one */
export function everywhere<Result>(
  scopes: Scopes | null,
  work: () => Promise<Result>,
): Promise<Result> {
  return scopes === null ? work() : scopes.within('everywhere', work);
}

type Asynchronous = (...given: never[]) => Promise<unknown>;

/** Functions each of which is work of no single organization, whoever calls it. */
export function eachEverywhere<Functions extends object>(
  scopes: Scopes | null,
  functions: Functions,
): Functions {
  if (scopes === null) return functions;
  const wrapped = Object.entries(functions).map(([name, run]: [string, Asynchronous]) => [
    name,
    (...given: never[]) => scopes.within('everywhere', () => run(...given)),
  ]);
  // The same functions by the same names.
  return Object.fromEntries(wrapped) as Functions;
}

/**
 * A pool whose statements tell the database the scope that they are sent in. The setting ends with its
 * transaction, so that nothing is kept by a connection that a pooler may give to somebody else; a statement
 * without one gets a transaction of its own.
 */
export function scopedPool(pool: postgres.Sql, scopes: Scopes): postgres.Sql {
  const begin = <Result>(work: (tx: postgres.TransactionSql) => Result | Promise<Result>) => {
    const setting = scopes.setting();
    if (setting === undefined) return pool.begin(work);
    return pool.begin((tx) => {
      // Sent with what follows. Should it fail, the driver fails the transaction.
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

/** As much of the driver's queries as the library uses: run when they are waited for, for objects or arrays. */
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
