import { createPublicKey, verify } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { Webhook as Verifier } from 'standardwebhooks';
import { afterAll, expect, vi } from 'vitest';
import { enqueuePump } from '../domain/webhooks/queries.ts';
import { logIn, newUser } from './accounts.ts';
import { call, type CallOptions, type TestApi } from './api.ts';
import { newTeam } from './organizations.ts';
import { startReceiver, type Received, type Receiver } from './receiver.ts';

interface Settings {
  readonly events?: readonly string[];
  readonly ordering?: 'PARALLEL' | 'STRICT';
}

/**
 * Makes organizations with a webhook and its receiver.
 *
 * @param host - where receivers listen
 */
export async function setUpWebhooks(api: TestApi, host = '127.0.0.1') {
  const user = await newUser(api);
  /** Its token ends when the clock moves on. */
  let session = user;
  const receivers: Receiver[] = [];
  afterAll(() => Promise.all(receivers.map((receiver) => receiver.stop())));

  async function newReceiver(): Promise<Receiver> {
    const receiver = await startReceiver(host);
    receivers.push(receiver);
    return receiver;
  }

  /** Moves the clock. */
  async function advance(seconds: number): Promise<void> {
    api.clock.advance({ seconds });
    session = await logIn(api, user);
  }

  async function team({ events = ['*'], ordering = 'PARALLEL' }: Settings = {}) {
    const receiver = await newReceiver();
    const { id } = await newTeam(api, session);
    const by = {
      get token() {
        return session.token;
      },
      organizationId: id,
    };
    const created = await call(api, 'webhooks.create', {
      ...by,
      params: { id },
      body: { url: receiver.url, events, ordering },
    });
    expect([created.status, created.body.code]).toEqual([201, undefined]);
    const { secret, expiresIn: _, ...webhook } = created.body.data;
    const webhookId = String(webhook.id);
    const params = { id, webhookId };
    const get = async () => (await call(api, 'webhooks.get', { ...by, params })).body.data;
    const update = (body: unknown) => call(api, 'webhooks.update', { ...by, params, body });
    const newCollection = async (title = 'Pictures') =>
      String((await call(api, 'collections.create', { ...by, body: { title } })).body.data.id);
    const deliveries = async (query: CallOptions['query'] = {}) =>
      (await call(api, 'webhooks.listDeliveries', { ...by, params, query })).body.data;
    const details = async (deliveryId: string) =>
      (await call(api, 'webhooks.getDelivery', { ...by, params: { ...params, deliveryId } })).body
        .data;
    /** Moves the clock, and wakes the sender as its job would. */
    const later = async (seconds: number) => {
      await advance(seconds);
      await api.db.transaction((tx) => enqueuePump(tx, { organizationId: id, webhookId }));
    };
    const hooks = { receiver, webhook, webhookId, params, secret: String(secret), get, update };
    return { id, by, ...hooks, newCollection, deliveries, details, later };
  }

  return { user, team, newReceiver, advance };
}

/** Responds with a failure. */
export const fail = (status: number) => (response: ServerResponse) =>
  void response.writeHead(status).end('no');

/** Verifies as receivers do, with a package of others. */
export function isSignedBy(secret: string, { headers, body }: Received): boolean {
  const now = vi.spyOn(Date, 'now').mockReturnValue(Number(headers['webhook-timestamp']) * 1_000);
  try {
    new Verifier(secret).verify(body, headers as Record<string, string>);
    return true;
  } catch {
    return false;
  } finally {
    now.mockRestore();
  }
}

/** Verifies the signature `v1a`. */
export function isSignedByKey(
  publicKey: string,
  { id, timestamp, headers, body }: Received,
): boolean {
  const x = Buffer.from(publicKey.replace('whpk_', ''), 'base64').toString('base64url');
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
  const signatures = String(headers['webhook-signature']).split(' ');
  const [, signature = ''] = signatures.find((each) => each.startsWith('v1a,'))?.split(',') ?? [];
  const content = Buffer.from(`${id}.${timestamp}.${body}`);
  return verify(null, content, key, Buffer.from(signature, 'base64'));
}

/** The message that arrived. */
export const messageIn = ({ body }: Received) => JSON.parse(body);
