export interface LoadingSearch {
  /** Single-use code from the redirect. */
  readonly code?: string | undefined;
  readonly error?: string | undefined;
}

export function validateSearch({ code, error }: Record<string, unknown>): LoadingSearch {
  return {
    // The router parses a code of digits as a number.
    ...((typeof code === 'string' || typeof code === 'number') && { code: String(code) }),
    ...(typeof error === 'string' && { error }),
  };
}
