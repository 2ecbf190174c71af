import { fastify } from 'fastify';
import { expect, test } from 'vitest';
import { noCompilers } from './route-schemas.ts';

const text = { type: 'object', properties: { name: { type: 'string' } } };

test.each([
  ['what it takes', { querystring: text }],
  ['its responses', { response: { 200: text } }],
])('a route that declares %s by itself fails at once', async (_what, schema) => {
  const app = fastify({ schemaController: { compilersFactory: noCompilers } });
  app.get('/', { schema }, async () => ({}));
  await expect(app.ready()).rejects.toThrow('A schema belongs to the contract');
});

test('a route without one works', async () => {
  const app = fastify({ schemaController: { compilersFactory: noCompilers } });
  app.get('/', async () => ({ name: 'kept as it is', more: 1 }));
  expect((await app.inject('/')).json()).toEqual({ name: 'kept as it is', more: 1 });
});
