import type {
  FeatureFixtures,
  InputsOf,
  RecordMaker,
  Story,
} from '../../testing/feature-fixtures.ts';
import { giveTo, makeRecord, withBody } from '../../testing/fixture-parts.ts';

/** No server listens there. */
const url = 'http://127.0.0.1:1024/hooks';

const inOrganization: InputsOf = (team) => [{ params: { id: team.organizationId } }];
const webhook: InputsOf = (team) => [
  { params: { id: team.organizationId, webhookId: team.webhookId } },
];
const delivery: InputsOf = (team) => [
  {
    params: {
      id: team.organizationId,
      webhookId: team.webhookId,
      deliveryId: team.deliveryId,
    },
  },
];

const ownWebhook: RecordMaker = async (request) => {
  const { id } = await makeRecord(request, 'webhooks.create', {
    params: { id: request.teamId },
    body: { url, events: ['*'] },
  });
  await giveTo(request, { table: 'webhooks', column: 'created_by', id });
  return { params: { id: request.teamId, webhookId: id } };
};

export const webhooksFixtures: FeatureFixtures<'webhooks'> = {
  inputs: {
    list: inOrganization,
    create: withBody(inOrganization, () => ({ url, events: ['task.create'] })),
    get: webhook,
    update: withBody(webhook, () => ({ description: 'Renamed' })),
    remove: webhook,
    rotateSecret: withBody(webhook, () => ({ overlapHours: 1 })),
    ping: webhook,
    listDeliveries: webhook,
    getDelivery: delivery,
    resend: delivery,
    replay: withBody(webhook, () => ({ from: new Date(Date.now() - 60_000).toISOString() })),
  },
  ownRecords: { remove: ownWebhook },
  endings: ['remove'],
  stories: { 'a webhook from its creation to its deletion': lifeOfAWebhook },
};

async function lifeOfAWebhook({ walk, people: { ada }, teamId }: Story): Promise<void> {
  const inTeam = { organizationId: teamId };
  const step = (params: Record<string, string>, body?: unknown) => ({
    as: ada,
    input: { params: { id: teamId, ...params }, ...(body !== undefined && { body }) },
  });
  const { body } = await walk('webhooks.create', {
    ...step({}, { url, events: ['*'] }),
    recorded: { ...inTeam, action: 'webhook.create', fields: ['events', 'ordering'] },
    refused: [{ body: { url: 'http://10.0.0.1/', events: ['*'] } }],
  });
  const webhookId = String(body.data.id);
  await walk('webhooks.update', {
    ...step({ webhookId }, { isEnabled: false }),
    recorded: { ...inTeam, action: 'webhook.disable', fields: ['status'] },
    refused: [{ body: { url: 'http://10.0.0.1/' } }],
  });
  await walk('webhooks.update', {
    ...step({ webhookId }, { isEnabled: true }),
    recorded: { ...inTeam, action: 'webhook.enable', fields: ['status'] },
  });
  await walk('webhooks.update', {
    ...step({ webhookId }, { ordering: 'STRICT' }),
    recorded: { ...inTeam, action: 'webhook.update', fields: ['ordering'] },
  });
  await walk('webhooks.rotateSecret', {
    ...step({ webhookId }, { overlapHours: 0 }),
    recorded: { ...inTeam, action: 'webhook.rotate_secret', resourceId: webhookId },
  });
  const ping = await walk('webhooks.ping', {
    ...step({ webhookId }),
    recorded: { ...inTeam, action: 'webhook.test', resourceId: webhookId },
  });
  await walk('webhooks.resend', {
    ...step({ webhookId, deliveryId: String(ping.body.data.id) }),
    recorded: { ...inTeam, action: 'webhook.resend', resourceId: webhookId },
  });
  await walk('webhooks.replay', {
    ...step({ webhookId }, { from: new Date(Date.now() - 60_000).toISOString() }),
    recorded: { ...inTeam, action: 'webhook.replay', resourceId: webhookId },
  });
  await walk('webhooks.remove', {
    ...step({ webhookId }),
    recorded: { ...inTeam, action: 'webhook.delete' },
  });
}
