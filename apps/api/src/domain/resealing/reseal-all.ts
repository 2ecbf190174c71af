import type { FastifyBaseLogger } from 'fastify';
import type { SealedPage } from './queries.ts';

const pageRows = 500;

interface Resealing<Row, Resealed> {
  /** Lists what another key than the current one has sealed. */
  readonly list: (page: SealedPage) => Promise<readonly Row[]>;
  /** Seals a row with the current key. @returns null if the key that sealed it is gone */
  readonly reseal: (row: Row) => Resealed | null;
  /** Stores a row as it is sealed now, unless it was replaced since it was read. */
  readonly store: (row: Row, resealed: Resealed) => Promise<void>;
  readonly log: Pick<FastifyBaseLogger, 'error'>;
  /** Aborts between two rows. */
  readonly signal?: AbortSignal | undefined;
  /** Logged once with the number of rows whose key is gone. */
  readonly missing: string;
}

/** Seals with the current key what another one has sealed, before that one is removed. Idempotent. */
export async function resealAll<Row extends { readonly id: string }, Resealed>({
  list,
  reseal,
  store,
  log,
  signal,
  missing,
}: Resealing<Row, Resealed>): Promise<void> {
  let lost = 0;
  let after: string | null = null;
  for (;;) {
    signal?.throwIfAborted();
    const rows = await list({ after, limit: pageRows });
    for (const row of rows) {
      signal?.throwIfAborted();
      const resealed = reseal(row);
      if (resealed === null) lost += 1;
      else await store(row, resealed);
    }
    after = rows.at(-1)?.id ?? null;
    if (rows.length < pageRows) break;
  }
  if (lost > 0) log.error({ lost }, missing);
}
