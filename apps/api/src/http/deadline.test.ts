import { setTimeout as delay } from 'node:timers/promises';
import { fastify, type FastifyInstance } from 'fastify';
import { afterEach, expect, test } from 'vitest';
import { addDeadline } from './deadline.ts';
import { answerErrors } from './error-handler.ts';

let app: FastifyInstance;
afterEach(() => app.close());

function listening(): FastifyInstance {
  app = fastify();
  answerErrors(app);
  addDeadline(app, { answeredWithinMs: 60, lookEveryMs: 10 });
  return app;
}

test('a call that nobody answers is a 503 in the error shape, and a later answer changes nothing', async () => {
  const late = Promise.withResolvers<object>();
  listening().get('/', () => late.promise);
  const answer = await app.inject('/');
  expect(answer.statusCode).toBe(503);
  expect(answer.headers['retry-after']).toBe('5');
  expect(answer.json()).toMatchObject({ code: 'service_unavailable' });
  late.resolve({ tooLate: true });
  await late.promise;
  expect((await app.inject('/')).statusCode).toBe(200);
});

test('each call is timed for itself', async () => {
  listening().get<{ Querystring: { ms: string } }>('/', async ({ query }) => {
    await delay(Number(query.ms));
    return {};
  });
  const statuses = await Promise.all(
    ['400', '0', '400', '0'].map(async (ms) => (await app.inject(`/?ms=${ms}`)).statusCode),
  );
  expect(statuses).toEqual([503, 200, 503, 200]);
});

test('an answer that has begun is left alone', async () => {
  listening().get('/', (_request, reply) => {
    reply.hijack();
    reply.raw.write('begun ');
    void delay(150).then(() => reply.raw.end('and ended'));
  });
  const answer = await app.inject('/');
  expect([answer.statusCode, answer.body]).toEqual([200, 'begun and ended']);
});

test('a call given up by its caller is not answered, and costs the others nothing', async () => {
  const seen = Promise.withResolvers<void>();
  listening().get('/', async ({ id }) => {
    if (id === 'req-1') {
      seen.resolve();
      await delay(150);
    }
    return {};
  });
  const url = await app.listen({ port: 0, host: '127.0.0.1' });
  const caller = new AbortController();
  const given = fetch(url, { signal: caller.signal }).catch((error: Error) => error.name);
  await seen.promise;
  caller.abort();
  expect(await given).toBe('AbortError');
  await delay(200);
  expect((await fetch(url)).status).toBe(200);
});
