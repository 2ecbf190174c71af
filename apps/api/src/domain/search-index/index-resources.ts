import { searchTypes, type SearchType } from '@atelier/contract';
import type { Transaction } from '../../db/executor.ts';
import { slicer } from '../../kernel/event-loop-slices.ts';
import { loadFold } from '../folding.ts';
import { charactersOf, documentOf, maxBodyLength, type Source } from './documents.ts';
import { lockIndex, removeOthers, storeRows, type Indexed } from './queries/rows.ts';
import { readSources } from './queries/sources.ts';

/** Version of the rules by which rows are made. Raise it with them: `pnpm operator reindex` replaces older rows. */
const indexRevision = 2;

/** Resources of a piece. */
const pieceSize = 500;
/** Resources that are in memory together, each with a text of up to {@link maxBodyLength} characters. */
const readAtOnce = 100;
/** Characters that are folded before the process does something else: some ten milliseconds at worst. */
const foldedAtOnce = maxBodyLength;
/** Characters of words per statement. */
const storedAtOnce = 1_000_000;

/** Where a rebuild is: after the resource with this id. */
export interface Piece {
  readonly organizationId: string;
  readonly type: SearchType;
  /** Null: at the beginning of the type. */
  readonly afterId: string | null;
  /** Only the assets of this collection; without it, the other types follow. */
  readonly collectionId?: string;
}

/** The first piece of a rebuild of the whole index of an organization. */
export function firstPiece(organizationId: string): Piece {
  return { organizationId, type: searchTypes[0], afterId: null };
}

/** Replaces what is stored of resources by what they are now; removes those that are gone. Only under the lock of the index. */
export async function indexResources(
  tx: Transaction,
  { organizationId, type }: Pick<Piece, 'organizationId' | 'type'>,
  ids: readonly string[],
): Promise<void> {
  for (let start = 0; start < ids.length; start += readAtOnce) {
    const part = ids.slice(start, start + readAtOnce);
    const sources = await readSources(tx, { organizationId, type }, { ids: part });
    await store(tx, { organizationId, type }, sources);
    await removeOthers(
      tx,
      { organizationId, type },
      { kept: idsOf(sources), among: { ids: part } },
    );
  }
}

/** Replaces the next resources of a rebuild. @returns the piece after it; null after the last one, and for a deleted organization */
export async function indexPiece(tx: Transaction, piece: Piece): Promise<Piece | null> {
  const { organizationId, type, afterId, collectionId } = piece;
  if (!(await lockIndex(tx, organizationId))) return null;
  const kept: string[] = [];
  let isLast = false;
  while (kept.length < pieceSize && !isLast) {
    const page = { afterId: kept.at(-1) ?? afterId, limit: readAtOnce, collectionId };
    const sources = await readSources(tx, { organizationId, type }, { page });
    await store(tx, { organizationId, type }, sources);
    kept.push(...idsOf(sources));
    isLast = sources.length < readAtOnce;
  }
  const lastId = isLast ? null : (kept.at(-1) ?? null);
  const among = { afterId, upToId: lastId, collectionId };
  await removeOthers(tx, { organizationId, type }, { kept, among });
  if (lastId !== null) return { ...piece, afterId: lastId };
  const next = searchTypes[searchTypes.indexOf(type) + 1];
  if (collectionId !== undefined || !next) return null;
  return { organizationId, type: next, afterId: null };
}

const idsOf = (sources: readonly Source[]) => sources.map(({ id }) => id);

async function store(
  tx: Transaction,
  key: Pick<Piece, 'organizationId' | 'type'>,
  sources: readonly Source[],
): Promise<void> {
  const fold = await loadFold();
  const turn = slicer(foldedAtOnce);
  let rows: Indexed[] = [];
  let characters = 0;
  const storeThese = async () => {
    await storeRows(tx, { ...key, revision: indexRevision }, rows);
    rows = [];
    characters = 0;
  };
  for (const source of sources) {
    await turn(charactersOf(source));
    const row = { ...source, ...documentOf(source, fold) };
    rows.push(row);
    characters += row.words.length;
    if (characters >= storedAtOnce) await storeThese();
  }
  await storeThese();
}
