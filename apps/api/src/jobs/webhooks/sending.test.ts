import { setTimeout as delay } from 'node:timers/promises';
import { webhookMessageSchema } from '@atelier/contract';
import { eq, sql } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { webhookDeliveries, webhooks } from '../../db/generated/schema.ts';
import { mailsTo, newUser } from '../../testing/accounts.ts';
import { activitiesOf } from '../../testing/activities.ts';
import { call } from '../../testing/api.ts';
import { inTime } from '../../testing/in-time.ts';
import { allSettled, runJobs, someFile, untilIdle, uploadFile } from '../../testing/library.ts';
import { joinTeam } from '../../testing/organizations.ts';
import type { Received, Receiver } from '../../testing/receiver.ts';
import { refuseMailsTo } from '../../testing/refused-mails.ts';
import { setUpApi } from '../../testing/set-up.ts';
import {
  fail,
  isSignedBy,
  isSignedByKey,
  messageIn,
  setUpWebhooks,
} from '../../testing/webhooks.ts';
import { newProject, newTask } from '../../testing/work.ts';

const api = await setUpApi();
const { user, team, newReceiver, advance } = await setUpWebhooks(api);

describe('a message', () => {
  test('arrives within two seconds, signed in both ways', async () => {
    const { id, receiver, secret, webhook, newCollection } = await team();
    const collectionId = await newCollection();
    // Until then the message waits for transactions of other tests, too.
    await allSettled(api);
    const [message] = await inTime(2_000, receiver.count(1));
    if (!message) throw new Error('nothing arrived');
    expect(message.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'user-agent': expect.stringMatching(/^Atelier-Webhooks\//),
      'webhook-id': expect.stringMatching(/^evt_[\da-f]{32}$/),
    });
    expect(isSignedBy(secret, message)).toBe(true);
    expect(isSignedBy(secret, { ...message, body: `${message.body} ` })).toBe(false);
    expect(isSignedByKey(webhook.publicKey, message)).toBe(true);
    // Nothing is sent that the contract doesn't have.
    const declared = webhookMessageSchema('collection.create').parse(messageIn(message));
    expect(messageIn(message)).toEqual(declared);
    expect(declared).toEqual({
      type: 'collection.create',
      timestamp: expect.any(String),
      organizationId: id,
      sequence: 1,
      isReplay: false,
      data: expect.objectContaining({
        action: 'collection.create',
        resourceId: collectionId,
        actor: { id: user.id, name: expect.any(String) },
      }),
    });
  });

  test('is what an administrator may read, and what the endpoint has chosen', async () => {
    const [all, some] = [await team(), await team({ events: ['collection.rename'] })];
    for (const { by, newCollection } of [all, some]) {
      const params = { id: await newCollection() };
      await call(api, 'collections.favorite', { ...by, params, body: { isFavorite: true } });
      await call(api, 'profile.update', { ...by, body: { firstName: 'Ada' } });
      await call(api, 'collections.rename', { ...by, params, body: { title: 'Brand' } });
    }
    const types = ({ receiver }: typeof all) => receiver.received.map((one) => messageIn(one).type);
    await all.receiver.count(2);
    await some.receiver.count(1);
    await delay(500);
    expect(types(all).toSorted()).toEqual(['collection.create', 'collection.rename']);
    expect(types(some)).toEqual(['collection.rename']);
  });

  test('tells that the text of a comment has changed, and neither text', async () => {
    const { by, receiver, newCollection, deliveries, details } = await team({
      events: ['comment.update', 'asset_comment.update'],
    });
    const { organizationId } = by;
    const collectionId = await newCollection();
    const asset = await uploadFile(api, user, someFile(1), { collectionId, organizationId });
    const projectId = await newProject(api, user, { organizationId });
    const { id: taskId } = await newTask(api, user, { projectId, organizationId });
    const [former, later] = ['the key is under the mat', 'never mind'];
    for (const [group, params] of [
      ['comments', { taskId }],
      ['assetComments', { id: String(asset.id) }],
    ] as const) {
      const posted = await call(api, `${group}.create`, { ...by, params, body: { body: former } });
      const ofComment = { ...params, commentId: String(posted.body.data.id) };
      const edited = { ...by, params: ofComment, body: { body: later } };
      expect((await call(api, `${group}.update`, edited)).status).toBe(200);
    }
    const messages = await receiver.count(2);
    await untilIdle(api);
    const kept = (await deliveries()).items.map(({ id }: { id: string }) => details(id));
    const payloads = (await Promise.all(kept)).map(({ payload }) => payload);
    const text = JSON.stringify([messages.map(messageIn), payloads]);
    expect([former, later].filter((one) => text.includes(one))).toEqual([]);
    for (const message of messages) {
      expect(messageIn(message)).toMatchObject({
        isTruncated: true,
        data: { changes: [{ field: 'body', from: null, to: null }] },
      });
    }
  });

  test('is repeated unchanged after a failure, with a new timestamp, and its attempts are kept', async () => {
    const { receiver, newCollection, deliveries, details, later } = await team();
    receiver.respond(fail(500));
    await newCollection();
    await receiver.count(1);
    await untilIdle(api);
    await later(6);
    await receiver.count(2);
    await untilIdle(api);
    receiver.respond((response) => void response.writeHead(200).end('thanks'));
    await later(331);
    const messages = await receiver.count(3);
    await untilIdle(api);
    expect(new Set(messages.map(({ id }) => id)).size).toBe(1);
    expect(new Set(messages.map(({ body }) => body)).size).toBe(1);
    expect(new Set(messages.map(({ timestamp }) => timestamp)).size).toBe(3);
    const [delivery] = (await deliveries()).items;
    expect(delivery).toMatchObject({ status: 'DELIVERED', attemptCount: 3, nextAttemptAt: null });
    const { attempts, payload } = await details(delivery.id);
    expect(payload).toEqual(JSON.parse(messages[0]?.body ?? ''));
    expect(attempts).toEqual(
      [500, 500, 200].map((status, index) => ({
        number: index + 1,
        startedAt: expect.any(String),
        durationMs: expect.any(Number),
        status,
        error: null,
        responseExcerpt: status === 200 ? 'thanks' : 'no',
      })),
    );
  });

  test('waits for as long as a busy receiver asks', async () => {
    const { receiver, newCollection, deliveries } = await team();
    receiver.respond((response) => void response.writeHead(429, { 'retry-after': '7200' }).end());
    await newCollection();
    await receiver.count(1);
    const waitsMs = async () => {
      const [delivery] = (await deliveries()).items;
      return Date.parse(delivery.nextAttemptAt) - api.clock.now().getTime();
    };
    await expect.poll(waitsMs).toBeGreaterThan(7_100_000);
  });

  test('follows no redirect', async () => {
    const other = await newReceiver();
    const { receiver, newCollection, deliveries } = await team();
    receiver.respond((response) => void response.writeHead(302, { location: other.url }).end());
    await newCollection();
    await expect
      .poll(async () => (await deliveries()).items[0])
      .toMatchObject({ lastStatus: 302, lastError: 'redirect' });
    expect(other.received).toEqual([]);
  });

  test('is sent once for each change, in order where the endpoint wants that', async () => {
    const { receiver, newCollection } = await team({ ordering: 'STRICT' });
    const created = await Promise.all(
      Array.from({ length: 20 }, (_, index) => newCollection(`No. ${index}`)),
    );
    const messages = await receiver.count(20);
    await delay(300);
    expect(messages.map((one) => messageIn(one).sequence)).toEqual(
      created.map((_, index) => index + 1),
    );
    expect(messages.map((one) => messageIn(one).data.resourceId).toSorted()).toEqual(
      created.toSorted(),
    );
  });

  test('that fails holds back those after it where the order counts', async () => {
    const { receiver, newCollection, later } = await team({ ordering: 'STRICT' });
    receiver.respond(fail(500));
    await newCollection('first');
    await receiver.count(1);
    await newCollection('second');
    await delay(700);
    expect(receiver.received).toHaveLength(1);
    receiver.respond((response) => void response.writeHead(204).end());
    await later(6);
    const messages = await receiver.count(3);
    expect(messages.map((one) => messageIn(one).sequence)).toEqual([1, 1, 2]);
  });
});

