/** Tells whether the database refused a statement of the query builder with a code of https://www.postgresql.org/docs/current/errcodes-appendix.html. */
export function hasSqlState(error: unknown, sqlState: string): boolean {
  return (
    error instanceof Error &&
    error.cause instanceof Error &&
    'code' in error.cause &&
    error.cause.code === sqlState
  );
}
