import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { operations } from '@atelier/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { expect, test } from 'vitest';
import { newUser } from '../testing/accounts.ts';
import { call } from '../testing/api.ts';
import { setUpApi } from '../testing/set-up.ts';

const api = await setUpApi();

/** Published by the framework when it calls a handler. */
const handled = 'tracing:fastify.request.handler:start';

test('the requests and replies of all features are of one class, whose fields the engine finds at once', async () => {
  const user = await newUser(api, 'user');
  const requests: unknown[] = [];
  const replies: unknown[] = [];
  const note = (message: unknown) => {
    const { request, reply } = message as { request: FastifyRequest; reply: FastifyReply };
    requests.push(request.constructor);
    replies.push(reply.constructor);
  };
  const lists = operations.filter(
    ({ id, endpoint }) => id.endsWith('.list') && endpoint.metadata.access.kind !== 'share',
  );
  subscribe(handled, note);
  try {
    for (const { id } of lists) await call(api, id, user);
  } finally {
    unsubscribe(handled, note);
  }
  expect(lists.length).toBeGreaterThan(8);
  expect(requests).toHaveLength(lists.length);
  expect([new Set(requests).size, new Set(replies).size]).toEqual([1, 1]);
});
