export interface LoginSearch {
  /** Path of this app to continue at. */
  readonly redirect?: string | undefined;
  /** Prefills the form. */
  readonly email?: string | undefined;
}

export function validateSearch({ redirect, email }: Record<string, unknown>): LoginSearch {
  return {
    ...(isOwnPath(redirect) && { redirect }),
    ...(typeof email === 'string' && { email }),
  };
}

/** Prevents open redirects: `//host` and `/\host` lead to another host. */
function isOwnPath(value: unknown): value is string {
  return typeof value === 'string' && /^\/(?![/\\])/.test(value);
}
