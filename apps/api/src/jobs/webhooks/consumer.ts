import { chosenEvents } from '@atelier/contract';
import type { Clock } from '../../ports/clock.ts';
import { newId } from '../../kernel/ids.ts';
import { isSending } from '../../domain/webhooks/endpoint.ts';
import { activityMessage, serviceMessage } from '../../domain/webhooks/message.ts';
import {
  enqueuePump,
  followAnew,
  lockWebhooks,
  queueMessages,
  webhookConsumer,
} from '../../domain/webhooks/queries.ts';
import type { Consumer } from '../follow/follow.ts';
import type { LogRow } from '../follow/queries.ts';

const sent: ReadonlySet<string> = new Set(chosenEvents);

/** Queues a message for each activity and endpoint that wants it. */
export function fanOut({ clock }: { readonly clock: Clock }): Consumer {
  return {
    name: webhookConsumer,
    follows: 'where it is wanted',

    async take(tx, organizationId, rows) {
      const visible = rows.filter(({ action }) => sent.has(action));
      if (visible.length === 0) return;
      const endpoints = await lockWebhooks(tx, organizationId);
      for (const { id: webhookId, events, status, followsFrom } of endpoints) {
        const wanted = visible.filter((row) => wants(events, row, followsFrom));
        if (wanted.length === 0) continue;
        const messages = wanted.map((row) => ({
          webhookId,
          eventId: row.id,
          eventType: row.action,
          isReplay: false,
          body: (sequence: number) =>
            activityMessage(row, { organizationId, sequence, isReplay: false }),
        }));
        await queueMessages(
          tx,
          { organizationId, webhookId },
          { messages, now: clock.now(), newId },
        );
        if (isSending({ status })) await enqueuePump(tx, { organizationId, webhookId });
      }
    },

    async restart(tx, organizationId) {
      const endpoints = await lockWebhooks(tx, organizationId);
      await followAnew(
        tx,
        organizationId,
        endpoints.map(({ id }) => id),
      );
      for (const { id: webhookId, status } of endpoints) {
        const now = clock.now();
        const eventId = newId();
        const type = 'webhook.reset' as const;
        const message = {
          webhookId,
          eventId,
          eventType: type,
          isReplay: false,
          body: (sequence: number) =>
            serviceMessage(
              { type, timestamp: now, organizationId, sequence, isReplay: false },
              { webhookId },
            ),
        };
        await queueMessages(tx, { organizationId, webhookId }, { messages: [message], now, newId });
        if (isSending({ status })) await enqueuePump(tx, { organizationId, webhookId });
      }
    },
  };
}

function wants(
  events: readonly string[],
  { action, transactionId }: LogRow,
  followsFrom: string,
): boolean {
  const isChosen = events.includes('*') || events.includes(action);
  return isChosen && BigInt(transactionId) > BigInt(followsFrom);
}
