import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { eq, sql } from 'drizzle-orm';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { createResolver } from '../../adapters/outbound/names.ts';
import { createOutboundHttp } from '../../adapters/outbound/outbound.ts';
import { webhookDeliveries, webhooks } from '../../db/generated/schema.ts';
import { everywhere } from '../../db/scopes.ts';
import { webhookSecrets } from '../../domain/webhooks/secrets.ts';
import { call } from '../../testing/api.ts';
import { startDnsServer, type DnsServer } from '../../testing/dns-server.ts';
import { setUpApi } from '../../testing/set-up.ts';
import { messageIn, setUpWebhooks } from '../../testing/webhooks.ts';
import { startJobs } from '../start.ts';
import { createSlots } from './slots.ts';
import { pumpWebhook } from './pump.ts';

/** Stands for a public address: the tests leave this machine alone. */
const outside = '127.0.0.2';
const outbound = { OUTBOUND_ALLOWED_NETWORKS: outside, OUTBOUND_ALLOW_HTTP: 'true' };

const api = await setUpApi({ JOBS: 'separate', ...outbound });
// Accounts need mails.
const runner = await startJobs(api.deps);
const { team: newTeam, newReceiver } = await setUpWebhooks(api, outside);
await runner.stop();

const dns: DnsServer = await startDnsServer((name) => {
  const asked = dns.questions.filter((each) => each === name).length;
  return places[name]?.(asked) ?? null;
});
const places: Record<string, (asked: number) => readonly string[]> = {
  'private.test': () => ['10.0.0.1', '127.0.0.1'],
  'both.test': () => [outside, '127.0.0.1'],
  'turns.test': (asked) => (asked <= 1 ? [outside] : ['127.0.0.1']),
};
afterAll(() => dns.stop());

/** A process that sends. */
function newProcess(clock = api.clock) {
  return {
    db: api.deps.db,
    clock,
    outbound: createOutboundHttp(api.config, { clock, resolve: createResolver([dns.address]) }),
    webhookSecrets: webhookSecrets(api.deps.keys),
    slots: createSlots(),
  };
}

/** Sends as the job does: without a scope, policies of the database show it no rows. */
const pumpOf = (key: { organizationId: string; webhookId: string }, process = newProcess()) =>
  everywhere(api.deps.scopes, () => pumpWebhook(process, key, new AbortController().signal));

/** An organization with messages to its webhook that are still to be sent. */
async function team(settings: Parameters<typeof newTeam>[0] & { readonly pings?: number } = {}) {
  const { pings = 1, ...rest } = settings;
  const made = await newTeam({ events: ['task.create'], ...rest });
  const { by, params, id: organizationId, webhookId } = made;
  const ping = () => call(api, 'webhooks.ping', { ...by, params });
  for (let index = 0; index < pings; index += 1) expect((await ping()).status).toBe(201);
  const pump = (process?: ReturnType<typeof newProcess>) =>
    pumpOf({ organizationId, webhookId }, process);
  const rows = () =>
    api.db
      .select()
      .from(webhookDeliveries)
      .where(eq(webhookDeliveries.webhookId, webhookId))
      .orderBy(webhookDeliveries.sequence);
  return { ...made, ping, pump, rows };
}

/** A server inside the operator's network. */
async function startInside(host = '127.0.0.1') {
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    socket.destroy();
  }).listen(0, host);
  await once(server, 'listening');
  afterAll(() => server.close());
  return { port: (server.address() as AddressInfo).port, connections: () => connections };
}

