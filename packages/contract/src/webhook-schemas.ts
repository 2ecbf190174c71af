import { z } from 'zod/v4';
import { pageOf } from './pagination.ts';
import { derived, Id, text, Timestamp, timestampInput, verbatimText } from './primitives.ts';
import { Activity } from './timeline.ts';
import { chosenEvents, serviceEvents, webhookMessageFields } from './webhook-events.ts';

/** Maximum number of endpoints of an organization. */
export const maxWebhooks = 20;
/** Maximum number of events of one replay. */
export const maxReplayedEvents = 10_000;
/** How long deliveries are kept, and how far back a replay may reach, in days. */
export const webhookRetentionDays = 30;

export const WebhookEventName = z.enum([...chosenEvents, ...serviceEvents]).meta({
  id: 'WebhookEventName',
  description: 'What a message is about.',
  examples: ['task.move'],
});

export const WebhookChoice = z.enum(['*', ...chosenEvents]).meta({
  id: 'WebhookChoice',
  description: 'An event, or `*` for all of them.',
  examples: ['task.move'],
});

const ChosenEvents = z
  .array(WebhookChoice)
  .min(1)
  .max(100)
  .overwrite((events) => (events.includes('*') ? ['*'] : [...new Set(events)]))
  .describe('Events to send; `*` stands for all of them, also those of later versions.');

const Ordering = z
  .enum(['PARALLEL', 'STRICT'])
  .describe(
    'PARALLEL: up to five at a time. STRICT: one after the other, and one that fails holds back those after it.',
  );

const example = {
  id: '019aa4fa-1a2b-7c3d-8e4f-90a1b2c3d4e5',
  url: 'https://example.com/hooks/atelier',
  description: 'Build server',
  events: ['asset.create', 'asset.update'],
  ordering: 'PARALLEL',
  status: 'ACTIVE',
  disabledReason: null,
  publicKey: 'whpk_5Bl6m9KyPQoF7mHnGgDRpVxVQeYQhmI8wHcFhqd1Yb0=',
  secretHint: 'Zk0=',
  previousSecretExpiresAt: null,
  pendingCount: 0,
  oldestPendingAt: null,
  lastDeliveredAt: '2026-11-21T09:30:00.000Z',
  createdBy: '019aa4f0-5c1e-7b3a-9d2f-6f1f0c7a9e42',
  createdAt: '2026-11-21T09:30:00.000Z',
  updatedAt: '2026-11-21T09:30:00.000Z',
};

const webhookFields = {
  id: Id,
  url: z.string(),
  description: z.string().nullable(),
  events: z.array(WebhookChoice),
  ordering: Ordering,
  status: z.enum(['ACTIVE', 'PAUSED', 'FAILING', 'DISABLED']).meta({
    description:
      'FAILING: the last ten attempts failed. PAUSED by a member, DISABLED by the service: nothing is sent, and what happens is kept for 30 days.',
    ...derived,
  }),
  disabledReason: z
    .enum(['GONE', 'FAILED_TOO_LONG', 'SECRET_UNREADABLE'])
    .nullable()
    .meta({ description: 'Why the service disabled it.', ...derived }),
  publicKey: z.string().describe('Ed25519 key that verifies `v1a` signatures.'),
  secretHint: z.string().describe('The last four characters of the secret.'),
  previousSecretExpiresAt: Timestamp.nullable().describe(
    'Until when messages are also signed with the secret before.',
  ),
  pendingCount: z
    .int()
    .min(0)
    .meta({ description: 'Messages that are still to be sent.', ...derived }),
  oldestPendingAt: Timestamp.nullable().meta({ ...derived }),
  lastDeliveredAt: Timestamp.nullable().meta({ ...derived }),
  createdBy: Id,
  createdAt: Timestamp,
  updatedAt: Timestamp,
};

export const Webhook = z.object(webhookFields).meta({
  id: 'Webhook',
  description: 'An endpoint of the organization that receives signed messages.',
  examples: [example],
});
export type Webhook = z.infer<typeof Webhook>;

