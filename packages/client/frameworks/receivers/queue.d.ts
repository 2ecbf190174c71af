import type { WebhookMessage } from '@atelier/client/webhooks';

export function enqueue(message: WebhookMessage & { readonly id: string }): Promise<void>;
