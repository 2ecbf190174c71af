import { webhookRetentionDays } from '@atelier/contract';
import type { FastifyBaseLogger } from 'fastify';
import type { Database } from '../../db/executor.ts';
import type { WebhookSecrets } from '../../domain/webhooks/secrets.ts';
import type { Clock } from '../../ports/clock.ts';
import { deleteDeliveries, sealedOtherwise, storeResealed } from './queries.ts';

/** Removes old deliveries, and seals secrets with the current key before an older one is removed. Idempotent. */
export async function keepWebhooks({
  db,
  clock,
  webhookSecrets,
  log,
}: {
  db: Database;
  clock: Clock;
  webhookSecrets: WebhookSecrets;
  log: FastifyBaseLogger;
}): Promise<void> {
  const before = new Date(clock.now().getTime() - webhookRetentionDays * 24 * 60 * 60 * 1_000);
  await deleteDeliveries(db, before);
  for (const webhook of await sealedOtherwise(db, webhookSecrets.currentKey)) {
    const resealed = webhookSecrets.resealed(webhook);
    if (resealed) await storeResealed(db, webhook, resealed);
    else log.error({ webhookId: webhook.id }, 'the key of the secrets of a webhook is missing');
  }
}
