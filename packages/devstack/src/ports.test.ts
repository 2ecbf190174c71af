import { once } from 'node:events';
import type { Server } from 'node:net';
import { createServer } from 'node:net';
import { expect, test } from 'vitest';
import { listen } from './http/loopback.ts';
import { freePorts, isPortFree, startOnFreePorts } from './ports.ts';

async function squat(port: number, host: string): Promise<Server> {
  const server = createServer();
  await listen(server, port, host);
  return server;
}

async function leave(server: Server): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  await closed;
}

test.each(['127.0.0.1', '0.0.0.0', '::1'])('a port in use on %s is not free', async (host) => {
  const [port = 0] = await freePorts(1);
  const squatter = await squat(port, host);
  expect(await isPortFree(port)).toBe(false);
  await leave(squatter);
  expect(await isPortFree(port)).toBe(true);
});

test('free ports are consecutive, not ephemeral, and differ between calls', async () => {
  const calls = await Promise.all(Array.from({ length: 20 }, () => freePorts(5)));
  for (const ports of calls) {
    const [first = 0] = ports;
    expect(ports).toEqual([first, first + 1, first + 2, first + 3, first + 4]);
    expect(first).toBeGreaterThan(19_999);
    expect(ports.at(-1)).toBeLessThan(32_768);
  }
  expect(new Set(calls.map(([first]) => first)).size).toBeGreaterThan(1);
});

test('the next free port replaces a taken one, and no port is returned twice', async () => {
  const [port = 0] = await freePorts(1);
  const squatter = await squat(port, '127.0.0.1');
  const [first = 0, second = 0] = await startOnFreePorts([port, port], (ports) =>
    Promise.resolve(ports),
  );
  expect(first).toBeGreaterThan(port);
  expect(second).toBeGreaterThan(first);
  await leave(squatter);
});

test('a port that another process takes between the check and the start is skipped', async () => {
  const [port = 0] = await freePorts(1);
  let squatter: Server | undefined;
  const server = await startOnFreePorts([port], async ([found = 0]) => {
    squatter ??= await squat(found, '127.0.0.1');
    return squat(found, '127.0.0.1');
  });
  const address = server.address();
  expect(typeof address === 'object' && address?.port).toBeGreaterThan(port);
  await leave(server);
  if (squatter !== undefined) await leave(squatter);
});

test('any other error is thrown at once', async () => {
  let starts = 0;
  const starting = startOnFreePorts(await freePorts(1), () => {
    starts += 1;
    return Promise.reject(new Error('no disk'));
  });
  await expect(starting).rejects.toThrow('no disk');
  expect(starts).toBe(1);
});
