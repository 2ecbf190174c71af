import { Failure } from '../../kernel/errors.ts';
import type { CursorCodec } from '../../kernel/pagination.ts';

/**
 * The position of a stream: everything visible to the snapshot `seen` and, of what `batch` can see beyond that, the
 * changes up to one. Snapshots as Postgres writes them, `xmin:xmax:in,progress`.
 *
 * @see docs/decisions/0027-live-updates.md
 */
export interface Position {
  readonly seen: string;
  readonly within: BatchPosition | null;
}

export interface BatchPosition {
  readonly batch: string;
  readonly transactionId: string;
  readonly id: string;
}

/** Encodes and decodes message ids. An id is valid only for its own organization. */
export function positionCodec(cursors: CursorCodec) {
  const listOf = (organizationId: string) => `events:${organizationId}`;
  return {
    encode(organizationId: string, { seen, within }: Position): string {
      const parts = within ? [seen, within.batch, within.transactionId] : [seen];
      return cursors.encode(listOf(organizationId), {
        sortValue: parts.join(' '),
        id: within?.id ?? '',
      });
    },

    /** @throws Failure `validation_failed` (400) for an id that is forged or of another organization */
    decode(organizationId: string, lastEventId: string): Position {
      const { sortValue, id } = decoded(cursors, listOf(organizationId), lastEventId);
      const [seen = '', batch, transactionId] = sortValue.split(' ');
      if (batch === undefined || transactionId === undefined) return { seen, within: null };
      return { seen, within: { batch, transactionId, id } };
    },
  };
}

export type PositionCodec = ReturnType<typeof positionCodec>;

function decoded(cursors: CursorCodec, list: string, lastEventId: string) {
  try {
    return cursors.decode(list, lastEventId);
  } catch (cause) {
    const message = 'Invalid Last-Event-ID: pass the id of a message of this organization';
    throw new Failure('validation_failed', {
      cause,
      errors: [{ in: 'headers', path: ['last-event-id'], code: 'invalid_cursor', message }],
    });
  }
}

/** Whether a position is later than a snapshot: it comes from another history of the database. */
export function isAfter({ seen, within }: Position, snapshot: string): boolean {
  return nextTransactionOf(within?.batch ?? seen) > nextTransactionOf(snapshot);
}

function nextTransactionOf(snapshot: string): bigint {
  return BigInt(snapshot.split(':')[1] ?? 0);
}