export const WebhookPage = pageOf(Webhook, 'WebhookPage');

const secretNote =
  'Shown in this response only; a repetition with the same Idempotency-Key shows it for `expiresIn` seconds.';

export const CreatedWebhook = z
  .object({
    ...webhookFields,
    secret: z.string().describe(secretNote),
    expiresIn: z.int().describe('Seconds.'),
  })
  .meta({
    id: 'CreatedWebhook',
    description: 'A new endpoint with its secret.',
    examples: [
      { ...example, secret: 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oDw9Lr4TqxZk0=', expiresIn: 3600 },
    ],
  });

const url = verbatimText({ max: 2_000 }).describe(
  'An `https:` address that is reachable from the internet, without user and fragment, on port 443, 8443 or one from 1024.',
);
const description = text({ max: 200 }).nullable();

export const CreateWebhookBody = z
  .object({
    url,
    description: description.default(null),
    events: ChosenEvents,
    ordering: Ordering.default('PARALLEL'),
  })
  .meta({
    id: 'CreateWebhookBody',
    description: 'A new endpoint.',
    examples: [{ url: 'https://example.com/hooks/atelier', events: ['*'] }],
  });

export const UpdateWebhookBody = z
  .object({
    url: url.optional(),
    description: description.optional(),
    events: ChosenEvents.optional(),
    ordering: Ordering.optional(),
    isEnabled: z
      .boolean()
      .optional()
      .describe('False pauses; true sends what has waited, slowly at first.'),
  })
  .meta({
    id: 'UpdateWebhookBody',
    description: 'What to change; an absent field stays as it is.',
    examples: [{ isEnabled: false }],
  });

export const RotateWebhookSecretBody = z
  .object({ overlapHours: z.int().min(0).max(168).default(24) })
  .meta({
    id: 'RotateWebhookSecretBody',
    description: 'For how long messages are also signed with the secret before.',
    examples: [{ overlapHours: 24 }],
  });

export const RotatedWebhookSecret = z
  .object({
    secret: z.string().describe(secretNote),
    expiresIn: z.int().describe('Seconds.'),
    previousSecretExpiresAt: Timestamp,
  })
  .meta({
    id: 'RotatedWebhookSecret',
    description: 'The new secret of an endpoint.',
    examples: [
      {
        secret: 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oDw9Lr4TqxZk0=',
        expiresIn: 3600,
        previousSecretExpiresAt: '2026-11-22T09:30:00.000Z',
      },
    ],
  });

export const WebhookDeliveryStatus = z.enum(['PENDING', 'DELIVERED', 'FAILED']).meta({
  id: 'WebhookDeliveryStatus',
  description: 'FAILED: ten attempts failed.',
  examples: ['DELIVERED'],
});
const AttemptError = z
  .enum([
    'timeout',
    'connection_refused',
    'connection_reset',
    'tls',
    'dns',
    'address_refused',
    'redirect',
    'response_too_large',
  ])
  .nullable()
  .describe('Why there is no usable response.');

const deliveryFields = {
  id: Id,
  eventId: z.string().describe('The `webhook-id` of the message.'),
  eventType: WebhookEventName,
  sequence: z.int().min(1),
  status: WebhookDeliveryStatus,
  attemptCount: z.int().min(0),
  nextAttemptAt: Timestamp.nullable(),
  lastStatus: z.int().nullable().describe('Status of the last response.'),
  lastError: AttemptError,
  isReplay: z.boolean(),
  createdAt: Timestamp,
  deliveredAt: Timestamp.nullable(),
};

const deliveryExample = {
  id: '019aa4fb-2b3c-7d4e-9f50-a1b2c3d4e5f6',
  eventId: 'evt_019aa4f32c4d7e5fa0617c8d9e0f1a2b',
  eventType: 'task.move',
  sequence: 1042,
  status: 'DELIVERED',
  attemptCount: 1,
  nextAttemptAt: null,
  lastStatus: 204,
  lastError: null,
  isReplay: false,
  createdAt: '2026-11-21T09:30:00.000Z',
  deliveredAt: '2026-11-21T09:30:00.250Z',
};

export const WebhookDelivery = z.object(deliveryFields).meta({
  id: 'WebhookDelivery',
  description: 'A message to one endpoint, and what became of it.',
  examples: [deliveryExample],
});
export type WebhookDelivery = z.infer<typeof WebhookDelivery>;

export const WebhookDeliveryPage = pageOf(WebhookDelivery, 'WebhookDeliveryPage');

export const WebhookDeliveryDetails = z
  .object({
    ...deliveryFields,
    payload: z.record(z.string(), z.unknown()).describe('The message.'),
    attempts: z.array(
      z.object({
        number: z.int().min(1),
        startedAt: Timestamp,
        durationMs: z.int().min(0),
        status: z.int().nullable(),
        error: AttemptError,
        responseExcerpt: z.string().nullable().describe('The first 1,024 characters.'),
      }),
    ),
  })
  .meta({
    id: 'WebhookDeliveryDetails',
    description: 'A message with its content and every attempt.',
    examples: [
      {
        ...deliveryExample,
        payload: { type: 'task.move', sequence: 1042 },
        attempts: [
          {
            number: 1,
            startedAt: '2026-11-21T09:30:00.100Z',
            durationMs: 150,
            status: 204,
            error: null,
            responseExcerpt: null,
          },
        ],
      },
    ],
  });
export type WebhookDeliveryDetails = z.infer<typeof WebhookDeliveryDetails>;

export const ReplayWebhookBody = z
  .object({
    from: timestampInput().describe('From this time (inclusive), at most 30 days ago.'),
    to: timestampInput().optional().describe('Until this time (exclusive). Default: now.'),
    events: ChosenEvents.optional().describe('Default: what the endpoint has chosen.'),
    onlyFailed: z.boolean().default(false).describe('Only what ten attempts failed to deliver.'),
  })
  .meta({
    id: 'ReplayWebhookBody',
    description: 'What to send again.',
    examples: [{ from: '2026-11-21T09:00:00.000Z' }],
  });

export const WebhookReplay = z
  .object({ queuedCount: z.int().min(0), from: Timestamp, to: Timestamp })
  .meta({
    id: 'WebhookReplay',
    description: 'How many messages are sent again.',
    examples: [
      { queuedCount: 30, from: '2026-11-21T09:00:00.000Z', to: '2026-11-21T10:00:00.000Z' },
    ],
  });

export const WebhookEvents = z
  .object({
    items: z.array(
      z.object({
        type: WebhookEventName,
        description: z.string(),
        schema: z.record(z.string(), z.unknown()).describe('JSON Schema of the message.'),
        example: z.record(z.string(), z.unknown()),
      }),
    ),
  })
  .meta({
    id: 'WebhookEvents',
    description: 'Every event that can arrive.',
    examples: [
      {
        items: [
          { type: 'webhook.ping', description: 'A test of the endpoint.', schema: {}, example: {} },
        ],
      },
    ],
  });

// The type of an example is not that of its schema.
const [activityExample] = (Activity.meta()?.examples ?? []) as readonly unknown[];
const messageExample = {
  type: 'collection.rename',
  timestamp: '2026-11-21T09:30:00.000Z',
  organizationId: '019aa4f0-5c1e-7c00-8a51-0d9e2b7f6c11',
  sequence: 1042,
  isReplay: false,
};

export const WebhookMessage = z
  .object({ type: WebhookEventName, ...webhookMessageFields, data: Activity })
  .meta({
    id: 'WebhookMessage',
    description: 'What an endpoint receives about an activity.',
    examples: [{ ...messageExample, data: activityExample }],
  });

export const WebhookServiceMessage = z
  .object({
    type: WebhookEventName,
    ...webhookMessageFields,
    data: z.object({ webhookId: Id }),
  })
  .meta({
    id: 'WebhookServiceMessage',
    description: 'What an endpoint receives from the service itself.',
    examples: [{ ...messageExample, type: 'webhook.ping', data: { webhookId: example.id } }],
  });
