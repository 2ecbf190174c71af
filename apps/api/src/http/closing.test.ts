import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { fastify, type FastifyInstance } from 'fastify';
import { expect, test } from 'vitest';
import { limitClosing } from './closing.ts';
import { addDeadline } from './deadline.ts';

/** More than the buffers of a connection hold. */
const bodyBytes = 20_000_000;

/** A server with a large response, which has `timeoutMs` to stop. */
async function listening(timeoutMs: number): Promise<FastifyInstance> {
  const app = fastify();
  addDeadline(app, {
    receivedWithinMs: 60_000,
    respondedWithinMs: 60_000,
    silentMs: 60_000,
    onDisconnected() {},
  });
  limitClosing(app, { SHUTDOWN_TIMEOUT_MS: timeoutMs });
  app.get('/', async () => 'x'.repeat(bodyBytes));
  await app.listen({ port: 0, host: '127.0.0.1' });
  return app;
}

/** Requests the response, of which nothing is read before its `data` is listened for. */
async function startReading(app: FastifyInstance) {
  const socket = connect(Number(new URL(app.listeningOrigin).port), '127.0.0.1').on(
    'error',
    () => {},
  );
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  await once(socket, 'readable');
  return socket;
}

test('a client that pauses during a complete response still gets all of it', async () => {
  const app = await listening(20_000);
  const socket = await startReading(app);
  const closed = app.close();
  await delay(300);
  let bytes = 0;
  socket.on('data', (chunk: Buffer) => (bytes += chunk.length));
  await Promise.all([closed, once(socket, 'close')]);
  expect(bytes).toBeGreaterThan(bodyBytes);
});

test('a client that does not read a complete response delays the shutdown for a part of its time', async () => {
  const app = await listening(1_000);
  const socket = await startReading(app);
  const startedAt = performance.now();
  await app.close();
  expect(performance.now() - startedAt).toBeGreaterThan(400);
  socket.destroy();
});