describe('the network of the operator', () => {
  test('is no address of an endpoint', async () => {
    const { by, id } = await team({ pings: 0 });
    for (const url of [
      'https://127.0.0.1/',
      'https://[::1]/',
      'https://2130706433/',
      'https://0x7f.1/',
      'https://[::ffff:169.254.169.254]/',
      'https://[64:ff9b::a9fe:a9fe]/',
    ]) {
      const body = { url, events: ['*'] };
      const refused = await call(api, 'webhooks.create', { ...by, params: { id }, body });
      expect([url, refused.status, refused.body.code]).toEqual([
        url,
        400,
        'webhook_address_refused',
      ]);
    }
  });

  test('is not reached, whatever the name of an endpoint leads to', async () => {
    const inside = await startInside();
    const { by, params, webhookId, pump, rows, details } = await team({ pings: 0 });
    for (const host of [
      '127.0.0.1',
      '2130706433',
      '[::ffff:127.0.0.1]',
      '[64:ff9b::7f00:1]',
      'localhost',
      'private.test',
      'both.test',
    ]) {
      const url = `http://${host}:${inside.port}/`;
      // As if the rules had been others when it was entered.
      await api.db.update(webhooks).set({ url }).where(eq(webhooks.id, webhookId));
      await call(api, 'webhooks.ping', { ...by, params });
      await pump();
      const last = (await rows()).at(-1);
      expect([host, last?.lastError, last?.attemptCount]).toEqual([host, 'address_refused', 1]);
      // The time would tell whether there is such a host.
      const [attempt] = (await details(String(last?.id))).attempts;
      expect(attempt).toMatchObject({ durationMs: 0, status: null, responseExcerpt: null });
    }
    expect(inside.connections()).toBe(0);
  });

  test('is not reached by a name that changes after its first question', async () => {
    const inside = await startInside();
    const { by, params, update, pump, rows } = await team({ pings: 0 });
    const moved = await update({ url: `http://turns.test:${inside.port}/` });
    expect(moved.status).toBe(200);
    for (let index = 0; index < 2; index += 1) {
      await call(api, 'webhooks.ping', { ...by, params });
      await pump();
    }
    const errors = (await rows()).map(({ lastError }) => lastError);
    // Nothing listens at the public address.
    expect(errors).toEqual(['connection_refused', 'address_refused']);
    expect(dns.questions.filter((name) => name === 'turns.test')).toHaveLength(2);
    expect(inside.connections()).toBe(0);
  });

  test('is not reached by a redirect', async () => {
    const inside = await startInside();
    const { receiver, pump, rows } = await team();
    const location = `http://127.0.0.1:${inside.port}/`;
    receiver.respond((response) => void response.writeHead(307, { location }).end());
    await pump();
    expect(await rows()).toMatchObject([{ lastStatus: 307, lastError: 'redirect' }]);
    expect(inside.connections()).toBe(0);
  });
});

describe('a receiver', () => {
  test('that never stops responding is left, and its bytes are not kept', async () => {
    const { receiver, pump, rows, details } = await team();
    receiver.respond((response) => {
      response.writeHead(200, { 'content-type': 'text/plain' });
      const timer = setInterval(() => response.write('a'.repeat(8_192)), 5);
      response.on('close', () => clearInterval(timer));
    });
    await pump();
    const [row] = await rows();
    expect(row).toMatchObject({ status: 'PENDING', lastError: 'response_too_large' });
    expect((await details(String(row?.id))).attempts[0].responseExcerpt).toBeNull();
  });

  test('that closes early is tried again', async () => {
    const { receiver, pump, rows } = await team();
    receiver.respond((response) => void response.socket?.destroy());
    await pump();
    expect(await rows()).toMatchObject([{ status: 'PENDING', lastError: 'connection_reset' }]);
  });

  test('sends text that is no text, and the excerpt is', async () => {
    const { receiver, pump, rows, details } = await team();
    receiver.respond((response) =>
      response.writeHead(500).end(Buffer.from([0, 0xff, 0xfe, 0x61, 0xf0, 0x9f])),
    );
    await pump();
    const [row] = await rows();
    expect((await details(String(row?.id))).attempts).toMatchObject([
      { status: 500, responseExcerpt: expect.stringContaining('a') },
    ]);
  });
});

