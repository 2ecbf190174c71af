import { z } from 'zod';
import {
  Activity,
  describeWebhookEvent,
  webhookEventTypes,
  webhookMessageSchema,
  type WebhookEventType,
} from '@atelier/contract';
import type { Deps } from '../../deps.ts';
import { feature } from '../../http/feature.ts';
import { deliveryUseCases } from './deliveries/usecases.ts';
import { webhookUseCases } from './usecases.ts';

export function webhooksFeature(deps: Deps) {
  const webhooks = webhookUseCases(deps);
  const deliveries = deliveryUseCases(deps);
  let events: ReturnType<typeof eventOf>[] | null = null;

  return feature('webhooks', {
    list: ({ query, ctx }) => webhooks.list(query, ctx),
    create: ({ body, ctx }) => webhooks.create(body, ctx),
    get: ({ params, ctx }) => webhooks.get(params.webhookId, ctx),
    update: ({ params, body, ctx }) => webhooks.update(params.webhookId, body, ctx),
    remove: ({ params, ctx }) => webhooks.remove(params.webhookId, ctx),
    rotateSecret: ({ params, body, ctx }) => webhooks.rotateSecret(params.webhookId, body, ctx),
    ping: ({ params, ctx }) => deliveries.ping(params.webhookId, ctx),
    listDeliveries: ({ params, query, ctx }) => deliveries.list(params.webhookId, query, ctx),
    getDelivery: ({ params, ctx }) => deliveries.get(params, ctx),
    resend: ({ params, ctx }) => deliveries.resend(params, ctx),
    replay: ({ params, body, ctx }) => deliveries.replay(params.webhookId, body, ctx),
    async listEvents() {
      events ??= webhookEventTypes.map(eventOf);
      return { items: events };
    },
  });
}

const exampleId = '019aa4fa-1a2b-7c3d-8e4f-90a1b2c3d4e5';

function eventOf(type: WebhookEventType) {
  const isOfService = type === 'webhook.ping' || type === 'webhook.reset';
  const [activity] = (Activity.meta()?.examples ?? []) as Record<string, unknown>[];
  const resourceType = type.split('.')[0];
  const example = {
    type,
    timestamp: '2026-11-21T09:30:00.000Z',
    organizationId: '019aa4f0-5c1e-7c00-8a51-0d9e2b7f6c11',
    sequence: 1042,
    isReplay: false,
    data: isOfService
      ? { webhookId: exampleId }
      : { ...activity, action: type, resourceType, resourceName: 'Example', changes: [] },
  };
  const schema = z.toJSONSchema(webhookMessageSchema(type)) as Record<string, unknown>;
  return { type, description: describeWebhookEvent(type), schema, example };
}
