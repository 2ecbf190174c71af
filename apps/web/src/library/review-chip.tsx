import type { Asset } from '@atelier/client';
import type { ReactNode } from 'react';
import { texts } from '../texts/review-status.ts';
import { Badge } from '../ui/badge.tsx';

const tones = { IN_REVIEW: 'info', APPROVED: 'success', CHANGES_REQUESTED: 'warning' } as const;

/** Shows how far the review of an asset is; nothing before it begins. */
export function ReviewChip({ review }: Pick<Asset, 'review'>): ReactNode {
  const { status } = review;
  return status === 'NONE' ? null : <Badge tone={tones[status]}>{texts.statuses[status]}</Badge>;
}