describe('while an attempt is under way', () => {
  test('its endpoint can be deleted: nothing more is sent', async () => {
    const { receiver, by, params, pump, rows } = await team({ ordering: 'STRICT', pings: 3 });
    receiver.respond(async (response) => {
      const removed = await call(api, 'webhooks.remove', { ...by, params });
      expect(removed.status).toBe(200);
      response.writeHead(204).end();
    });
    await pump();
    expect(receiver.received).toHaveLength(1);
    expect((await rows()).map(({ status }) => status)).toEqual(['DELIVERED', 'PENDING', 'PENDING']);
  });

  test('another process sends nothing out of order, even if the endpoint is paused and enabled', async () => {
    const { receiver, update, pump } = await team({ ordering: 'STRICT', pings: 3 });
    let other: Promise<void> | null = null;
    receiver.respond(async (response) => {
      if (other === null) {
        await update({ isEnabled: false });
        await update({ isEnabled: true });
        other = pump();
        await other;
      }
      response.writeHead(204).end();
    });
    await pump();
    // Two a second after it was enabled.
    api.clock.advance({ seconds: 2 });
    await pump();
    expect(receiver.received.map((one) => messageIn(one).sequence)).toEqual([1, 2, 3]);
  });

  test('a process that stood still sends nothing more of what it had in hand', async () => {
    const { receiver, pump, rows } = await team();
    const now = vi.spyOn(performance, 'now');
    // It takes the message in hand, and continues a minute later.
    const real = performance.now();
    now
      .mockReturnValueOnce(real)
      .mockReturnValueOnce(real)
      .mockReturnValue(real + 60_000);
    await pump().finally(() => now.mockRestore());
    expect(receiver.received).toEqual([]);
    expect(await rows()).toMatchObject([{ status: 'PENDING', attemptCount: 0 }]);
  });

  test('a process whose clock is ahead does not take it', async () => {
    const { receiver, pump } = await team();
    const ahead = { now: () => new Date(api.clock.now().getTime() + 3_600_000) };
    let other: Promise<void> | null = null;
    receiver.respond(async (response) => {
      other ??= pump({ ...newProcess(), clock: ahead as typeof api.clock });
      await other;
      response.writeHead(204).end();
    });
    await pump();
    expect(receiver.received).toHaveLength(1);
  });

  test('a result is noted once, if another process took the message meanwhile', async () => {
    const { receiver, pump, rows, details, webhookId } = await team();
    let other: Promise<void> | null = null;
    receiver.respond(async (response) => {
      const isFirst = other === null;
      if (isFirst) {
        await api.db
          .update(webhookDeliveries)
          .set({ claimedUntil: sql`now()` })
          .where(eq(webhookDeliveries.webhookId, webhookId));
        other = pump();
        await other;
      }
      response.writeHead(isFirst ? 500 : 204).end();
    });
    await pump();
    expect(receiver.received).toHaveLength(2);
    const [row] = await rows();
    expect(row).toMatchObject({ status: 'DELIVERED', attemptCount: 1 });
    expect((await details(String(row?.id))).attempts).toHaveLength(1);
  });
});

test('what ends together is noted together: a fast receiver gets many in few transactions', async () => {
  const { receiver, pump, rows, get } = await team({ pings: 60 });
  let held: (() => void)[] = [];
  receiver.respond((response) => {
    held.push(() => response.writeHead(204).end());
    if (held.length < 5) return;
    for (const respond of held) respond();
    held = [];
  });
  const transactions = vi.spyOn(api.deps.db, 'transaction');
  await pump().finally(() => transactions.mockRestore());
  const count = transactions.mock.calls.length;
  expect(receiver.received).toHaveLength(60);
  expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(60);
  expect(new Set((await rows()).map((row) => [row.status, row.attemptCount].join()))).toEqual(
    new Set(['DELIVERED,1']),
  );
  expect((await get()).pendingCount).toBe(0);
  expect(count).toBeLessThan(50);
});

describe('a batch ends', () => {
  test.each([
    [410, 'DISABLED'],
    [500, 'FAILING'],
  ])('with the first %i, and its rest is given back', async (status, expected) => {
    const { receiver, pump, rows, get } = await team({ pings: 60 });
    receiver.respond((response) => {
      // The third batch has 30.
      const isGood = receiver.received.length <= 40 || receiver.received.length > 60;
      response.writeHead(isGood ? 204 : status).end();
    });
    await pump();
    expect((await get()).status).toBe(expected);
    const waiting = (await rows()).filter((row) => row.status === 'PENDING');
    expect(waiting.filter(({ claimedUntil }) => claimedUntil !== null)).toEqual([]);
    const tried = waiting.filter(({ attemptCount }) => attemptCount > 0).length;
    if (expected === 'DISABLED') expect([tried > 0, tried <= 5]).toEqual([true, true]);
    else expect(tried).toBe(waiting.length);
  });

  test('when its endpoint is paused', async () => {
    const { receiver, update, pump, rows } = await team({ pings: 60 });
    let pausing: Promise<unknown> | null = null;
    receiver.respond(async (response) => {
      const count = receiver.received.length;
      if (count > 30) await (pausing ??= update({ isEnabled: false }));
      // Until what was on its way is noted, and the pause with it.
      if (count > 35) await delay(500);
      response.writeHead(204).end();
    });
    await pump();
    const waiting = (await rows()).filter((row) => row.status === 'PENDING');
    expect(waiting.length).toBeGreaterThan(10);
    expect(waiting.filter(({ claimedUntil }) => claimedUntil !== null)).toEqual([]);
  });

  test('when its endpoint moves, and the rest is sent to the new address', async () => {
    const { receiver, update, pump, rows } = await team({ pings: 60 });
    const other = await newReceiver();
    let moving: Promise<unknown> | null = null;
    receiver.respond(async (response) => {
      const count = receiver.received.length;
      if (count > 30) await (moving ??= update({ url: other.url }));
      // Until what was on its way is noted.
      if (count > 35) await delay(500);
      response.writeHead(204).end();
    });
    await pump();
    expect((await rows()).filter(({ status }) => status !== 'DELIVERED')).toEqual([]);
    const sent = [...receiver.received, ...other.received];
    expect(new Set(sent.map(({ id }) => id)).size).toBe(60);
    expect(other.received.length).toBeGreaterThan(10);
  });
});

