import {
  chosenEvents,
  maxReplayedEvents,
  webhookRetentionDays,
  type ReplayWebhookBody,
  type WebhookDelivery,
  type WebhookDeliveryDetails,
} from '@atelier/contract';
import type { z } from 'zod';
import type { Transaction } from '../../../db/executor.ts';
import type { Deps } from '../../../deps.ts';
import { recordActivity } from '../../../domain/activity.ts';
import { mutate } from '../../../domain/transaction.ts';
import type { WebhookKey } from '../../../domain/webhooks/endpoint.ts';
import {
  activityMessage,
  messageIdOf,
  repeatedMessage,
  serviceMessage,
  type NewMessage,
} from '../../../domain/webhooks/message.ts';
import { enqueuePump, queueMessages } from '../../../domain/webhooks/queries.ts';
import type { MemberContext } from '../../../kernel/context.ts';
import { dayMs } from '../../../kernel/durations.ts';
import { Failure } from '../../../kernel/errors.ts';
import { newId } from '../../../kernel/ids.ts';
import { pageOf, rowWindowOf, type PageRequest } from '../../../kernel/pagination.ts';
import { assertMayTouch } from '../../../kernel/permissions.ts';
import { aboutWebhook, assertSending, findOwnWebhook, lockOwnWebhook } from '../own-webhook.ts';
import { presentDelivery } from '../present.ts';
import {
  countReplayed,
  findDelivery,
  listDeliveries,
  listReplayed,
  type DeliveryFilter,
  type ReplayFilter,
} from './queries.ts';

/** Messages of one endpoint that wait; a replay adds no more. Replays of replays would fill the database. */
const maxWaiting = 2 * maxReplayedEvents;

