import type { Webhook } from '@atelier/client';
import type { ReactNode } from 'react';
import { texts } from '../../texts/webhooks.ts';
import { Badge, type BadgeTone } from '../../ui/badge.tsx';

const tones: Record<Webhook['status'], BadgeTone> = {
  ACTIVE: 'success',
  PAUSED: 'neutral',
  FAILING: 'warning',
  DISABLED: 'danger',
};

/** Shows the status of a webhook as a badge. */
export function WebhookStatus({ webhook }: { readonly webhook: Webhook }): ReactNode {
  return <Badge tone={tones[webhook.status]}>{texts.statuses[webhook.status]}</Badge>;
}
