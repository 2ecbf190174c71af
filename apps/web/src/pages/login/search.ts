export interface LoginSearch {
  /** Where to go on afterwards: a path of this app. */
  readonly redirect?: string | undefined;
  /** An address to start with. */
  readonly email?: string | undefined;
}

export function validateSearch({ redirect, email }: Record<string, unknown>): LoginSearch {
  return {
    ...(isOwnPath(redirect) && { redirect }),
    ...(typeof email === 'string' && { email }),
  };
}

/** Nobody is led away to another host, which `//host` and `/\host` would do. */
function isOwnPath(value: unknown): value is string {
  return typeof value === 'string' && /^\/(?![/\\])/.test(value);
}
