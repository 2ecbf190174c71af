import { webhookRetentionDays } from '@atelier/contract';
import { dayMs } from '../../kernel/durations.ts';
import { resealAll } from '../../domain/resealing/reseal-all.ts';
import type { JobDeps } from '../job-deps.ts';
import { deleteDeliveries, sealedOtherwise, storeResealed } from './queries.ts';

/** Removes old deliveries, and seals secrets with the current key before an older one is removed. Idempotent. */
export async function keepWebhooks({
  db,
  clock,
  webhookSecrets,
  log,
}: Pick<JobDeps, 'db' | 'clock' | 'webhookSecrets' | 'log'>): Promise<void> {
  const before = new Date(clock.now().getTime() - webhookRetentionDays * dayMs);
  await deleteDeliveries(db, before);
  await resealAll({
    list: (page) => sealedOtherwise(db, webhookSecrets.currentKey, page),
    reseal: (webhook) => webhookSecrets.resealed(webhook),
    store: (webhook, resealed) => storeResealed(db, webhook, resealed),
    log,
    missing: 'the key of the secrets of webhooks is missing',
  });
}
