import type { Entry, Told, WriteKind } from './journal.ts';

/** All that the journal says of a write. */
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

export const wantedBy = (write: Write | undefined): Told | undefined =>
  write?.entries.find(({ wanted }) => wanted !== undefined)?.wanted;

export const toldBy = ({ entries }: Write): Told | undefined =>
  entries.find(({ told }) => told !== undefined)?.told;

/** It was never answered with more than a refusal: it may not have happened. */
export function isRefused({ entries }: Write): boolean {
  const hasEnded = entries.some(({ state }) => state !== 'begun');
  return hasEnded && entries.every(({ state }) => state === 'begun' || state === 'refused');
}

/** How many writes came to what. */
export interface Tally {
  readonly acknowledged: number;
  /** Without an answer, in the end. */
  readonly unknown: number;
  readonly refused: number;
}

export function tallyOf(writes: readonly Write[]): Tally {
  const acknowledged = writes.filter((write) => toldBy(write)).length;
  const refused = writes.filter(isRefused).length;
  return { acknowledged, refused, unknown: writes.length - acknowledged - refused };
}
