import {
  chosenEvents,
  describeWebhookEvent,
  maxReplayedEvents,
  maxWebhooks,
  webhookEventTypes,
} from '@atelier/contract';
import { MockFailure } from '../failure.ts';
import { activityOn } from '../state/activities.ts';
import { bodyOf, callerOf, organizationOf, recordAt } from '../state/call.ts';
import type { Call, Feature, State } from '../state/model.ts';
import { shown } from '../state/perform.ts';
import { idsOf, textOf, type Fields, type Stored } from '../state/store.ts';
import { allIn } from './teams.ts';
import { deliver, deliveriesOf, isSending, queue, sendPending } from './webhook-deliveries.ts';

const secretShownSeconds = 60 * 60;

function create(call: Call): Fields {
  const { state } = call;
  const organization = organizationOf(call);
  const { url, description = null, events, ordering = 'PARALLEL' } = bodyOf(call);
  expectAddress(url);
  if (allIn(state, 'webhook', organization.id).length >= maxWebhooks) {
    throw new MockFailure('too_many_webhooks');
  }
  const now = state.now();
  const secret = newSecret(state);
  const record = state.store.add({
    kind: 'webhook',
    id: state.newId(),
    organizationId: organization.id,
    ownerId: callerOf(call).id,
    fields: {
      url,
      description,
      events,
      ordering,
      status: 'ACTIVE',
      disabledReason: null,
      publicKey: `whpk_${btoa(state.newSecret().slice(0, 32))}`,
      secretHint: secret.slice(-4),
      previousSecretExpiresAt: null,
      lastDeliveredAt: null,
      createdBy: callerOf(call).id,
      createdAt: now,
      updatedAt: now,
    },
  });
  call.activities = [activityOn(call, record, { action: 'webhook.create' })];
  return { ...(shown(call, record) as Fields), secret, expiresIn: secretShownSeconds };
}

function update(call: Call): unknown {
  const record = recordAt(call, 'params.webhookId');
  const { isEnabled, ...wanted } = bodyOf(call);
  if (wanted['url'] !== undefined) expectAddress(wanted['url']);
  const status = isSending(record) ? 'PAUSED' : 'ACTIVE';
  const isSwitched = isEnabled !== undefined && isEnabled !== isSending(record);
  const after: Fields = { ...wanted, ...(isSwitched && { status, disabledReason: null }) };
  const changes = Object.entries(after)
    .map(([field, to]) => ({ field, from: record.fields[field], to }))
    .filter(({ from, to }) => JSON.stringify(from) !== JSON.stringify(to));
  call.activities = [];
  if (changes.length > 0) {
    Object.assign(record.fields, after, { updatedAt: call.state.now() });
    const verb = isSwitched ? (status === 'ACTIVE' ? 'enable' : 'disable') : 'update';
    call.activities = [activityOn(call, record, { action: `webhook.${verb}`, changes })];
    if (isSwitched && status === 'ACTIVE') sendPending(call.state, record);
  }
  return shown(call, record);
}

function rotate(call: Call): Fields {
  const { state } = call;
  const record = recordAt(call, 'params.webhookId');
  const overlapMs = Number(bodyOf(call)['overlapHours'] ?? 24) * 60 * 60 * 1000;
  const previousSecretExpiresAt = new Date(state.nowMs() + overlapMs).toISOString();
  const secret = newSecret(state);
  const secretHint = secret.slice(-4);
  Object.assign(record.fields, { secretHint, previousSecretExpiresAt, updatedAt: state.now() });
  call.activities = [activityOn(call, record, { action: 'webhook.rotate_secret' })];
  return { secret, expiresIn: secretShownSeconds, previousSecretExpiresAt };
}

function ping(call: Call): unknown {
  const record = sendingAt(call);
  const delivery = queue(call.state, record, {
    eventId: call.state.newId(),
    type: 'webhook.ping',
    isReplay: false,
    at: call.state.now(),
    data: { webhookId: record.id },
  });
  call.activities = [activityOn(call, record, { action: 'webhook.test' })];
  return shown(call, delivery);
}

function deliveryAt({ state, input }: Call): Stored {
  const { id, webhookId, deliveryId } = input.params;
  const found = state.store.find('WebhookDelivery', deliveryId);
  const isOfPath = found?.organizationId === id && found?.fields['webhookId'] === webhookId;
  if (!found || !isOfPath || !state.store.find('webhook', webhookId)) {
    throw new MockFailure('not_found');
  }
  return found;
}

