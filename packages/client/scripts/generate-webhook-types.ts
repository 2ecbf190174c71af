import {
  describeWebhookEvent,
  webhookEventTypes,
  webhookMessageFields,
  webhookMessageSchema,
} from '@atelier/contract';
import { z } from 'zod';
import { indent, printComment, printType, type JsonSchema, type NameOf } from './print-type.ts';

const banner =
  '// Made from @atelier/contract by scripts/generate.ts; change the contract, not this file.\n';

/** Prints the types of the messages that webhooks send. */
export function generateWebhookTypes(): string {
  const named = new Set<string>();
  const nameOf: NameOf = (id) => {
    named.add(id);
    return id;
  };
  const data = webhookEventTypes.map((type) => {
    const printed = printType(jsonSchemaOf(webhookMessageSchema(type).shape.data), nameOf);
    return `${printComment(describeWebhookEvent(type))}'${type}': ${printed};\n`;
  });
  const fields = printType(jsonSchemaOf(z.object(webhookMessageFields)), nameOf);
  return [
    banner,
    `import type { ${[...named].toSorted().join(', ')} } from './types.ts';\n`,
    `${printComment('What every message has beside its type and its data.')}export interface WebhookMessageFields ${fields}\n`,
    `${printComment('The data of a message, by its type.')}export interface WebhookMessageData {\n${indent(data.join(''))}}\n`,
  ].join('\n');
}

function jsonSchemaOf(schema: z.ZodType): JsonSchema {
  // As a property, a named schema is a reference. zod types its result as any JSON Schema.
  const { properties } = z.toJSONSchema(z.object({ schema }), { io: 'output' }) as JsonSchema;
  return properties?.['schema'] ?? {};
}