/** Shows what is sent to the endpoints of an organization, and sends again. */
export function deliveryUseCases({ db, clock, cursors }: Deps) {
  async function queueOne(
    tx: Transaction,
    key: WebhookKey,
    message: NewMessage,
  ): Promise<WebhookDelivery> {
    const messages = [message];
    const [queued] = await queueMessages(tx, key, { messages, now: clock.now(), newId });
    if (!queued) throw new Error('nothing was queued');
    await enqueuePump(tx, key);
    return presentDelivery(queued);
  }

  /** Queues the selected events in pieces: their messages together may take more memory than there is. */
  async function queueReplayed(tx: Transaction, filter: ReplayFilter): Promise<void> {
    const { organizationId } = filter;
    let rows = await listReplayed(tx, filter, null);
    while (rows.length > 0) {
      const messages = rows.map((row) => activityMessage(row, { organizationId, isReplay: true }));
      await queueMessages(tx, filter, { messages, now: clock.now(), newId });
      rows = await listReplayed(tx, filter, rows.at(-1) ?? null);
    }
  }

  return {
    async list(id: string, request: PageRequest & DeliveryFilter, ctx: MemberContext) {
      await findOwnWebhook(db, id, ctx);
      const key = { organizationId: ctx.organization.id, webhookId: id };
      const { status, event, from, to } = request;
      const filter = { status, event, from, to };
      const continued = {
        list: `webhook deliveries:${id}`,
        cursors,
        countedFor: { ...key, ...filter },
      };
      const window = rowWindowOf(request, continued);
      const found = await listDeliveries(db, key, { filter, window });
      return pageOf(found, request, {
        ...continued,
        present: presentDelivery,
        positionOf: (row) => ({ sortValue: row.createdAt.toISOString(), id: row.id }),
      });
    },

    /** @throws Failure `not_found` (404) */
    async get(
      { webhookId, deliveryId }: { webhookId: string; deliveryId: string },
      ctx: MemberContext,
    ): Promise<WebhookDeliveryDetails> {
      await findOwnWebhook(db, webhookId, ctx);
      const organizationId = ctx.organization.id;
      const found = await findDelivery(db, { organizationId, webhookId, id: deliveryId });
      if (!found) throw new Failure('not_found');
      const { body, attempts, ...row } = found;
      return {
        ...presentDelivery(row),
        // Written by this service.
        payload: JSON.parse(body.toString()) as Record<string, unknown>,
        attempts: attempts.map(({ startedAt, ...attempt }) => ({
          ...attempt,
          // The column is text.
          error: attempt.error as WebhookDelivery['lastError'],
          startedAt: startedAt.toISOString(),
        })),
      };
    },

    /** @throws Failure `not_found` (404), `webhook_disabled` (409) */
    async ping(id: string, ctx: MemberContext): Promise<WebhookDelivery> {
      const key = { organizationId: ctx.organization.id, webhookId: id };
      return mutate({ db, clock, ctx }, async (tx, ctx) => {
        const webhook = await lockOwnWebhook(tx, id, ctx);
        assertSending(webhook);
        const now = clock.now();
        const event = { id: newId(), type: 'webhook.ping', timestamp: now } as const;
        const delivery = await queueOne(tx, key, serviceMessage(event, key));
        await recordActivity(tx, { ...aboutWebhook(webhook, ctx, now), action: 'webhook.test' });
        return delivery;
      });
    },

    /** @throws Failure `not_found` (404), `webhook_disabled` (409) */
    async resend(
      { webhookId, deliveryId }: { webhookId: string; deliveryId: string },
      ctx: MemberContext,
    ): Promise<WebhookDelivery> {
      const key = { organizationId: ctx.organization.id, webhookId };
      return mutate({ db, clock, ctx }, async (tx, ctx) => {
        const webhook = await lockOwnWebhook(tx, webhookId, ctx);
        const found = await findDelivery(tx, { ...key, id: deliveryId });
        if (!found) throw new Failure('not_found');
        assertMayTouch(ctx, 'params.deliveryId', webhook);
        assertSending(webhook);
        const delivery = await queueOne(tx, key, repeatedMessage(found));
        await recordActivity(tx, {
          ...aboutWebhook(webhook, ctx, clock.now()),
          action: 'webhook.resend',
          metadata: { deliveryId, eventId: messageIdOf(found.eventId) },
        });
        return delivery;
      });
    },

    /** @throws Failure `not_found` (404), `webhook_disabled` (409), `webhook_replay_too_large` (400) */
    async replay(
      webhookId: string,
      { from, to, events, onlyFailed }: z.output<typeof ReplayWebhookBody>,
      ctx: MemberContext,
    ) {
      const organizationId = ctx.organization.id;
      return mutate({ db, clock, ctx }, async (tx, ctx) => {
        const webhook = await lockOwnWebhook(tx, webhookId, ctx);
        assertSending(webhook);
        const now = clock.now();
        const chosen: readonly string[] = events ?? webhook.events;
        const earliest = new Date(now.getTime() - webhookRetentionDays * dayMs).toISOString();
        const filter = {
          organizationId,
          webhookId,
          actions: chosenEvents.filter((event) => chosen.includes('*') || chosen.includes(event)),
          from: from < earliest ? earliest : from,
          to: to ?? now.toISOString(),
          onlyFailed,
        };
        const queuedCount = await countReplayed(tx, filter);
        if (queuedCount > maxReplayedEvents) {
          throw new Failure('webhook_replay_too_large', {
            message: `The window has ${queuedCount} events; at most ${maxReplayedEvents} are sent again`,
          });
        }
        if (webhook.pendingCount + queuedCount > maxWaiting) {
          throw new Failure('webhook_replay_too_large', {
            message: `${webhook.pendingCount} messages are waiting already; replay when they are sent`,
          });
        }
        await queueReplayed(tx, filter);
        await enqueuePump(tx, { organizationId, webhookId });
        const result = { queuedCount, from: filter.from, to: filter.to };
        await recordActivity(tx, {
          ...aboutWebhook(webhook, ctx, now),
          action: 'webhook.replay',
          metadata: { ...result, onlyFailed },
        });
        return result;
      });
    },
  };
}
