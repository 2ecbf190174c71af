import type { Webhook } from '@atelier/contract';

/** An endpoint within its organization. */
export interface WebhookKey {
  readonly organizationId: string;
  readonly webhookId: string;
}

/** Whether messages are sent to an endpoint: not while it is paused or disabled. */
export function isSending({ status }: Pick<Webhook, 'status'>): boolean {
  return status === 'ACTIVE' || status === 'FAILING';
}

/**
 * The part of an endpoint's URL that is shown: its path may hold a token.
 *
 * @returns an empty string for what is no URL
 */
export function hostOf(url: string): string {
  return URL.parse(url)?.host ?? '';
}
