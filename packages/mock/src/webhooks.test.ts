import { beforeEach, expect, test } from 'vitest';
import { createMockService, type MockService } from './mock.ts';

let service: MockService;
beforeEach(async () => {
  service = await createMockService('http://mock.test', { hasSampleData: true });
});

// Tests assert what they read of a response.
/* eslint-disable typescript/no-explicit-any */
async function send(method: string, path: string, body?: object) {
  const response = await service.respond({
    method,
    isHead: false,
    url: new URL(path, 'http://mock.test'),
    headers: { authorization: 'Bearer anyone', 'content-type': 'application/json' },
    body: new TextEncoder().encode(body === undefined ? '' : JSON.stringify(body)),
  });
  const parsed: any = typeof response.body === 'string' ? JSON.parse(response.body) : {};
  return { status: response.status, ...parsed };
}

async function newWebhook(events: readonly string[]) {
  const { data } = await send('GET', '/api/organizations');
  const { id } = data.items.find(({ type }: any) => type === 'PERSONAL');
  const base = `/api/organizations/${id}/webhooks`;
  const url = 'https://example.com/hooks/atelier';
  const created = await send('POST', base, { url, events });
  expect(created.status).toBe(201);
  return { base, hook: `${base}/${created.data.id}`, created: created.data };
}

const deliveries = async (hook: string) =>
  (await send('GET', `${hook}/deliveries`)).data.items as any[];

test('a webhook shows its secret once, and another one after a rotation', async () => {
  const { base, hook, created } = await newWebhook(['*']);
  expect(created).toMatchObject({ status: 'ACTIVE', expiresIn: 3600, pendingCount: 0 });
  expect(created.secret).toMatch(/^whsec_[\w+/]{40,}=*$/);
  expect(created.secret.endsWith(created.secretHint)).toBe(true);
  const rotated = await send('POST', `${hook}/rotate-secret`, { overlapHours: 1 });
  expect(rotated.data.secret).not.toBe(created.secret);
  const { data } = await send('GET', hook);
  expect(data.secretHint).toBe(rotated.data.secret.slice(-4));
  expect(data.previousSecretExpiresAt).toBe(rotated.data.previousSecretExpiresAt);
  expect(JSON.stringify(await send('GET', base))).not.toContain(created.secret);
  for (const url of ['http://example.com/', 'https://10.0.0.1/', 'https://a@example.com/']) {
    const refused = await send('POST', base, { url, events: ['*'] });
    expect(refused).toMatchObject({ status: 400, code: 'webhook_address_refused' });
  }
});

test('what happens is delivered, and waits while the webhook is paused', async () => {
  const { hook } = await newWebhook(['collection.create']);
  await send('POST', '/api/collections/create', { title: 'One' });
  expect(await deliveries(hook)).toMatchObject([
    { eventType: 'collection.create', sequence: 1, status: 'DELIVERED', isReplay: false },
  ]);
  const paused = await send('PATCH', hook, { isEnabled: false });
  expect(paused.data.status).toBe('PAUSED');
  await send('POST', '/api/collections/create', { title: 'Two' });
  expect((await send('GET', hook)).data).toMatchObject({ pendingCount: 1 });
  const from = '2026-01-01T00:00:00.000Z';
  for (const [path, body] of [
    ['/test', undefined],
    ['/replay', { from }],
    [`/deliveries/${(await deliveries(hook))[0].id}/resend`, undefined],
  ] as const) {
    expect(await send('POST', `${hook}${path}`, body)).toMatchObject({
      status: 409,
      code: 'webhook_disabled',
    });
  }
  await send('PATCH', hook, { isEnabled: true });
  const all = await deliveries(hook);
  expect(all.map(({ sequence, status }) => [sequence, status])).toEqual([
    [2, 'DELIVERED'],
    [1, 'DELIVERED'],
  ]);
});

test('messages are tested, shown, sent again and replayed', async () => {
  const { hook } = await newWebhook(['collection.create']);
  const pinged = await send('POST', `${hook}/test`);
  expect(pinged).toMatchObject({ status: 201, data: { eventType: 'webhook.ping' } });
  await send('POST', '/api/collections/create', { title: 'One' });
  const [first] = await deliveries(hook);
  const shown = await send('GET', `${hook}/deliveries/${first.id}`);
  expect(shown.data).toMatchObject({
    payload: { type: 'collection.create', data: { resourceName: 'One' } },
    attempts: [{ number: 1, status: 204 }],
  });
  const again = await send('POST', `${hook}/deliveries/${first.id}/resend`);
  expect(again.data).toMatchObject({ eventId: first.eventId, isReplay: true, sequence: 3 });
  const from = shown.data.payload.timestamp;
  const replayed = await send('POST', `${hook}/replay`, { from });
  expect(replayed.data).toMatchObject({ queuedCount: 1, from });
  const ofEvent = (await deliveries(hook)).filter(({ eventId }) => eventId === first.eventId);
  expect(ofEvent.map(({ isReplay }) => isReplay)).toEqual([true, true, false]);
  const other = await newWebhook(['*']);
  const elsewhere = await send('GET', `${other.hook}/deliveries/${first.id}`);
  expect(elsewhere).toMatchObject({ status: 404, code: 'not_found' });
  const { data } = await send('GET', '/api/webhook-events');
  expect(data.items.map(({ type }: any) => type)).toContain('task.move');
});
