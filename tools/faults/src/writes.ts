import type { Entry, RecordState, WriteKind } from './journal.ts';

/** A write with all its lines of the journal. */
export interface Write {
  readonly marker: string;
  readonly kind: WriteKind;
  readonly account: number;
  readonly entries: Entry[];
}

export function writesOf(entries: readonly Entry[]): Write[] {
  const writes = new Map<string, Write>();
  for (const entry of entries) {
    const { marker, kind, account } = entry;
    const write = writes.get(marker) ?? { marker, kind, account, entries: [] };
    write.entries.push(entry);
    writes.set(marker, write);
  }
  return [...writes.values()];
}

export const wantedState = (write: Write | undefined): RecordState | undefined =>
  write?.entries.find(({ wanted }) => wanted !== undefined)?.wanted;

export const acknowledgedState = ({ entries }: Write): RecordState | undefined =>
  entries.find(({ acknowledged }) => acknowledged !== undefined)?.acknowledged;

/** Whether every response was a refusal: the write must not have happened. */
export function isRefused({ entries }: Write): boolean {
  const hasEnded = entries.some(({ state }) => state !== 'begun');
  return hasEnded && entries.every(({ state }) => state === 'begun' || state === 'refused');
}

/** How many writes had which outcome. */
export interface Tally {
  readonly acknowledged: number;
  /** Writes that never got a response. */
  readonly unknown: number;
  readonly refused: number;
}

export function tallyOf(writes: readonly Write[]): Tally {
  const acknowledged = writes.filter((write) => acknowledgedState(write)).length;
  const refused = writes.filter(isRefused).length;
  return { acknowledged, refused, unknown: writes.length - acknowledged - refused };
}
