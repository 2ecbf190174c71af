import type { WebhookDelivery } from '@atelier/client';
import { oneOf } from '../../ui/options.ts';

export interface WebhookSearch {
  /** Of the deliveries; default: any. */
  readonly status?: WebhookDelivery['status'] | undefined;
}

const statuses = ['PENDING', 'DELIVERED', 'FAILED'] as const;

/** Reads the search parameters of this page. */
export function validateSearch({ status }: Record<string, unknown>): WebhookSearch {
  return { status: oneOf(statuses, status) };
}
