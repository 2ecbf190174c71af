import { AsyncLocalStorage } from 'node:async_hooks';

/** The organizations whose rows statements read and change. */
export type Visibility = 'everywhere' | readonly string[];

/** Sets the scope of statements, which row-level security policies enforce. */
export interface Scopes {
  /** Runs work with this scope, and only this one, until it settles. */
  within<Result>(visibility: Visibility, work: () => Promise<Result>): Promise<Result>;
  /** Returns the setting that the policies read; undefined outside of any scope, where no rows are visible. */
  setting(): string | undefined;
}

/** @see docs/decisions/0033-database-roles-and-row-level-security.md */
export function createScopes(): Scopes {
  const settings = new AsyncLocalStorage<string>();
  return {
    // A builder of the library runs when it is awaited, which has to happen inside the scope.
    within: (visibility, work) => settings.run(settingOf(visibility), async () => await work()),
    setting: () => settings.getStore(),
  };
}

function settingOf(visibility: Visibility): string {
  if (visibility === 'everywhere') return '*';
  // SET takes no parameters.
  if (!visibility.every((id) => /^[\da-f-]{36}$/.test(id)))
    throw new Error('not ids of organizations');
  return visibility.join(',');
}

/** Runs work on the rows of some organizations. @param scopes - null without row-level security */
export function withinReach<Result>(
  scopes: Scopes | null,
  visibility: Visibility,
  work: () => Promise<Result>,
): Promise<Result> {
  return scopes === null ? work() : scopes.within(visibility, work);
}

/** Runs work across organizations. @param scopes - null without row-level security */
export function everywhere<Result>(
  scopes: Scopes | null,
  work: () => Promise<Result>,
): Promise<Result> {
  return withinReach(scopes, 'everywhere', work);
}

/** Runs work on the rows of one organization. @param scopes - null without row-level security */
export function withinOrganization<Result>(
  scopes: Scopes | null,
  organizationId: string,
  work: () => Promise<Result>,
): Promise<Result> {
  return withinReach(scopes, [organizationId], work);
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
