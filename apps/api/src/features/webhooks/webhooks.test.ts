import { setTimeout as delay } from 'node:timers/promises';
import { eq, sql } from 'drizzle-orm';
import pino from 'pino';
import { describe, expect, test, vi } from 'vitest';
import { idempotencyKeys, webhooks } from '../../db/generated/schema.ts';
import { newId } from '../../kernel/ids.ts';
import { holdPosition } from '../../domain/log-positions/queries.ts';
import { enqueuePump, lockWebhooks, webhookConsumer } from '../../domain/webhooks/queries.ts';
import { logIn, newUser } from '../../testing/accounts.ts';
import { activitiesOf } from '../../testing/activities.ts';
import { call, send } from '../../testing/api.ts';
import { untilWaiting } from '../../testing/crowd.ts';
import { untilIdle } from '../../testing/library.ts';
import { joinTeam } from '../../testing/organizations.ts';
import { setUpApi } from '../../testing/set-up.ts';
import { fail, isSignedBy, messageIn, setUpWebhooks } from '../../testing/webhooks.ts';

const api = await setUpApi();
const { user, team } = await setUpWebhooks(api);

test('a removal waits until messages of its endpoint are queued, and neither is refused', async () => {
  const { id, by, params } = await team();
  const position = { organizationId: id, consumer: webhookConsumer };
  const { underWay, locked } = await api.db.transaction(async (tx) => {
    // In the order of the follower.
    await holdPosition(tx, position);
    const underWay = call(api, 'webhooks.remove', { ...by, params });
    await untilWaiting(tx, 1);
    const locked = await lockWebhooks(tx, id);
    return { underWay, locked };
  });
  expect(locked.map((endpoint) => endpoint.id)).toEqual([params.webhookId]);
  expect((await underWay).status).toBe(200);
});

test('a change to what an endpoint has already is none', async () => {
  const { by, params, webhookId } = await team();
  const read = async () => (await call(api, 'webhooks.get', { ...by, params })).body.data;
  const before = await read();
  const recorded = await activitiesOf(api, webhookId);
  const { url, description, events, ordering } = before;
  const body = { url, description, events, ordering, isEnabled: true };
  const { status } = await call(api, 'webhooks.update', { ...by, params, body });
  expect([status, await read()]).toEqual([200, before]);
  expect(await activitiesOf(api, webhookId)).toEqual(recorded);
});

describe('rights', () => {
  test('are those of administrators; outsiders hear nothing', async () => {
    const { id, params } = await team();
    const [member, stranger] = [await newUser(api), await newUser(api)];
    await joinTeam(api, id, member, 'MEMBER');
    const asks = ({ token }: { token: string }) =>
      call(api, 'webhooks.get', { token, params }).then(({ status }) => status);
    expect([await asks(member), await asks(stranger)]).toEqual([403, 404]);
  });

  test('end at the limit of the organization', async () => {
    const { id, by } = await team();
    const create = () =>
      call(api, 'webhooks.create', {
        ...by,
        params: { id },
        body: { url: 'http://127.0.0.1:1024/', events: ['*'] },
      });
    for (let index = 1; index < 20; index += 1) expect((await create()).status).toBe(201);
    const refused = await create();
    expect([refused.status, refused.body.code]).toEqual([409, 'too_many_webhooks']);
  });

  test.each([
    'https://10.0.0.1/',
    'https://169.254.169.254/latest/meta-data',
    'https://[::ffff:169.254.169.254]/',
    'https://[64:ff9b::a9fe:a9fe]/',
    'https://user:secret@example.com/',
    'https://example.com:25/',
    'ftp://example.com/',
    'nonsense',
  ])('do not reach %s', async (url) => {
    const { id, by } = await team();
    const { status, body } = await call(api, 'webhooks.create', {
      ...by,
      params: { id },
      body: { url, events: ['*'] },
    });
    expect([status, body.code]).toEqual([400, 'webhook_address_refused']);
  });
});

