// @module-tag slow

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { startLoadGenerator } from './load.ts';
import { measure } from './measure.ts';
import type { Variant } from './scenario.ts';

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanups.splice(0)) await cleanUp();
});

/** Rotates tokens as the service does: rejects used and unknown tokens. */
async function startRotation({ delayMs }: { delayMs: number }) {
  let issued = 0;
  const [open, used]: [Set<string>, string[]] = [new Set(), []];
  const issue = () => {
    issued += 1;
    open.add(`token ${issued}`);
    return `token ${issued}`;
  };
  const server = createServer((request, response) => {
    void (async () => {
      const { refreshToken } = (await json(request)) as { refreshToken: string };
      const isGood = open.delete(refreshToken);
      used.push(refreshToken);
      // The round is over by then, however slow this machine is.
      await delay(delayMs);
      response
        .writeHead(isGood ? 200 : 401, { 'content-type': 'application/json' })
        .end(JSON.stringify({ data: { refreshToken: issue() } }));
    })();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  cleanups.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, issue, used };
}

function refreshing(rotation: Awaited<ReturnType<typeof startRotation>>): Variant {
  const { url, issue } = rotation;
  return {
    name: 'refreshing',
    role: 'service',
    server: {
      url,
      pid: process.pid,
      cpuMs: () => null,
      residentBytes: () => null,
      stop: async () => {},
    },
    traffic: async () => ({
      url,
      connections: 2,
      headers: {},
      accessTokens: [],
      requests: [{ method: 'POST', path: '/' }],
      carried: { field: 'refreshToken', first: [issue(), issue()] },
    }),
  };
}

async function measureRefreshing(delayMs: number) {
  const rotation = await startRotation({ delayMs });
  const generator = startLoadGenerator();
  cleanups.push(() => generator.stop());
  const pace = {
    rounds: 1,
    secondsPerRound: 1,
    warmUpSeconds: 1,
    leadInSeconds: 1,
    oneTimeRequests: 1,
  };
  const scenario = { id: 'S9', title: 'refresh', variants: [refreshing(rotation)] };
  const [measured] = await measure({ generator, pace, log: () => {} }, [scenario]);
  return { used: rotation.used, rounds: measured?.variants[0]?.rounds ?? [] };
}

test('a round without a response is repeated with tokens that were not sent before', async () => {
  const { used, rounds } = await measureRefreshing(2_500);
  expect(rounds.map(({ requestCount }) => requestCount)).toEqual([2]);
  // Warm-up, lead-in and round: twice each, because no response came in time.
  expect(used).toHaveLength(12);
  expect(new Set(used).size).toBe(12);
}, 40_000);

test('each request sends the token of the response before it', async () => {
  const { used, rounds } = await measureRefreshing(1);
  expect(rounds[0]?.requestCount).toBeGreaterThan(10);
  expect(new Set(used).size).toBe(used.length);
}, 40_000);