async function mailsAbout({ url }: Receiver, word: string, { email } = user) {
  const { port } = new URL(url);
  const mails = await mailsTo(email);
  return mails.filter(({ subject, text }) => subject.includes(word) && text.includes(port));
}

describe('an endpoint that fails', () => {
  test('is failing after ten attempts in vain, and administrators are told once', async () => {
    const { receiver, newCollection, get } = await team();
    receiver.respond(fail(500));
    for (let index = 0; index < 12; index += 1) await newCollection();
    await receiver.count(12);
    await expect.poll(async () => (await get()).status).toBe('FAILING');
    await untilIdle(api);
    expect(await mailsAbout(receiver, 'fails')).toHaveLength(1);
  });

  test('is disabled after five days, and what has waited arrives in order when it is enabled', async () => {
    const { receiver, newCollection, get, update, later, webhookId } = await team({
      events: ['collection.create'],
    });
    receiver.respond(fail(500));
    for (let index = 0; index < 20; index += 1) await newCollection();
    await receiver.count(20);
    await untilIdle(api);
    await later(5 * 24 * 60 * 60);
    await expect.poll(async () => (await get()).status).toBe('DISABLED');
    expect(await get()).toMatchObject({ disabledReason: 'FAILED_TOO_LONG', pendingCount: 20 });
    await untilIdle(api);
    expect(await mailsAbout(receiver, 'disabled')).toHaveLength(1);
    const actions = (await activitiesOf(api, webhookId)).map(({ action, actorId }) => [
      action,
      actorId,
    ]);
    expect(actions).toEqual([
      ['webhook.create', user.id],
      ['webhook.disable', null],
    ]);
    await newCollection();
    await delay(500);
    const before = receiver.received.length;
    receiver.respond((response) => void response.writeHead(204).end());
    expect((await update({ isEnabled: true })).body.data.status).toBe('ACTIVE');
    await receiver.count(before + 1);
    await later(61);
    const arrived = (await receiver.count(before + 21)).slice(before);
    const sequences = arrived.map((one) => Number(messageIn(one).sequence));
    expect(sequences.toSorted((a, b) => a - b)).toEqual(
      Array.from({ length: 21 }, (_, i) => i + 1),
    );
    expect(sequences[0]).toBe(1);
  });

  test('that says 410 is disabled at once', async () => {
    const { receiver, newCollection, get, by, params } = await team();
    receiver.respond(fail(410));
    await newCollection();
    await expect.poll(async () => (await get()).status).toBe('DISABLED');
    expect((await get()).disabledReason).toBe('GONE');
    const ping = await call(api, 'webhooks.ping', { ...by, params });
    expect([ping.status, ping.body.code]).toEqual([409, 'webhook_disabled']);
  });

  test('is told each administrator once, also while the address of one is refused', async () => {
    const { id, receiver, newCollection } = await team();
    const [refused, last] = [await newUser(api, 'refused'), await newUser(api, 'last')];
    await joinTeam(api, id, refused, 'ADMIN');
    await joinTeam(api, id, last, 'ADMIN');
    const mails = () =>
      Promise.all(
        [user, refused, last].map(
          async (each) => (await mailsAbout(receiver, 'disabled', each)).length,
        ),
      );
    const mailing = await refuseMailsTo(api, refused, 'send_webhook_notice');
    receiver.respond(fail(410));
    await newCollection();
    await mailing.threeTimes();
    expect(await mails()).toEqual([1, 0, 1]);
    await mailing.accept();
    await untilIdle(api);
    expect(await mails()).toEqual([1, 1, 1]);
  });

  test('loses no message to a process that died with it in hand', async () => {
    const { receiver, update, newCollection, webhookId, later } = await team();
    await update({ isEnabled: false });
    await newCollection();
    const claim = (seconds: number) =>
      api.db
        .update(webhookDeliveries)
        .set({ claimedUntil: sql`now() + make_interval(secs => ${seconds})` })
        .where(eq(webhookDeliveries.webhookId, webhookId))
        .returning({ id: webhookDeliveries.id });
    await expect.poll(async () => (await claim(60)).length).toBeGreaterThan(1);
    await api.db.update(webhooks).set({ status: 'ACTIVE' }).where(eq(webhooks.id, webhookId));
    await later(3_600);
    await untilIdle(api);
    expect(receiver.received).toEqual([]);
    await claim(0);
    await later(0);
    await receiver.count(2);
  });
});

