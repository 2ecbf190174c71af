import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { createLingering, type LingeringLimits } from './early-responses.ts';

const generous: LingeringLimits = {
  forMs: 60_000,
  silentMs: 60_000,
  lateMs: 60_000,
  whileStoppingMs: 60_000,
  maxBytes: 1024 ** 3,
  maxConnections: 1_000,
};

let server: Server;
const clients: Socket[] = [];
afterEach(() => {
  for (const client of clients.splice(0)) client.destroy();
  server.close();
});

/** A server that refuses everything by its headers, and keeps reading within these limits. */
async function refuse(limits: Partial<LingeringLimits>) {
  const lingering = createLingering({ ...generous, ...limits });
  server = createServer(({ socket }, response) => {
    socket.destroySoon = () => lingering.add(socket, 413);
    response.writeHead(413, { connection: 'close', 'content-length': 0 }).end();
  });
  server.on('clientError', () => {});
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return lingering;
}

/** A client that has its response and keeps sending regardless. */
async function stubborn(): Promise<Socket> {
  const { port } = server.address() as AddressInfo;
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  clients.push(socket.on('error', () => {}));
  socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000000\r\n\r\n');
  await once(socket, 'data');
  return socket;
}

/** Resolves once the server no longer reads what a client sends. */
async function sendSlowlyUntilCut(socket: Socket): Promise<void> {
  const sending = setInterval(() => socket.write('x'), 10);
  await new Promise((resolve) => socket.once('close', resolve));
  clearInterval(sending);
}

test('a slow sender is disconnected after a time, however much it sends', async () => {
  const lingering = await refuse({ forMs: 100 });
  await sendSlowlyUntilCut(await stubborn());
  await expect.poll(() => lingering.count()).toBe(0);
});

test('a silent client is disconnected, and an active one is not', async () => {
  const lingering = await refuse({ silentMs: 300 });
  const [talking] = [await stubborn(), await stubborn()];
  const sending = setInterval(() => talking?.write('x'), 20);
  await expect.poll(() => lingering.count()).toBe(1);
  expect(talking?.destroyed).toBe(false);
  clearInterval(sending);
});

test('time in which the process stood still does not make a client silent', async () => {
  const lingering = await refuse({ silentMs: 300 });
  const talking = await stubborn();
  const sending = setInterval(() => talking.write('x'), 20);
  await expect.poll(() => talking.bytesWritten).toBeGreaterThan(100);
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 700);
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(lingering.count()).toBe(1);
  clearInterval(sending);
});

test('an endless sender is disconnected after a number of bytes', async () => {
  const maxBytes = 4 * 1024 ** 2;
  await refuse({ maxBytes });
  const socket = await stubborn();
  const piece = Buffer.alloc(64 * 1024);
  const send = () => {
    while (socket.writable && socket.write(piece));
  };
  socket.on('drain', send);
  send();
  await new Promise((resolve) => socket.once('close', resolve));
  expect(socket.bytesWritten).toBeGreaterThan(maxBytes);
});

test('one connection too many evicts the one that has been open longest', async () => {
  const lingering = await refuse({ maxConnections: 3 });
  const first = await stubborn();
  const others = [await stubborn(), await stubborn(), await stubborn()];
  await sendSlowlyUntilCut(first);
  expect(others.map(({ destroyed }) => destroyed)).toEqual([false, false, false]);
  expect(lingering.count()).toBe(3);
});

test('during shutdown, existing and new connections get less time', async () => {
  const lingering = await refuse({ whileStoppingMs: 100 });
  const before = await stubborn();
  lingering.stop();
  const after = await stubborn();
  await Promise.all([sendSlowlyUntilCut(before), sendSlowlyUntilCut(after)]);
  await expect.poll(() => lingering.count()).toBe(0);
});

test('a client that stops sending is released at once', async () => {
  const lingering = await refuse({});
  const socket = await stubborn();
  socket.end();
  await expect.poll(() => lingering.count()).toBe(0);
});
