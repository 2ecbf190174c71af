import { oneOf, searchWords } from '../../library/search-words.ts';

const sorts = [
  '-createdAt',
  'createdAt',
  'assetName',
  '-assetName',
  '-fileSize',
  'fileSize',
  '-updatedAt',
] as const;
const types = ['image/', 'video/', 'audio/', 'application/pdf', 'text/'] as const;

export interface CollectionSearch {
  readonly q?: string | undefined;
  /** Default: the newest first. */
  readonly sort?: (typeof sorts)[number] | undefined;
  /** How the media type begins; default: any. */
  readonly type?: (typeof types)[number] | undefined;
}

/** The part of the address behind the `?` that this page reads. */
export function validateSearch({ q, sort, type }: Record<string, unknown>): CollectionSearch {
  return { q: searchWords(q), sort: oneOf(sorts, sort), type: oneOf(types, type) };
}
