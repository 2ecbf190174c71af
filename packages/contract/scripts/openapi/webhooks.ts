import type { createDocument } from 'zod-openapi';
import { WebhookMessage, WebhookServiceMessage } from '../../src/webhook-schemas.ts';
import { describeWebhookEvent, isService, webhookEventTypes } from '../../src/webhook-events.ts';
import type { WebhookEventType } from '../../src/webhook-events.ts';

type Document = ReturnType<typeof createDocument>;
type Webhooks = NonNullable<Document['webhooks']>;

/** The messages that the service sends, as named schemas. */
export const messageSchemas = { WebhookMessage, WebhookServiceMessage };

const parameters = {
  messageId: header('webhook-id', {
    description:
      'Identifies the event: the same in every attempt and repetition. It may arrive twice; drop the second one.',
    example: 'evt_019aa4f32c4d7e5fa0617c8d9e0f1a2b',
  }),
  messageTimestamp: header('webhook-timestamp', {
    description:
      'When this attempt was made, in seconds since 1970. Refuse what is older than 5 minutes.',
    example: '1763717400',
  }),
  messageSignature: header('webhook-signature', {
    description:
      'Signatures of `id.timestamp.body`, separated by spaces: `v1,` HMAC-SHA256 with each valid secret, `v1a,` Ed25519.',
    example: 'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  }),
};

const responses = {
  MessageAccepted: { description: 'Received. Respond within 15 seconds, before you process it.' },
  EndpointGone: {
    description:
      'Nothing more is sent: the endpoint is disabled. Any other status is a failure, and the message is sent again.',
  },
};

function header(name: string, { description, example }: { description: string; example: string }) {
  const schema = { type: 'string' as const, examples: [example] };
  return { in: 'header' as const, name, required: true, description, schema };
}

/** Adds the messages of webhooks: one entry for each event, around the schemas that all of them share. */
export function withWebhooks(document: Document): Document {
  const { components } = document;
  return {
    ...document,
    webhooks: Object.fromEntries(webhookEventTypes.map((type) => [type, entryOf(type)])),
    components: {
      ...components,
      parameters: { ...components?.parameters, ...parameters },
      responses: { ...components?.responses, ...responses },
    },
  };
}

function entryOf(type: WebhookEventType): Webhooks[string] {
  const message = isService(type) ? 'WebhookServiceMessage' : 'WebhookMessage';
  return {
    post: {
      operationId: `on.${type}`,
      tags: ['webhooks'],
      summary: describeWebhookEvent(type).slice(0, -1),
      security: [],
      parameters: referencesTo('parameters', parameters),
      requestBody: {
        required: true,
        content: {
          'application/json': {
            schema: {
              allOf: [
                { $ref: `#/components/schemas/${message}` },
                { properties: { type: { const: type } } },
              ],
            },
          },
        },
      },
      responses: {
        '2XX': { $ref: '#/components/responses/MessageAccepted' },
        '410': { $ref: '#/components/responses/EndpointGone' },
      },
    },
  };
}

function referencesTo(section: string, named: object) {
  return Object.keys(named).map((name) => ({ $ref: `#/components/${section}/${name}` }));
}
