import { webhookMessageSchema } from '@atelier/contract';
import { newAccount } from '../accounts.ts';
import type { Check } from '../check.ts';
import { NotRun } from '../findings.ts';
import { faultOf, startReceiver } from '../receiver.ts';
import { arrivalMs } from '../eventually.ts';
import { unreachable } from '../unreachable.ts';

const paused: Check = {
  id: 'webhook.paused',
  group: 'webhooks',
  title: 'a webhook shows its secret once, and sends nothing while it is paused',
  run: async ({ probe }) => {
    const rule = 'webhook.paused';
    const { token, personalOrganizationId: id } = await newAccount(probe, 'webhooks');
    const body = { url: unreachable, events: ['*'] };
    const made = await probe.succeed('webhooks.create', { token, params: { id }, body });
    const list = await probe.request('webhooks.list', { token, params: { id } });
    probe.expect({
      rule,
      response: list,
      holds: list.text.includes(made.id) && !list.text.includes(made.secret),
      expected: 'the webhook in the list, without its secret',
    });
    const inside = await probe.request('webhooks.create', {
      token,
      params: { id },
      body: { ...body, url: 'https://10.0.0.1/' },
    });
    probe.expectRefusal(rule, inside, 'webhook_address_refused');

    const request = { token, params: { id, webhookId: made.id } };
    const { id: deliveryId } = await probe.succeed('webhooks.ping', request);
    await probe.succeed('webhooks.update', { ...request, body: { isEnabled: false } });
    const resend = { token, params: { ...request.params, deliveryId } };
    const from = { from: new Date(Date.now() - 3_600_000).toISOString() };
    for (const refused of [
      await probe.request('webhooks.ping', request),
      await probe.request('webhooks.resend', resend),
      await probe.request('webhooks.replay', { ...request, body: from }),
    ]) {
      probe.expectRefusal(rule, refused, 'webhook_disabled');
    }
    await probe.succeed('webhooks.update', { ...request, body: { isEnabled: true } });
    await probe.succeed('webhooks.resend', resend);
    await probe.succeed('webhooks.remove', request);
    probe.expectRefusal(rule, await probe.request('webhooks.get', request), 'not_found');
  },
};

const received: Check = {
  id: 'webhook.received',
  group: 'webhooks',
  title: 'a change arrives at its webhook, signed by Standard Webhooks and as the contract says',
  run: async ({ probe }) => {
    const rule = 'webhook.received';
    if (!isOnThisMachine(probe.deployment.baseUrl)) {
      throw new NotRun('needs a service on this machine, which can reach a receiver of the kit');
    }
    const { token, personalOrganizationId: id } = await newAccount(probe, 'webhook-receiver');
    const receiver = await startReceiver();
    try {
      const body = { url: receiver.url, events: ['collection.create'] };
      const create = { token, params: { id }, body };
      const created = await probe.request('webhooks.create', create);
      if (created.text.includes('webhook_address_refused')) {
        throw new NotRun('needs a service that may send to loopback: OUTBOUND_ALLOWED_NETWORKS');
      }
      const { id: webhookId, secret } = probe.dataIn('webhooks.create', created);
      const title = 'Pictures';
      await probe.succeed('collections.create', { token, body: { title } });
      const message = await receiver.next('collection.create', arrivalMs);
      const list = await probe.request('webhooks.listDeliveries', {
        token,
        params: { id, webhookId },
      });
      probe.expect({
        rule,
        response: list,
        holds: message !== null && faultOf(message, secret) === null,
        expected: `a message within ${arrivalMs / 1_000} s that its secret verifies${message ? `, but ${faultOf(message, secret)}` : ''}`,
      });
      if (!message) return;
      const parsed = webhookMessageSchema('collection.create').safeParse(JSON.parse(message.body));
      probe.expect({
        rule,
        response: list,
        holds: parsed.success && message.body.includes(JSON.stringify(title)),
        expected: `a message as in the contract, about ${title}: ${message.body}`,
      });
    } finally {
      await receiver.close();
    }
  },
};

function isOnThisMachine(baseUrl: string): boolean {
  const { hostname } = new URL(baseUrl);
  return /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
}

export const webhookScenarios: readonly Check[] = [paused, received];