describe('after a restore', () => {
  test('the endpoint is told to read again', async () => {
    const { id, receiver, newCollection } = await team({ events: ['collection.create'] });
    await api.db.execute(
      sql`update log_positions set epoch = 'another' where organization_id = ${id}`,
    );
    await newCollection();
    const [message] = await receiver.count(1);
    expect(message && messageIn(message).type).toBe('webhook.reset');
    await newCollection();
    const after = await receiver.count(2);
    expect(messageIn(after.at(-1) as Received).type).toBe('collection.create');
  });
});

describe('upkeep', () => {
  test('removes deliveries after 30 days, also those of endpoints that are gone', async () => {
    const [kept, removed] = [await team(), await team()];
    for (const { newCollection, receiver } of [kept, removed]) {
      await newCollection();
      await receiver.count(1);
    }
    await untilIdle(api);
    await call(api, 'webhooks.remove', { ...removed.by, params: removed.params });
    const rowsOf = (webhookId: string) =>
      api.db.select().from(webhookDeliveries).where(eq(webhookDeliveries.webhookId, webhookId));
    await advance(29 * 24 * 60 * 60);
    for (const { webhookId } of [kept, removed]) {
      expect(await rowsOf(webhookId)).not.toEqual([]);
    }
    await advance(2 * 24 * 60 * 60);
    await runJobs(api, ['keep_webhooks']);
    for (const { webhookId } of [kept, removed]) expect(await rowsOf(webhookId)).toEqual([]);
  });
});
