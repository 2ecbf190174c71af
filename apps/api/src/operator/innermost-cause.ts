/** Returns the innermost cause of an error: the outer ones contain statements and their parameters. */
export function innermostCause(error: unknown): { code: string | null; message: string } {
  let cause = error;
  while (cause instanceof Error && cause.cause instanceof Error) cause = cause.cause;
  return {
    code: cause instanceof Error && 'code' in cause ? String(cause.code) : null,
    message: cause instanceof Error ? cause.message : 'unknown reason',
  };
}
