import type { ApprovalStatus as Status } from '@atelier/client';
import type { ReactNode } from 'react';
import { texts } from '../texts/approvals.ts';
import { Badge, type BadgeTone } from '../ui/badge.tsx';

const tones: Record<Status, BadgeTone> = {
  WAITING: 'warning',
  APPROVED: 'success',
  REFUSED: 'danger',
  USED: 'neutral',
  EXPIRED: 'neutral',
};

/** Shows the status of an approval as a badge. */
export function ApprovalStatus({ status }: { readonly status: Status }): ReactNode {
  return <Badge tone={tones[status]}>{texts.statuses[status]}</Badge>;
}
