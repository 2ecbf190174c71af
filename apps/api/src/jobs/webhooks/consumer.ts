import { chosenEvents } from '@atelier/contract';
import type { Transaction } from '../../db/executor.ts';
import type { Clock } from '../../ports/clock.ts';
import { newId } from '../../kernel/ids.ts';
import { isSending } from '../../domain/webhooks/endpoint.ts';
import { activityMessage, serviceMessage, type NewMessage } from '../../domain/webhooks/message.ts';
import {
  enqueuePump,
  followAnew,
  lockWebhooks,
  queueMessages,
  webhookConsumer,
  type LockedEndpoint,
} from '../../domain/webhooks/queries.ts';
import type { Consumer } from '../follow/follow.ts';
import type { LogRow } from '../follow/queries.ts';

const sent: ReadonlySet<string> = new Set(chosenEvents);

/** Queues a message for each activity and endpoint that wants it. */
export function fanOut({ clock }: { readonly clock: Clock }): Consumer {
  async function queue(
    tx: Transaction,
    { organizationId, id: webhookId, status }: LockedEndpoint,
    messages: readonly NewMessage[],
  ): Promise<void> {
    const key = { organizationId, webhookId };
    await queueMessages(tx, key, { messages, now: clock.now(), newId });
    if (isSending({ status })) await enqueuePump(tx, key);
  }

  return {
    name: webhookConsumer,
    follows: 'where it is wanted',

    async take(tx, organizationId, rows) {
      const visible = rows.filter(({ action }) => sent.has(action));
      if (visible.length === 0) return;
      const endpoints = await lockWebhooks(tx, organizationId);
      for (const endpoint of endpoints) {
        const wanted = visible.filter((row) => wants(endpoint, row));
        if (wanted.length === 0) continue;
        const messages = wanted.map((row) =>
          activityMessage(row, { organizationId, isReplay: false }),
        );
        await queue(tx, endpoint, messages);
      }
    },

    async restart(tx, organizationId) {
      const endpoints = await lockWebhooks(tx, organizationId);
      await followAnew(
        tx,
        organizationId,
        endpoints.map(({ id }) => id),
      );
      for (const endpoint of endpoints) {
        const event = { id: newId(), type: 'webhook.reset', timestamp: clock.now() } as const;
        const message = serviceMessage(event, { organizationId, webhookId: endpoint.id });
        await queue(tx, endpoint, [message]);
      }
    },
  };
}

function wants(
  { events, followsFrom }: Pick<LockedEndpoint, 'events' | 'followsFrom'>,
  { action, transactionId }: LogRow,
): boolean {
  const isChosen = events.includes('*') || events.includes(action);
  return isChosen && BigInt(transactionId) > BigInt(followsFrom);
}
