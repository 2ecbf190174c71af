import { searchTypes, type SearchType } from '@atelier/contract';
import type { Transaction } from '../../db/executor.ts';
import { loadFold } from '../folding.ts';
import { documentOf, type Source } from './documents.ts';
import { lockIndex, replaceRows, type Replaced } from './queries/rows.ts';
import { readSources } from './queries/sources.ts';

/** Version of the rules by which rows are made. Raise it with them: `pnpm operator reindex` replaces older rows. */
const indexRevision = 2;

/** Resources per statement. */
const batchSize = 500;

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
  for (let start = 0; start < ids.length; start += batchSize) {
    const part = ids.slice(start, start + batchSize);
    const sources = await readSources(tx, { organizationId, type }, { ids: part });
    await write(tx, { organizationId, type }, { sources, replaced: { ids: part } });
  }
}

/** Replaces the next resources of a rebuild. @returns the piece after it; null after the last one, and for a deleted organization */
export async function indexPiece(tx: Transaction, piece: Piece): Promise<Piece | null> {
  const { organizationId, type, afterId, collectionId } = piece;
  if (!(await lockIndex(tx, organizationId))) return null;
  const page = { afterId, limit: batchSize, collectionId };
  const sources = await readSources(tx, { organizationId, type }, { page });
  const last = sources.length === batchSize ? sources.at(-1) : undefined;
  const replaced = { afterId, upToId: last?.id ?? null, collectionId };
  await write(tx, { organizationId, type }, { sources, replaced });
  if (last) return { ...piece, afterId: last.id };
  const next = searchTypes[searchTypes.indexOf(type) + 1];
  if (collectionId !== undefined || !next) return null;
  return { organizationId, type: next, afterId: null };
}

async function write(
  tx: Transaction,
  key: Pick<Piece, 'organizationId' | 'type'>,
  { sources, replaced }: { sources: readonly Source[]; replaced: Replaced },
): Promise<void> {
  const fold = await loadFold();
  const rows = sources.map((source) => ({ ...source, ...documentOf(source, fold) }));
  await replaceRows(tx, { ...key, revision: indexRevision }, { rows, replaced });
}
