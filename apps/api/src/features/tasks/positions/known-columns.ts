import { LRUCache } from 'lru-cache';

/** The ranks of a column in one snapshot, in their order. */
export interface PackedRanks {
  /** All ranks, with a space between two. One text takes a third of the memory of one for each. */
  readonly text: string;
  /** Where each rank begins, and where the next would. */
  readonly starts: Uint32Array;
}

export interface KnownColumn {
  readonly mark: string;
  /** Null for a column that is too long to be kept. */
  readonly ranks: PackedRanks | null;
}

/** What the runtime holds for an entry beyond its ranks, measured. */
const entryBytes = 1_000;

/** Keeps the latest known ranks of columns. They belong to a mark, so they are never outdated, only unused. */

export function knownColumns(maxBytes: number) {
  const columns = new LRUCache<string, KnownColumn>({
    maxSize: maxBytes,
    sizeCalculation: ({ ranks }) =>
      entryBytes + (ranks ? ranks.text.length + ranks.starts.byteLength : 0),
  });
  return {
    find(column: string, mark: string): KnownColumn | undefined {
      const known = columns.get(column);
      return known?.mark === mark ? known : undefined;
    },
    keep: (column: string, known: KnownColumn) => void columns.set(column, known),
    bytes: () => columns.calculatedSize,
  };
}

/** @param text - ranks in their order, with a space between two */
export function packRanks(text: string): PackedRanks {
  const starts: number[] = [];
  for (let at = 0; at < text.length;) {
    starts.push(at);
    const end = text.indexOf(' ', at);
    at = end < 0 ? text.length : end + 1;
  }
  return { text, starts: Uint32Array.from([...starts, text.length + 1]) };
}

/** Returns the number of ranks before this one; null if it is none of them. */
export function indexOfRank({ text, starts }: PackedRanks, rank: string): number | null {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const found = text.slice(starts[middle], (starts[middle + 1] ?? 0) - 1);
    if (found === rank) return middle;
    // Ranks are ASCII: code units sort as the bytes of the database do.
    if (found < rank) low = middle + 1;
    else high = middle;
  }
  return null;
}
