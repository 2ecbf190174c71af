import { MockFailure } from '../failure.ts';
import type { Call, State } from './model.ts';
import type { Fields, Stored } from './store.ts';

const rankOf = ({ hidden }: Stored) => Number(hidden['rank'] ?? 0);

/** Returns the records of the same list, in their order. */
function siblingsOf(
  { store }: State,
  record: Pick<Stored, 'kind' | 'organizationId' | 'fields'>,
  within: readonly string[],
): Stored[] {
  return store
    .all(record.kind)
    .filter(
      ({ organizationId, fields }) =>
        organizationId === record.organizationId &&
        within.every((name) => fields[name] === record.fields[name]),
    )
    .toSorted((a, b) => rankOf(a) - rankOf(b));
}

/** Returns the position in its list, from 0. */
export function positionOf(state: State, record: Stored, within: readonly string[]): number {
  const rank = rankOf(record);
  return siblingsOf(state, record, within).filter((one) => rankOf(one) < rank).length;
}

/** Puts a record at the end of its list. */
export function moveToEnd(
  state: State,
  record: Omit<Stored, 'bin'>,
  within: readonly string[],
): void {
  const others = siblingsOf(state, record, within).filter(({ id }) => id !== record.id);
  const last = others.at(-1);
  record.hidden['rank'] = last ? rankOf(last) + 1 : 0;
}

/**
 * Moves a record to a position, or beside another record of its list.
 *
 * @throws MockFailure if the other record is in another list
 */
export function moveTo(
  { state, operation }: Call,
  record: Stored,
  { anchor, within }: { anchor: Fields; within: readonly string[] },
): void {
  const others = siblingsOf(state, record, within).filter(({ id }) => id !== record.id);
  const { position, beforeId, afterId } = anchor;
  const neighbour = others.findIndex(({ id }) => id === (beforeId ?? afterId));
  if (typeof position !== 'number' && neighbour === -1) {
    const { errors } = operation.endpoint.metadata;
    throw new MockFailure(errors.includes('conflict') ? 'conflict' : 'not_found');
  }
  const index =
    typeof position === 'number' ? position : neighbour + (beforeId === undefined ? 1 : 0);
  for (const [rank, one] of others.toSpliced(index, 0, record).entries()) {
    one.hidden['rank'] = rank;
  }
}