function resend(call: Call): unknown {
  const { state, input } = call;
  const original = deliveryAt(call);
  const record = state.store.find('webhook', input.params['webhookId']);
  if (!record || !isSending(record)) throw new MockFailure('webhook_disabled');
  const payload = original.hidden['payload'] as Fields;
  const delivery = queue(state, record, {
    eventId: String(original.hidden['eventId']),
    type: textOf(original.fields, 'eventType'),
    isReplay: true,
    at: textOf(payload, 'timestamp'),
    data: payload['data'] as Fields,
  });
  call.activities = [activityOn(call, record, { action: 'webhook.resend' })];
  return shown(call, delivery);
}

function replay(call: Call): Fields {
  const { state } = call;
  const record = sendingAt(call);
  const body = bodyOf(call);
  const from = textOf(body, 'from');
  const to = textOf(body, 'to') || state.now();
  const events = body['events'] ? idsOf(body, 'events') : idsOf(record.fields, 'events');
  const found = allIn(state, 'Activity', record.organizationId).filter(({ fields }) => {
    const at = Date.parse(textOf(fields, 'createdAt'));
    const isWithin = at >= Date.parse(from) && at < Date.parse(to);
    return isWithin && isWanted(events, textOf(fields, 'action'));
  });
  if (found.length > maxReplayedEvents) throw new MockFailure('webhook_replay_too_large');
  for (const activity of found) deliver(state, record, { activity, isReplay: true });
  call.activities = [activityOn(call, record, { action: 'webhook.replay' })];
  return { queuedCount: found.length, from, to };
}

function sendingAt(call: Call): Stored {
  const record = recordAt(call, 'params.webhookId');
  if (!isSending(record)) throw new MockFailure('webhook_disabled');
  return record;
}

/** The mock sends nothing, so it refuses only what no service takes. */
function expectAddress(url: unknown): void {
  const { protocol, username, hash, hostname } = urlOf(url);
  const isPrivate = /^(10|127|169\.254|192\.168)\./.test(hostname);
  if (protocol !== 'https:' || username || hash || isPrivate) {
    throw new MockFailure('webhook_address_refused');
  }
}

// `URL.parse` is not in Node 20.
function urlOf(text: unknown): URL {
  return new URL(URL.canParse(String(text)) ? String(text) : 'about:blank');
}

function newSecret(state: State): string {
  return `whsec_${btoa(state.newSecret().slice(0, 32))}`;
}

const sent: ReadonlySet<string> = new Set(chosenEvents);

function isWanted(events: readonly string[], action: string): boolean {
  return sent.has(action) && (events.includes('*') || events.includes(action));
}

/** Delivers each activity from now on to the webhooks that want it. */
export function followActivities(state: State): void {
  state.listeners.add((activity) => {
    for (const record of allIn(state, 'webhook', activity.organizationId)) {
      const events = idsOf(record.fields, 'events');
      const isWithin = isWanted(events, textOf(activity.fields, 'action'));
      // Its own creation is before it.
      const isLater =
        textOf(activity.fields, 'createdAt') > textOf(record.fields, 'createdAt') &&
        activity.fields['action'] !== 'webhook.create';
      if (isWithin && isLater) deliver(state, record, { activity, isReplay: false });
    }
  });
}

const eventList = {
  items: webhookEventTypes.map((type) => ({
    type,
    description: describeWebhookEvent(type),
    schema: {},
    example: {},
  })),
};

export const webhooks: Feature = {
  operations: {
    'webhooks.create': { respond: create },
    'webhooks.update': { respond: update },
    'webhooks.rotateSecret': { respond: rotate },
    'webhooks.ping': { respond: ping },
    'webhooks.replay': { respond: replay },
    'webhooks.resend': { respond: resend, findsItsRecords: true },
    'webhooks.getDelivery': {
      findsItsRecords: true,
      respond: (call) => {
        const { fields, hidden, id } = deliveryAt(call);
        const { webhookId: _, ...delivery } = fields;
        return { ...delivery, id, payload: hidden['payload'], attempts: hidden['attempts'] };
      },
    },
    'webhooks.listEvents': { respond: () => eventList },
  },
  kinds: {
    webhook: {
      nameOf: ({ fields }) => urlOf(fields['url']).host,
      computed: {
        pendingCount: ({ id }, { state }) => deliveriesOf(state, id, 'PENDING').length,
        oldestPendingAt: ({ id }, { state }) =>
          deliveriesOf(state, id, 'PENDING')[0]?.fields['createdAt'] ?? null,
      },
    },
  },
};
