import type { Activity } from '@atelier/client';
import { texts as words } from '../../texts/asset-activity.ts';

const byAction: Readonly<Record<string, string | undefined>> = words.actions;
const byReview: Readonly<Record<string, string | undefined>> = words.reviews;

/** Returns what a person did to an asset, as a phrase that follows their name. */
export function sentenceOf({ action, changes }: Pick<Activity, 'action' | 'changes'>): string {
  const [change] = changes;
  if (action === 'asset.update' && change && changes.length === 1) {
    const { field, from, to } = change;
    if (field === 'collectionId') return words.moved;
    if (field === 'publicLinkEnabled') return to === true ? words.linkOn : words.linkOff;
    if (field === 'assetName' && typeof from === 'string' && typeof to === 'string') {
      return words.renamed(from, to);
    }
  }
  if (action === 'asset.change_review' && typeof change?.to === 'string') {
    return byReview[change.to] ?? words.actions[action];
  }
  return byAction[action] ?? words.other(action);
}