describe('the secret', () => {
  test('is shown once, and is nowhere else', async () => {
    const { id, by, params, secret, webhookId } = await team();
    expect(secret).toMatch(/^whsec_[\w+/]{43}=$/);
    const shown = [
      await call(api, 'webhooks.get', { ...by, params }),
      await call(api, 'webhooks.list', { ...by, params }),
    ];
    for (const { text } of shown) expect(text).not.toContain(secret);
    expect(JSON.stringify(await activitiesOf(api, webhookId))).not.toContain(secret.slice(6));
    const [row] = await api.db.select().from(webhooks).where(eq(webhooks.id, webhookId));
    const raw = Buffer.from(secret.slice(6), 'base64');
    expect(row?.secret.includes(raw)).toBe(false);
    expect(id).toBe(row?.organizationId);
  });

  test('is repeated under its idempotency key for an hour, from a sealed response', async () => {
    const { id, by } = await team();
    const headers = { 'idempotency-key': newId() };
    const create = () =>
      call(api, 'webhooks.create', {
        ...by,
        headers,
        params: { id },
        body: { url: 'http://127.0.0.1:1024/', events: ['*'] },
      });
    const first = await create();
    const again = await create();
    expect(again.body).toEqual(first.body);
    const [stored] = await api.db
      .select()
      .from(idempotencyKeys)
      .where(eq(idempotencyKeys.key, headers['idempotency-key']));
    expect(stored?.body?.toString('latin1')).not.toContain(first.body.data.secret.slice(6, 20));
    const keptMs = (stored?.expiresAt.getTime() ?? 0) - api.clock.now().getTime();
    expect(keptMs).toBeLessThanOrEqual(3_600_000);
  });

  test('overlaps with the one before', async () => {
    const { by, params, secret, receiver, newCollection, later, get } = await team();
    const rotated = await call(api, 'webhooks.rotateSecret', {
      ...by,
      params,
      body: { overlapHours: 1 },
    });
    expect(rotated.status).toBe(201);
    const next = String(rotated.body.data.secret);
    expect((await get()).secretHint).toBe(next.slice(-4));
    await newCollection();
    // The activity of the rotation is a message as well.
    const during = (await receiver.count(2)).at(-1);
    if (!during) throw new Error('nothing arrived');
    expect([secret, next].map((one) => isSignedBy(one, during))).toEqual([true, true]);
    await later(3_700);
    await newCollection();
    const after = (await receiver.count(3)).at(-1);
    if (!after) throw new Error('nothing arrived');
    expect([secret, next].map((one) => isSignedBy(one, after))).toEqual([false, true]);
  });

  test('is sealed with the current key before an older one goes', async () => {
    const { webhookId } = await team();
    const sealedBy = async () => {
      const [row] = await api.db.select().from(webhooks).where(eq(webhooks.id, webhookId));
      return row?.secret.toString('base64url', 0, 6);
    };
    expect(await sealedBy()).toBe(api.deps.keys.webhookSecrets.current.id);
  });
});

test('a secret is in no line of the log, whatever happens to its endpoint', async () => {
  const { log } = api.deps;
  const { [pino.symbols.streamSym]: stream } = log as unknown as Record<
    symbol,
    { write(line: string): void }
  >;
  const lines: string[] = [];
  const writing = vi.spyOn(stream as { write(line: string): void }, 'write');
  writing.mockImplementation((line) => void lines.push(line));
  const before = log.level;
  log.level = 'trace';
  try {
    const { by, params, secret, receiver, get } = await team();
    receiver.respond(fail(500));
    const rotated = await call(api, 'webhooks.rotateSecret', { ...by, params, body: {} });
    const next = String(rotated.body.data.secret);
    await call(api, 'webhooks.ping', { ...by, params });
    await receiver.count(2);
    receiver.respond(fail(410));
    await call(api, 'webhooks.ping', { ...by, params });
    await expect.poll(async () => (await get()).status).toBe('DISABLED');
    expect(lines.length).toBeGreaterThan(5);
    for (const shown of [secret, next]) {
      const [key = ''] = shown.split('_').slice(-1);
      expect(key.length).toBeGreaterThan(40);
      const hex = Buffer.from(key, 'base64').toString('hex');
      expect(lines.filter((line) => line.includes(key) || line.includes(hex))).toEqual([]);
    }
  } finally {
    log.level = before;
    writing.mockRestore();
  }
});