test('endpoints that let requests time out leave slots to others', async () => {
  const process = newProcess();
  const slow = [await team(), await team(), await team(), await team(), await team()];
  for (const { id: organizationId, webhookId } of slow) {
    const slot = process.slots.take({ organizationId, webhookId });
    slot?.noteSlow(true);
    slot?.release();
  }
  const held: (() => void)[] = [];
  for (const { receiver } of slow) {
    receiver.respond((response) => void held.push(() => response.writeHead(204).end()));
  }
  const pumps = slow.map(({ pump }) => pump(process));
  await expect.poll(() => held).toHaveLength(4);
  await pumps[4];
  expect(held).toHaveLength(4);
  const other = await team();
  await other.pump(process);
  expect(other.receiver.received).toHaveLength(1);
  for (const respond of held) respond();
  await Promise.all(pumps);
});

test('an endpoint that answers late is noted as slow, and ends its turn', async () => {
  const { receiver, pump, rows } = await team({ pings: 12 });
  receiver.respond((response) => void delay(3_100).then(() => response.writeHead(204).end()));
  const slot = { isContended: false, noteSlow: vi.fn(), release: vi.fn() };
  await pump({ ...newProcess(), slots: { take: () => slot } });
  expect(slot.noteSlow.mock.calls).toEqual([[true]]);
  expect(receiver.received).toHaveLength(5);
  expect((await rows()).filter(({ status }) => status === 'DELIVERED')).toHaveLength(5);
});

test('a clock that went back delays nothing for ever', async () => {
  const { receiver, pump, rows, ping } = await team();
  const back = { now: () => new Date(api.clock.now().getTime() - 3_600_000) };
  await pump({ ...newProcess(), clock: back as typeof api.clock });
  expect(receiver.received).toEqual([]);
  await ping();
  await pump();
  expect((await rows()).map(({ status }) => status)).toEqual(['DELIVERED', 'DELIVERED']);
});

test('a second process waits while the first one has messages in hand', async () => {
  const { receiver, pump, webhookId } = await team({ pings: 30 });
  const held: (() => void)[] = [];
  receiver.respond((response) => void held.push(() => response.writeHead(204).end()));
  const first = pump();
  await receiver.count(1);
  await pump(newProcess());
  const waiting = await api.db.execute<{ seconds: number }>(sql`
    select extract(epoch from run_at - updated_at)::float8 as seconds from graphile_worker._private_jobs
    where payload ->> 'webhookId' = ${webhookId}`);
  expect(waiting).toHaveLength(1);
  expect(waiting[0]?.seconds).toBeGreaterThanOrEqual(1);
  receiver.respond((response) => void response.writeHead(204).end());
  for (const respond of held) respond();
  await first;
});

test('endpoints of an organization that hang leave slots to others', async () => {
  const process = newProcess();
  const first = await team();
  const held: (() => void)[] = [];
  const hang = await newReceiver();
  hang.respond((response) => void held.push(() => response.writeHead(204).end()));
  const { by, id: organizationId } = first;
  const pumps = [];
  for (let index = 0; index < 4; index += 1) {
    const body = { url: hang.url, events: ['task.create'] };
    const created = await call(api, 'webhooks.create', {
      ...by,
      params: { id: organizationId },
      body,
    });
    const webhookId = String(created.body.data.id);
    await call(api, 'webhooks.ping', { ...by, params: { id: organizationId, webhookId } });
    pumps.push(pumpOf({ organizationId, webhookId }, process));
  }
  await hang.count(3);
  // The fourth one asks again in a second, instead of holding a slot.
  await pumps[3];
  const other = await team();
  await other.pump(process);
  expect(other.receiver.received).toHaveLength(1);
  expect(hang.received).toHaveLength(3);
  for (const respond of held) respond();
  await Promise.all(pumps);
  const [waiting] = await api.db.execute<{ count: number }>(sql`
    select count(*)::int from graphile_worker._private_jobs
    where payload ->> 'organizationId' = ${organizationId} and run_at > created_at + interval '500 milliseconds'`);
  expect(waiting?.count).toBe(1);
});
