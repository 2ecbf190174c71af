import { Failure } from '../../kernel/errors.ts';
import type { CursorCodec } from '../../kernel/pagination.ts';

/** A snapshot as Postgres writes it, `xmin:xmax:in,progress`, and the history that its transaction ids are of. */
export interface DatabaseSnapshot {
  /** Identifies the history; another one may give the same ids to other transactions. */
  readonly epoch: string;
  readonly snapshot: string;
}

/**
 * The position of a stream: everything visible to the snapshot `seen` and, of what `batch` can see beyond that, the
 * changes up to one.
 *
 * @see docs/decisions/0027-live-updates.md
 */
export interface Position {
  /** Null for a position of a release that didn't note it. */
  readonly epoch: string | null;
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
    encode(organizationId: string, { epoch, seen, within }: Position): string {
      const parts = within ? [epoch, seen, within.batch, within.transactionId] : [epoch, seen];
      return cursors.encode(listOf(organizationId), {
        sortValue: parts.join(' '),
        id: within?.id ?? '',
      });
    },

    /** @throws Failure `validation_failed` (400) for an id that is forged or of another organization */
    decode(organizationId: string, lastEventId: string): Position {
      const { sortValue, id } = decoded(cursors, listOf(organizationId), lastEventId);
      const parts = sortValue.split(' ');
      // Until 0027 was amended, positions had no epoch: 1 or 3 parts instead of 2 or 4.
      const epoch = parts.length % 2 === 0 ? (parts.shift() ?? null) : null;
      const [seen = '', batch, transactionId] = parts;
      if (batch === undefined || transactionId === undefined) return { epoch, seen, within: null };
      return { epoch, seen, within: { batch, transactionId, id } };
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

/** Whether a position is of another history of the database than a snapshot: the changes between them can't be told. */
export function isUnknown(
  { epoch, seen, within }: Position,
  { epoch: currentEpoch, snapshot }: DatabaseSnapshot,
): boolean {
  if (epoch !== currentEpoch) return true;
  return nextTransactionOf(within?.batch ?? seen) > nextTransactionOf(snapshot);
}

function nextTransactionOf(snapshot: string): bigint {
  return BigInt(snapshot.split(':')[1] ?? 0);
}
