import type { Transaction } from '../../db/executor.ts';
import { administratorsOf } from '../queries.ts';
import { deliver } from './deliver.ts';
import { serviceEvent, type Concern } from './policy.ts';
import { findOwners } from './queries/personal.ts';

/** Tells those who manage the webhooks of an organization that one fails or is disabled. */
export async function tellOfWebhook(
  tx: Transaction,
  { organizationId, webhookId }: { organizationId: string; webhookId: string },
  now: Date,
): Promise<void> {
  const managers = await administratorsOf(tx, organizationId);
  const concerns = managers.map(({ id }) => concernOf(id, { subjectId: webhookId, now }));
  await deliver(tx, organizationId, { concerns, now });
}

/** Tells people that keys of theirs end, or have ended. */
export async function tellOfKeys(
  tx: Transaction,
  apiKeyIds: readonly string[],
  now: Date,
): Promise<void> {
  const keys = await findOwners(tx, apiKeyIds);
  const byOrganization = Map.groupBy(keys, ({ organizationId }) => organizationId);
  // In the order of the people, whose inboxes stay locked: a consumer could deadlock otherwise.
  for (const [organizationId, own] of byOrganization) {
    const concerns = own.map(({ id, userId }) => concernOf(userId, { subjectId: id, now }));
    await deliver(tx, organizationId, { concerns, now });
  }
}

function concernOf(userId: string, { subjectId, now }: { subjectId: string; now: Date }): Concern {
  return {
    userId,
    reason: 'integration_failing',
    taskId: null,
    subjectId,
    commentId: null,
    event: serviceEvent(now),
  };
}
