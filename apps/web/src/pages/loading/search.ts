export interface LoadingSearch {
  /** The single-use code of the redirect. */
  readonly code?: string | undefined;
  readonly error?: string | undefined;
}

export function validateSearch({ code, error }: Record<string, unknown>): LoadingSearch {
  return {
    // A code of digits alone is read as a number.
    ...((typeof code === 'string' || typeof code === 'number') && { code: String(code) }),
    ...(typeof error === 'string' && { error }),
  };
}
