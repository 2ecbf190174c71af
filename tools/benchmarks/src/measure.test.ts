import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { startLoadGenerator } from './load.ts';
import { measure } from './measure.ts';
import type { Variant } from './scenario.ts';

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

/** Rotates tokens as the service does: one that comes twice is refused, and so is one that nobody was given. */
async function startRotation({ answersAfterMs }: { answersAfterMs: number }) {
  let given = 0;
  const [open, used]: [Set<string>, string[]] = [new Set(), []];
  const give = () => {
    given += 1;
    open.add(`token ${given}`);
    return `token ${given}`;
  };
  const server = createServer((request, response) => {
    void (async () => {
      const { refreshToken } = (await json(request)) as { refreshToken: string };
      const isGood = open.delete(refreshToken);
      used.push(refreshToken);
      // Not before the round is over, however slow this machine is.
      await delay(answersAfterMs);
      response
        .writeHead(isGood ? 200 : 401, { 'content-type': 'application/json' })
        .end(JSON.stringify({ data: { refreshToken: give() } }));
    })();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  ends.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, give, used };
}

function refreshing(rotation: Awaited<ReturnType<typeof startRotation>>): Variant {
  const { url, give } = rotation;
  return {
    name: 'refreshing',
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
      carried: { field: 'refreshToken', first: [give(), give()] },
    }),
  };
}

async function measureRefreshing(answersAfterMs: number) {
  const rotation = await startRotation({ answersAfterMs });
  const generator = startLoadGenerator();
  ends.push(() => generator.stop());
  const pace = {
    rounds: 1,
    secondsPerRound: 1,
    warmUpSeconds: 1,
    leadInSeconds: 1,
    oneTimeRequests: 1,
  };
  const scenario = { id: 'S9', title: 'refresh', variants: [refreshing(rotation)] };
  const [measured] = await measure({ generator, pace, say: () => {} }, [scenario]);
  return { used: rotation.used, rounds: measured?.variants[0]?.rounds ?? [] };
}

test('a round without any answer is made again with tokens that were not sent before', async () => {
  const { used, rounds } = await measureRefreshing(2_500);
  expect(rounds.map(({ requestCount }) => requestCount)).toEqual([2]);
  // Warming up, leading in and the round: twice each, as none was answered in its time.
  expect(used).toHaveLength(12);
  expect(new Set(used).size).toBe(12);
}, 40_000);

test('each answer gives what the next request sends', async () => {
  const { used, rounds } = await measureRefreshing(1);
  expect(rounds[0]?.requestCount).toBeGreaterThan(10);
  expect(new Set(used).size).toBe(used.length);
}, 40_000);
