import type { AssetComment } from '@atelier/client';
import { useSyncExternalStore } from 'react';
import { createStore } from '../ui/store.ts';

export type Anchor = NonNullable<AssetComment['anchor']>;
export type PlaceTool = 'point' | 'area' | 'path';

/** What a new comment is about within an asset, and the comment whose mark was clicked. */
export interface Place {
  /** What is drawn next; null: nothing. */
  readonly tool: PlaceTool | null;
  readonly anchor: Anchor | null;
  /** The one that the anchor is about; undefined without one, and for visitors, who see one version only. */
  readonly versionNumber: number | undefined;
  readonly selectedId: string | null;
  /** Of a PDF, from 1: the one that is shown. */
  readonly page: number;
}

/** Where a comment is. */
export type Placed = Pick<Place, 'anchor' | 'versionNumber'>;

const nowhere: Place = {
  tool: null,
  anchor: null,
  versionNumber: undefined,
  selectedId: null,
  page: 1,
};

export const unplaced: Placed = { anchor: null, versionNumber: undefined };

/** By asset; shared by the comments and the marks in the picture. */
const places = createStore<ReadonlyMap<string, Place>>(new Map());

/** Returns the place of the next comment on an asset. */
export function usePlace(assetId: string): Place {
  return useSyncExternalStore(places.subscribe, places.get).get(assetId) ?? nowhere;
}

export function setPlace(assetId: string, change: Partial<Place>): void {
  const all = places.get();
  places.set(new Map(all).set(assetId, { ...(all.get(assetId) ?? nowhere), ...change }));
}

/** Gives the next comment the place of one that was refused, unless it has its own. */
export function restorePlace(assetId: string, placed: Placed): void {
  if (placed.anchor && !places.get().get(assetId)?.anchor) setPlace(assetId, placed);
}
