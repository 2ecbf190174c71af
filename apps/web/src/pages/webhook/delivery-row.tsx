import type { WebhookDelivery } from '@atelier/client';
import { Suspense, useState, type ReactNode } from 'react';
import { lazyPart } from '../../loading/lazy.tsx';
import { texts } from '../../texts/webhooks.ts';
import { Badge, type BadgeTone } from '../../ui/badge.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { Time } from '../../ui/time.tsx';
import type { DeliveryProps } from './props.ts';

const DeliveryDetails = lazyPart(() => import('./delivery-details.tsx'));

const words = texts.deliveries;
const tones: Record<WebhookDelivery['status'], BadgeTone> = {
  PENDING: 'info',
  DELIVERED: 'success',
  FAILED: 'danger',
};

/** Shows one delivery; its message and attempts on request. */
export function DeliveryRow(props: DeliveryProps): ReactNode {
  const { eventType, status, attemptCount, createdAt, nextAttemptAt, isReplay } = props.delivery;
  const [isOpen, setOpen] = useState(false);
  return (
    <li className="py-3">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <button
          type="button"
          aria-expanded={isOpen}
          aria-label={words.show(eventType)}
          onClick={() => setOpen(!isOpen)}
          className="rounded-sm font-mono text-sm hover:underline"
        >
          {eventType}
        </button>
        <Badge tone={tones[status]}>{words.statuses[status]}</Badge>
        {isReplay ? <Badge>{words.replayed}</Badge> : null}
        <span className="ml-auto text-sm text-ink-muted">
          <Time at={createdAt} />
        </span>
      </div>
      <p className="mt-0.5 text-sm text-ink-muted">
        {words.attempts(attemptCount)}
        {outcomeOf(props.delivery)}
        {nextAttemptAt === null || attemptCount === 0 ? null : (
          <>
            , {words.next} <Time at={nextAttemptAt} />
          </>
        )}
      </p>
      {isOpen ? (
        <Suspense fallback={<SkeletonRows count={2} />}>
          <DeliveryDetails {...props} />
        </Suspense>
      ) : null}
    </li>
  );
}

function outcomeOf({ lastStatus, lastError }: WebhookDelivery): string {
  if (lastError !== null) return ` · ${texts.delivery.errors[lastError]}`;
  return lastStatus === null ? '' : ` · ${texts.delivery.status(lastStatus)}`;
}