describe('sending again', () => {
  test('replays a period from the log, once for an idempotency key', async () => {
    const { by, params, receiver, newCollection } = await team({ events: ['collection.create'] });
    for (let index = 0; index < 30; index += 1) await newCollection();
    const ids = (await receiver.count(30)).map(({ id }) => id).toSorted();
    const headers = { 'idempotency-key': newId() };
    const from = new Date(api.clock.now().getTime() - 3_600_000).toISOString();
    const replay = () =>
      call(api, 'webhooks.replay', {
        ...by,
        params,
        headers,
        body: { from },
      });
    expect((await replay()).body.data.queuedCount).toBe(30);
    const again = (await receiver.count(60)).slice(30);
    expect(again.map(({ id }) => id).toSorted()).toEqual(ids);
    expect(again.every((one) => messageIn(one).isReplay)).toBe(true);
    expect((await replay()).status).toBe(201);
    await delay(300);
    expect(receiver.received).toHaveLength(60);
  });

  test('repeats one message with its id', async () => {
    const { by, params, receiver, newCollection, deliveries } = await team();
    await newCollection();
    const [first] = await receiver.count(1);
    const deliveryId = String((await deliveries()).items.at(-1).id);
    const resent = await call(api, 'webhooks.resend', { ...by, params: { ...params, deliveryId } });
    expect([resent.status, resent.body.data.isReplay]).toEqual([201, true]);
    await expect.poll(() => receiver.received.filter(({ id }) => id === first?.id)).toHaveLength(2);
  });

  test('sends nothing through an endpoint that is paused', async () => {
    const { by, params, update } = await team();
    const ping = await call(api, 'webhooks.ping', { ...by, params });
    const deliveryId = String(ping.body.data.id);
    await update({ isEnabled: false });
    const from = api.clock.now().toISOString();
    const refused = [
      await call(api, 'webhooks.ping', { ...by, params }),
      await call(api, 'webhooks.resend', { ...by, params: { ...params, deliveryId } }),
      await call(api, 'webhooks.replay', { ...by, params, body: { from } }),
    ];
    for (const { status, body } of refused) {
      expect([status, body.code]).toEqual([409, 'webhook_disabled']);
    }
  });

  test('tests an endpoint the same way as any message', async () => {
    const { by, params, receiver, secret } = await team({ events: ['task.create'] });
    await call(api, 'webhooks.ping', { ...by, params });
    const [message] = await receiver.count(1);
    expect(message && messageIn(message).type).toBe('webhook.ping');
    expect(message && isSignedBy(secret, message)).toBe(true);
  });

  test('is refused while too many messages wait', async () => {
    const { id, by, params, webhookId, newCollection } = await team({ events: ['task.create'] });
    await newCollection();
    await api.db.execute(sql`
      insert into webhook_deliveries (organization_id, id, webhook_id, event_id, event_type, sequence, body, status,
        attempt_count, next_attempt_at, is_replay, created_at)
      select ${id}, gen_random_uuid(), ${webhookId}, gen_random_uuid(), 'task.create', n, '{}', 'PENDING', 0,
        now() + interval '10 years', true, now() from generate_series(1, 20000) as n`);
    const from = new Date(api.clock.now().getTime() - 3_600_000).toISOString();
    const replay = (events: readonly string[]) =>
      call(api, 'webhooks.replay', { ...by, params, body: { from, events } });
    const { status, body } = await replay(['collection.create']);
    expect([status, body.code, body.message]).toEqual([
      400,
      'webhook_replay_too_large',
      expect.stringContaining('20000'),
    ]);
    expect((await replay(['task.create'])).body.data.queuedCount).toBe(0);
  });

  test('refuses a window with too many events, and says how many', async () => {
    const { id, by, params } = await team();
    const now = api.clock.now().toISOString();
    await api.db.execute(sql`
      insert into activities (id, action, actor_id, organization_id, resource_type, resource_id,
        resource_name, changes, metadata, created_at)
      select gen_random_uuid(), 'collection.create', ${user.id}, ${id}, 'collection', gen_random_uuid(),
        'Many', '[]', '{}', ${now}::timestamptz - interval '1 hour' from generate_series(1, 10001)`);
    const from = new Date(Date.parse(now) - 7_200_000).toISOString();
    const to = new Date(Date.parse(now) - 1_800_000).toISOString();
    const { status, body } = await call(api, 'webhooks.replay', {
      ...by,
      params,
      body: { from, to },
    });
    expect([status, body.code, body.message]).toEqual([
      400,
      'webhook_replay_too_large',
      expect.stringContaining('10001'),
    ]);
  });
});

describe('an endpoint is of the organization', () => {
  test('and stays when who made it leaves', async () => {
    const { id, by, params, receiver, secret, get } = await team({ events: ['collection.create'] });
    const [heir, maker] = [await newUser(api), await newUser(api)];
    await joinTeam(api, id, heir, 'OWNER');
    const { memberId } = await joinTeam(api, id, maker, 'ADMIN');
    const made = await call(api, 'webhooks.create', {
      token: maker.token,
      params: { id },
      body: { url: receiver.url, events: ['collection.create'] },
    });
    const { secret: own } = made.body.data;
    const removed = { ...by, params: { id, memberId } };
    expect((await call(api, 'organizations.removeMember', removed)).status).toBe(200);
    const collection = { token: heir.token, organizationId: id, body: { title: 'Afterwards' } };
    expect((await call(api, 'collections.create', collection)).status).toBe(201);
    const messages = await receiver.count(2);
    for (const one of [secret, own]) {
      expect(messages.filter((message) => isSignedBy(one, message))).toHaveLength(1);
    }
    expect((await get()).status).toBe('ACTIVE');
    const gone = await call(api, 'webhooks.get', { token: maker.token, params });
    expect(gone.status).toBe(404);
  });

  test('and is sent nothing any more when that is deleted', async () => {
    const { id, by, receiver, newCollection, webhookId } = await team();
    receiver.respond(fail(500));
    await newCollection();
    await receiver.count(1);
    const { token } = await logIn(api, user);
    const { body } = await call(api, 'organizations.get', { ...by, params: { id } });
    const removal = { token, params: { id }, query: { confirmName: body.data.name } };
    expect((await call(api, 'organizations.remove', removal)).status).toBe(200);
    const sent = receiver.received.length;
    api.clock.advance({ seconds: 60 });
    await api.db.transaction((tx) => enqueuePump(tx, { organizationId: id, webhookId }));
    await untilIdle(api);
    expect(receiver.received).toHaveLength(sent);
    expect(await api.db.$count(webhooks, eq(webhooks.id, webhookId))).toBe(0);
  });
});

test('the list of events has a schema and an example for each', async () => {
  const { status, body } = await send(api, '/api/webhook-events');
  expect(status).toBe(200);
  const types = body.data.items.map(({ type }: { type: string }) => type);
  expect(types).toContain('task.move');
  expect(types).toContain('webhook.reset');
  expect(types.filter((type: string) => /^user\.|favorite|^upload\./.test(type))).toEqual([]);
});
