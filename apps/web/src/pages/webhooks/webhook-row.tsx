import type { Webhook } from '@atelier/client';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { texts } from '../../texts/webhooks.ts';
import { Time } from '../../ui/time.tsx';
import { WebhookStatus } from './webhook-status.tsx';

/** Shows one webhook of the list. */
export function WebhookRow({ webhook }: { readonly webhook: Webhook }): ReactNode {
  const { id, url, description, events, pendingCount, lastDeliveredAt } = webhook;
  return (
    <li className="py-3">
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <Link
          to="/settings/webhooks/$id"
          params={{ id }}
          className="font-medium wrap-anywhere hover:underline"
        >
          {url}
        </Link>
        <WebhookStatus webhook={webhook} />
      </p>
      {description ? <p className="mt-0.5 wrap-anywhere">{description}</p> : null}
      <p className="mt-0.5 text-sm text-ink-muted">
        {events.includes('*') ? texts.allEvents : texts.events(events.length)}
        {' · '}
        {lastDeliveredAt === null ? (
          texts.neverDelivered
        ) : (
          <>
            {texts.lastDelivered} <Time at={lastDeliveredAt} />
          </>
        )}
        {pendingCount > 0 ? ` · ${texts.pending(pendingCount)}` : null}
      </p>
    </li>
  );
}
