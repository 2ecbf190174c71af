import { createHmac, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { afterEach, describe, expect, expectTypeOf, test, vi } from 'vitest';
import type { Activity } from './index.ts';
import { verifyWebhook, type WebhookMessage } from './webhooks.ts';

afterEach(() => {
  vi.useRealTimers();
});

const secret = `whsec_${randomBytes(32).toString('base64')}`;
const { publicKey: ed25519, privateKey } = generateKeyPairSync('ed25519');
const raw = Buffer.from(ed25519.export({ format: 'jwk' }).x ?? '', 'base64url');
const publicKey = `whpk_${raw.toString('base64')}`;
const id = 'evt_019aa4f32c4d7e5fa0617c8d9e0f1a2b';
const body = JSON.stringify({
  type: 'webhook.ping',
  timestamp: '2026-11-23T09:30:00.000Z',
  organizationId: '019aa4f0-5c1e-7c00-8a51-0d9e2b7f6c11',
  sequence: 7,
  isReplay: false,
  data: { webhookId: '019aa4fa-1a2b-7c3d-8e4f-90a1b2c3d4e5', note: 'ä “quoted”' },
});

// The same for all messages of a test, however long it takes.
const startedAt = Math.floor(Date.now() / 1000);
const now = () => (vi.isFakeTimers() ? Math.floor(Date.now() / 1000) : startedAt);

function v1(text: string, { at = now(), by = secret } = {}): string {
  const key = Buffer.from(by.replace('whsec_', ''), 'base64');
  return `v1,${createHmac('sha256', key).update(`${id}.${at}.${text}`).digest('base64')}`;
}

function v1a(text: string): string {
  return `v1a,${sign(null, Buffer.from(`${id}.${now()}.${text}`), privateKey).toString('base64')}`;
}

function headersWith(signature: string, at: number | string = now()) {
  return { 'webhook-id': id, 'webhook-timestamp': String(at), 'webhook-signature': signature };
}

describe('a message of the service', () => {
  const signature = `${v1(body)} ${v1a(body)}`;

  test.each([
    [
      'a Request',
      new Request('https://a.example', { method: 'POST', body, headers: headersWith(signature) }),
    ],
    ['headers and text', { headers: headersWith(signature), body }],
    ['headers and bytes', { headers: headersWith(signature), body: Buffer.from(body) }],
  ])('is verified by secret from %s', async (_, request) => {
    expect(await verifyWebhook(request, { secret })).toEqual({ id, ...JSON.parse(body) });
  });

  test('is verified by public key', async () => {
    const request = { headers: headersWith(signature), body };
    expect(await verifyWebhook(request, { publicKey })).toMatchObject({ id, sequence: 7 });
  });

  test('is verified by either secret while one replaces the other', async () => {
    const next = `whsec_${randomBytes(32).toString('base64')}`;
    const both = {
      headers: headersWith(`${v1(body, { by: next })} ${v1a(body)} ${v1(body)}`),
      body,
    };
    expect(await verifyWebhook(both, { secret })).toMatchObject({ id });
    expect(await verifyWebhook(both, { secret: next })).toMatchObject({ id });
    const old = { headers: headersWith(v1(body)), body };
    expect(await verifyWebhook(old, { secret: [next, secret] })).toMatchObject({ id });
  });
});

describe('refused is', () => {
  const request = (signature: string, at: number | string = now()) => ({
    headers: headersWith(signature, at),
    body,
  });

  test.each([
    ['another body', v1(body.replace('7', '8'))],
    ['another secret', v1(body, { by: `whsec_${randomBytes(32).toString('base64')}` })],
    ['no signature', ''],
    ['an unknown version', v1(body).replace('v1,', 'v2,')],
    ['a signature that is no base64', 'v1,%%%'],
    ['a signature that is too short', v1(body).slice(0, 20)],
    ['a signature behind many others', `${'v1,AA== '.repeat(8)}${v1(body)}`],
    ['the signature of the public key, given the secret', v1a(body).replace('v1a,', 'v1,')],
  ])('%s', async (_, signature) => {
    await expect(verifyWebhook(request(signature), { secret })).rejects.toMatchObject({
      name: 'WebhookVerificationError',
      code: 'signature',
    });
  });

  test('a message that the secret has signed, given the public key', async () => {
    const forged = request(v1(body).replace('v1,', 'v1a,'));
    await expect(verifyWebhook(forged, { publicKey })).rejects.toMatchObject({ code: 'signature' });
  });

  test.each([-301, 301, Number.NaN])('a timestamp %d seconds away', async (seconds) => {
    vi.useFakeTimers({ now: 1_800_000_000_000, toFake: ['Date'] });
    const at = now() + seconds;
    const late = request(v1(body, { at }), at);
    await expect(verifyWebhook(late, { secret })).rejects.toMatchObject({ code: 'timestamp' });
  });

  test('an empty timestamp, whatever the tolerance', async () => {
    const empty = request(v1(body), '');
    await expect(verifyWebhook(empty, { secret, toleranceSeconds: 300 })).rejects.toMatchObject({
      code: 'timestamp',
    });
  });

  test('a request without the headers', async () => {
    const anything = { headers: { 'content-type': 'application/json' }, body };
    await expect(verifyWebhook(anything, { secret })).rejects.toMatchObject({
      code: 'missing_header',
    });
  });

  test('a body that is no JSON, even signed', async () => {
    const text = { headers: headersWith(v1('hello')), body: 'hello' };
    await expect(verifyWebhook(text, { secret })).rejects.toMatchObject({ code: 'body' });
  });

  test.each(['', 'secret', 'whsec_', 'whsec_c2hvcnQ=', 'whsec_%%%'])(
    'the key %j, loudly',
    async (wrong) => {
      await expect(verifyWebhook(request(v1(body)), { secret: wrong })).rejects.toThrow(TypeError);
    },
  );
});

test('a longer way is allowed on request', async () => {
  const at = now() - 3000;
  const late = { headers: headersWith(v1(body, { at }), at), body };
  expect(await verifyWebhook(late, { secret, toleranceSeconds: 3600 })).toMatchObject({ id });
});

test('the type of a message tells its data', () => {
  const handle = (message: WebhookMessage) => {
    if (message.type === 'webhook.ping')
      expectTypeOf(message.data).toEqualTypeOf<{ webhookId: string }>();
    if (message.type === 'task.move') expectTypeOf(message.data).toEqualTypeOf<Activity>();
  };
  expect(handle).toBeTypeOf('function');
});
