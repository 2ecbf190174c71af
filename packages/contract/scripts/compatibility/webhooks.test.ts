import { expect, test } from 'vitest';
import { openApiDocument } from '../openapi/document.ts';
import { breaksBetween } from './breaks.ts';
import type { OpenApi } from './document.ts';

test('an event, or a field of its message, that is gone is a break', () => {
  const real = JSON.parse(JSON.stringify(openApiDocument())) as Required<OpenApi>;
  const { 'task.move': moved, ...webhooks } = real.webhooks;
  expect(moved).toBeDefined();
  expect(breaksBetween(real, { ...real, webhooks })).toEqual(['webhook task.move: removed']);
  const schemas = structuredClone(real.components['schemas'] ?? {});
  const message = schemas['WebhookMessage'] as { properties: Record<string, unknown> };
  delete message.properties['sequence'];
  const shorter = { ...real, components: { ...real.components, schemas } };
  expect(breaksBetween(real, shorter)).toContainEqual(
    expect.stringMatching(/^webhook task\.move\W.*sequence/),
  );
});
