import type { Webhook, WebhookDelivery } from '@atelier/contract';
import { messageIdOf } from '../../domain/webhooks/message.ts';
import type { DeliveryRow } from './deliveries/queries.ts';
import type { WebhookRow } from './queries.ts';

/** Presents an endpoint as in the contract. */
export function presentWebhook(row: WebhookRow): Webhook {
  return {
    ...row,
    // Checked when they were stored.
    events: row.events as Webhook['events'],
    previousSecretExpiresAt: row.previousSecretExpiresAt?.toISOString() ?? null,
    oldestPendingAt: row.oldestPendingAt && new Date(row.oldestPendingAt).toISOString(),
    lastDeliveredAt: row.lastDeliveredAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

/** Presents a delivery as in the contract. */
export function presentDelivery(row: DeliveryRow): WebhookDelivery {
  return {
    id: row.id,
    eventId: messageIdOf(row.eventId),
    // The columns are text, written by this service.
    eventType: row.eventType as WebhookDelivery['eventType'],
    lastError: row.lastError as WebhookDelivery['lastError'],
    sequence: row.sequence,
    status: row.status,
    attemptCount: row.attemptCount,
    nextAttemptAt: row.nextAttemptAt?.toISOString() ?? null,
    lastStatus: row.lastStatus,
    isReplay: row.isReplay,
    createdAt: row.createdAt.toISOString(),
    deliveredAt: row.deliveredAt?.toISOString() ?? null,
  };
}
