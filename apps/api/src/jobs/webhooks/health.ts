import { recordActivity } from '../../domain/activity.ts';
import { enqueueJobOf } from '../../domain/job-queue.ts';
import { hostOf, isSending } from '../../domain/webhooks/endpoint.ts';
import type { Transaction } from '../../db/executor.ts';
import { newId } from '../../kernel/ids.ts';
import type { Jobs } from '../../ports/jobs.ts';
import { tellOfWebhook } from '../notifications/integrations.ts';
import { failuresToFailing, isHopeless, type Outcome } from './policy.ts';
import { setHealth, type LockedWebhook } from './queries.ts';

/** How an endpoint does. */
export type Health = Pick<
  LockedWebhook,
  'status' | 'disabledReason' | 'failureCount' | 'failingSince' | 'lastDeliveredAt'
>;

/** What came of an attempt, and when. */
export interface Result {
  readonly outcome: Pick<Outcome, 'isSuccess' | 'isGone'>;
  readonly at: Date;
}

/** @returns the health of an endpoint after a result */
export function healthAfter(health: Health, { outcome, at }: Result): Health {
  if (outcome.isSuccess) {
    const status = health.status === 'FAILING' ? 'ACTIVE' : health.status;
    return { ...health, status, failureCount: 0, failingSince: null, lastDeliveredAt: at };
  }
  const failureCount = health.failureCount + 1;
  const failingSince = health.failingSince ?? at;
  const after = { ...health, failureCount, failingSince };
  if (!isSending(health)) return after;
  if (outcome.isGone) return { ...after, status: 'DISABLED', disabledReason: 'GONE' };
  if (isHopeless(failureCount, failingSince, at)) {
    return { ...after, status: 'DISABLED', disabledReason: 'FAILED_TOO_LONG' };
  }
  return failureCount >= failuresToFailing ? { ...after, status: 'FAILING' } : after;
}

/** Stores the health of an endpoint after results, in their order, and tells its administrators what they have to know. */
export async function noteHealth(
  tx: Transaction,
  webhook: LockedWebhook,
  results: readonly Result[],
): Promise<Health> {
  const last = results.at(-1);
  if (!last) return webhook;
  const { organizationId, id: webhookId } = webhook;
  const after = results.reduce<Health>(healthAfter, webhook);
  const { status, failureCount, failingSince, lastDeliveredAt } = after;
  const isDisabled = status === 'DISABLED' && webhook.status !== 'DISABLED';
  await setHealth(
    tx,
    { organizationId, webhookId },
    {
      failureCount,
      failingSince,
      lastDeliveredAt,
      ...(!isDisabled && { status }),
    },
  );
  if (isDisabled && after.disabledReason) {
    await disable(tx, webhook, { reason: after.disabledReason, now: last.at });
  } else if (status === 'FAILING' && webhook.status === 'ACTIVE') {
    await tell(tx, { organizationId, webhookId, about: 'FAILING' }, last.at);
  }
  return after;
}

/** Sends nothing to an endpoint any more: one activity, and each administrator is told once. */
export async function disable(
  tx: Transaction,
  webhook: LockedWebhook,
  { reason, now }: { reason: NonNullable<LockedWebhook['disabledReason']>; now: Date },
): Promise<void> {
  const { organizationId, id: webhookId } = webhook;
  await setHealth(
    tx,
    { organizationId, webhookId },
    { status: 'DISABLED', disabledReason: reason, updatedAt: now },
  );
  await recordActivity(tx, {
    action: 'webhook.disable',
    actorId: null,
    apiKeyId: null,
    organizationId,
    resourceType: 'webhook',
    resourceId: webhookId,
    resourceName: hostOf(webhook.url),
    changes: [{ field: 'status', from: webhook.status, to: 'DISABLED' }],
    metadata: { reason },
    requestId: newId(),
    at: now,
  });
  await tell(tx, { organizationId, webhookId, about: 'DISABLED' }, now);
}

async function tell(
  tx: Transaction,
  notice: Jobs['send_webhook_notice'],
  now: Date,
): Promise<void> {
  await tellOfWebhook(tx, notice, now);
  await enqueueJobOf(tx, notice.organizationId, { name: 'send_webhook_notice', payload: notice });
}
