import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { startLoadGenerator } from './load.ts';

test('a spread job sends one request on each connection, and ends when it is finished', async () => {
  const paths: string[] = [];
  const pathsBySocket = new Map<unknown, Set<string>>();
  const server = createServer(({ url = '', socket }, response) => {
    paths.push(url);
    pathsBySocket.set(socket, (pathsBySocket.get(socket) ?? new Set()).add(url));
    response.end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const generator = startLoadGenerator();
  onTestFinished(() => {
    generator.stop();
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  const running = generator.run({
    url: `http://127.0.0.1:${port}`,
    connections: 3,
    requests: ['/a', '/b', '/c'].map((path) => ({ method: 'GET', path })),
    order: 'spread',
    headers: {},
    accessTokens: [],
    until: 'finished',
  });
  await expect.poll(() => paths.length, { timeout: 10_000 }).toBeGreaterThan(30);
  generator.finish();
  const result = await running;
  expect(result?.requestCount).toBeGreaterThan(30);
  expect([...pathsBySocket.values()].map((sent) => [...sent]).toSorted()).toEqual([
    ['/a'],
    ['/b'],
    ['/c'],
  ]);
}, 20_000);
