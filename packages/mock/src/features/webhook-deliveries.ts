import type { State } from '../state/model.ts';
import type { Fields, Stored } from '../state/store.ts';

interface NewDelivery {
  /** Of the activity, or new for a message of the service. */
  readonly eventId: string;
  readonly type: string;
  readonly isReplay: boolean;
  readonly at: string;
  readonly data: Fields;
}

export function isSending({ fields }: Stored): boolean {
  return fields['status'] === 'ACTIVE' || fields['status'] === 'FAILING';
}

/** Returns the deliveries of a webhook, oldest first. */
export function deliveriesOf({ store }: State, webhookId: string, status?: string): Stored[] {
  return store
    .all('WebhookDelivery')
    .filter(({ fields }) => fields['webhookId'] === webhookId)
    .filter(({ fields }) => status === undefined || fields['status'] === status);
}

/** Queues the message of an activity. */
export function deliver(
  state: State,
  webhook: Stored,
  { activity, isReplay }: { readonly activity: Stored; readonly isReplay: boolean },
): void {
  const { action, createdAt } = activity.fields;
  const data = { id: activity.id, ...activity.fields };
  const about = { type: String(action), at: String(createdAt), eventId: activity.id };
  queue(state, webhook, { ...about, isReplay, data });
}

/** Queues a message. The mock sends nothing: it behaves as if each message arrived, unless its webhook is paused. */
export function queue(state: State, webhook: Stored, message: NewDelivery): Stored {
  const { eventId, type, isReplay, at, data } = message;
  const sequence = deliveriesOf(state, webhook.id).length + 1;
  const { organizationId } = webhook;
  const now = state.now();
  const delivery = state.store.add({
    kind: 'WebhookDelivery',
    id: state.newId(),
    organizationId,
    ownerId: null,
    fields: {
      webhookId: webhook.id,
      eventId: `evt_${eventId.replaceAll('-', '')}`,
      eventType: type,
      sequence,
      status: 'PENDING',
      attemptCount: 0,
      nextAttemptAt: now,
      lastStatus: null,
      lastError: null,
      isReplay,
      createdAt: now,
      deliveredAt: null,
    },
    hidden: {
      eventId,
      payload: { type, timestamp: at, organizationId, sequence, isReplay, data },
      attempts: [],
    },
  });
  if (isSending(webhook)) arrive(state, webhook, delivery);
  return delivery;
}

/** Lets what has waited arrive. */
export function sendPending(state: State, webhook: Stored): void {
  for (const delivery of deliveriesOf(state, webhook.id, 'PENDING')) {
    arrive(state, webhook, delivery);
  }
}

function arrive(state: State, webhook: Stored, delivery: Stored): void {
  const at = state.now();
  Object.assign(delivery.fields, {
    status: 'DELIVERED',
    attemptCount: 1,
    nextAttemptAt: null,
    lastStatus: 204,
    deliveredAt: at,
  });
  const attempt = { number: 1, startedAt: at, durationMs: 0, status: 204 };
  delivery.hidden['attempts'] = [{ ...attempt, error: null, responseExcerpt: null }];
  webhook.fields['lastDeliveredAt'] = at;
}
