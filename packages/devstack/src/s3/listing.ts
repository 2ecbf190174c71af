import type { SortedMap } from './sorted-map.ts';

export interface ListingRequest {
  prefix: string;
  delimiter: string;
  maxEntries: number;
  /** Where the listing continues; absent at its start. */
  after?: ListingPosition;
}

/** The last listed key or common prefix. */
export interface ListingPosition {
  kind: 'key' | 'prefix';
  value: string;
}

export interface Listing {
  keys: string[];
  commonPrefixes: string[];
  /** Where the next page starts; absent on the last page. */
  next?: ListingPosition;
}

/** Lists one page of keys in UTF-8 order; keys with the same text up to `delimiter` become one entry. */
export function listKeys(map: SortedMap<unknown>, request: ListingRequest): Listing {
  const { prefix, delimiter, maxEntries } = request;
  const listing: Listing = { keys: [], commonPrefixes: [] };
  if (maxEntries === 0) return listing;
  let last: ListingPosition | undefined;
  let index = Math.max(map.indexFrom(prefix), startIndex(map, request.after));
  for (;;) {
    const key = map.keyAt(index);
    if (key === undefined || !key.startsWith(prefix)) return listing;
    if (listing.keys.length + listing.commonPrefixes.length >= maxEntries) break;
    const folded = commonPrefix(key, { prefix, delimiter });
    if (folded === undefined) {
      listing.keys.push(key);
      last = { kind: 'key', value: key };
      index += 1;
    } else {
      listing.commonPrefixes.push(folded);
      last = { kind: 'prefix', value: folded };
      index = map.indexPastPrefix(folded);
    }
  }
  return last === undefined ? listing : { ...listing, next: last };
}

/** Returns the part of the key up to the first delimiter after the prefix; undefined without one. */
export function commonPrefix(
  key: string,
  { prefix, delimiter }: { prefix: string; delimiter: string },
): string | undefined {
  if (delimiter === '') return undefined;
  const position = key.indexOf(delimiter, prefix.length);
  return position === -1 ? undefined : key.slice(0, position + delimiter.length);
}

/** Creates an opaque continuation token; it allows no more than `start-after`. */
export function encodeToken({ kind, value }: ListingPosition): string {
  return Buffer.from(`${kind}:${value}`, 'utf8').toString('base64url');
}

/** @returns undefined when the text is no token of `encodeToken` */
export function decodeToken(token: string): ListingPosition | undefined {
  const text = Buffer.from(token, 'base64url').toString('utf8');
  const [, kind, value] = /^(key|prefix):([\s\S]+)$/.exec(text) ?? [];
  if (value === undefined) return undefined;
  const position: ListingPosition = { kind: kind === 'key' ? 'key' : 'prefix', value };
  return encodeToken(position) === token ? position : undefined;
}

function startIndex(map: SortedMap<unknown>, after: ListingPosition | undefined): number {
  if (after === undefined) return 0;
  return after.kind === 'key' ? map.indexAfter(after.value) : map.indexPastPrefix(after.value);
}
