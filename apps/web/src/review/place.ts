import type { AssetComment } from '@atelier/client';
import { useSyncExternalStore } from 'react';
import { createStore } from '../ui/store.ts';

export type Anchor = NonNullable<AssetComment['anchor']>;
export type PlaceTool = 'point' | 'area' | 'path';

/** What a new comment is about within an asset, and the comment whose mark was clicked. */
export interface Place {
  readonly assetId: string;
  /** What is drawn next; null: nothing. */
  readonly tool: PlaceTool | null;
  readonly anchor: Anchor | null;
  readonly selectedId: string | null;
  /** Of a PDF, from 1: the one that is shown. */
  readonly page: number;
}

/** Shared by the comments and the marks in the picture. */
const place = createStore<Place | null>(null);

/** Returns the place of the next comment on an asset. */
export function usePlace(assetId: string): Place {
  const value = useSyncExternalStore(place.subscribe, place.get);
  return value?.assetId === assetId ? value : nowhere(assetId);
}

export function setPlace(assetId: string, change: Partial<Omit<Place, 'assetId'>>): void {
  const before = place.get();
  place.set({ ...(before?.assetId === assetId ? before : nowhere(assetId)), ...change });
}

const nowhere = (assetId: string): Place => ({
  assetId,
  tool: null,
  anchor: null,
  selectedId: null,
  page: 1,
});
