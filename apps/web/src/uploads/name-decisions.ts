import type { NameDecision } from './upload-list.ts';
import type { TakenName } from './name-questions.ts';

/** What the user decided for all files, or for each by its index. */
export interface NameDecisions {
  readonly all: NameDecision | 'each';
  readonly each: ReadonlyMap<number, NameDecision>;
}

/** Tells whether the user may add a version to an asset. */
export type MayChange = (asset: TakenName['asset']) => boolean;

export interface Deciding {
  readonly decisions: NameDecisions;
  readonly mayChange: MayChange;
}

/** Returns the decision for one file. What the user may not change is kept beside the new file. */
export function decisionFor(
  { asset }: TakenName,
  index: number,
  { decisions: { all, each }, mayChange }: Deciding,
): NameDecision {
  const preferred = all === 'each' ? (each.get(index) ?? 'version') : all;
  return preferred === 'version' && !mayChange(asset) ? 'both' : preferred;
}
