import type { Webhook, WebhookDelivery } from '@atelier/client';

/** A webhook of an organization. */
export interface WebhookProps {
  readonly organizationId: string;
  readonly webhook: Webhook;
}

/** A delivery of a webhook. */
export interface DeliveryProps {
  readonly organizationId: string;
  readonly webhookId: string;
  readonly delivery: WebhookDelivery;
}
