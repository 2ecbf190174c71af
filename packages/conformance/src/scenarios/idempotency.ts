import { randomUUID } from 'node:crypto';
import type { OperationId } from '@atelier/contract';
import { newCredentials } from '../accounts.ts';
import { operationCheck, type Check, type CheckContext } from '../check.ts';
import type { RequestOptions } from '../deployment.ts';
import { unreachable } from '../unreachable.ts';
import { initiation, sampleFile, upload } from '../uploading.ts';

/** A request with a key, and a different one that must not reuse the key. */
interface Pair {
  readonly first: RequestOptions;
  readonly other: RequestOptions;
}

/** The second request of a pair changes the body, or the path where there is no body. */
const pairs: Partial<Record<OperationId, (context: CheckContext) => Pair | Promise<Pair>>> = {
  'auth.register': () => {
    const credentials = newCredentials('idempotent');
    return {
      first: { body: credentials },
      other: { body: { ...credentials, firstName: 'Other' } },
    };
  },
  'organizations.create': by(({ name }) => ({ body: { name } })),
  'collections.create': by(({ name }) => ({ body: { title: name } })),
  'projects.create': by(({ name }) => ({ body: { name } })),
  'tasks.create': by(({ name, context }) => ({
    params: { projectId: context.fixtures.projectId },
    body: { title: name },
  })),
  'comments.create': by(({ name, context }) => ({
    params: { taskId: context.fixtures.taskId },
    body: { body: name },
  })),
  'assetComments.create': by(({ name, context }) => ({
    params: { id: context.fixtures.assetId },
    body: { body: name },
  })),
  'shares.create': by(({ name, context }) => ({
    body: { targetType: 'COLLECTION', targetId: context.fixtures.collectionId, label: name },
  })),
  'shares.createSharedComment': ({ fixtures: { share, assetId } }) => {
    const first = {
      headers: { authorization: `Share ${share.ticket}` },
      params: { id: assetId },
      body: { body: 'Once', visitorName: 'Grace' },
    };
    return { first, other: { ...first, body: { ...first.body, visitorName: 'Linus' } } };
  },
  'shares.rotate': async ({ probe, fixtures: { owner, collectionId } }) => {
    const { token } = owner;
    const body = { targetType: 'COLLECTION', targetId: collectionId };
    const [one, another] = [
      await probe.succeed('shares.create', { token, body }),
      await probe.succeed('shares.create', { token, body }),
    ];
    return {
      first: { token, params: { id: one.id } },
      other: { token, params: { id: another.id } },
    };
  },
  'labels.create': by(({ name }) => ({
    // Names have at most 40 characters.
    body: { name: name.replaceAll(/idempotent |-/g, ''), color: 'RED' },
  })),
  'apiKeys.create': by(({ name, context }) => ({
    body: { name, preset: 'read-only', organizationIds: [context.fixtures.team.id] },
  })),
  'apiKeys.rotate': async ({ probe, fixtures }) => {
    const { token, personalOrganizationId } = fixtures.owner;
    const body = {
      name: 'To be replaced',
      preset: 'read-only',
      organizationIds: [personalOrganizationId],
    };
    const { id } = await probe.succeed('apiKeys.create', { token, body });
    const first = { token, params: { id }, body: { overlapHours: 1 } };
    return { first, other: { ...first, body: { overlapHours: 2 } } };
  },
  'serviceAccounts.create': by(({ name, context }) => ({
    params: { id: context.fixtures.team.id },
    body: { name },
  })),
  'serviceAccounts.createKey': by(({ name, context: { fixtures } }) => ({
    params: { id: fixtures.team.id, accountId: fixtures.team.serviceAccountId },
    body: { name, preset: 'read-only' },
  })),
  'serviceAccounts.rotateKey': async ({ probe, fixtures: { owner, team } }) => {
    const request = {
      token: owner.token,
      params: { id: team.id, accountId: team.serviceAccountId },
    };
    const body = { name: 'To be replaced', preset: 'read-only' };
    const { id: keyId } = await probe.succeed('serviceAccounts.createKey', { ...request, body });
    const first = {
      ...request,
      params: { ...request.params, keyId },
      body: { overlapHours: 1 },
    };
    return { first, other: { ...first, body: { overlapHours: 2 } } };
  },
  'organizations.invite': by(({ name, context }) => ({
    params: { id: context.fixtures.team.id },
    body: { email: `${name.replaceAll(' ', '-')}@example.com` },
  })),
  'webhooks.create': by(({ name, context }) => ({
    params: { id: context.fixtures.team.id },
    body: { url: unreachable, events: ['label.delete'], description: name },
  })),
  'webhooks.rotateSecret': onWebhook({ overlapHours: 1 }, { overlapHours: 2 }),
  'webhooks.replay': onWebhook({ from: hoursAgo(1) }, { from: hoursAgo(2) }),
  'webhooks.ping': async ({ probe, fixtures }) => {
    const { token } = fixtures.owner;
    const { id, webhookId } = fixtures.team;
    const body = { url: unreachable, events: ['label.delete'] };
    const another = await probe.succeed('webhooks.create', { token, params: { id }, body });
    const first = { token, params: { id, webhookId } };
    return { first, other: { token, params: { id, webhookId: another.id } } };
  },
  'webhooks.resend': async ({ probe, fixtures }) => {
    const { token } = fixtures.owner;
    const { id, webhookId, deliveryId } = fixtures.team;
    const params = { id, webhookId };
    const another = await probe.succeed('webhooks.ping', { token, params });
    const first = { token, params: { ...params, deliveryId } };
    return { first, other: { token, params: { ...params, deliveryId: another.id } } };
  },
  'profile.startAvatarUpload': by(({ name }) => ({
    body: { contentType: 'image/png', fileSize: 100 + name.length },
  })),
  'profile.completeAvatarUpload': by(({ name }) => ({ body: { key: name } })),
  'organizations.acceptInvitation': by(({ name }) => ({ params: { token: name } })),
  'uploads.initiate': by(({ name, context }) => ({
    body: initiation(sampleFile(10, name), {
      token: context.fixtures.owner.token,
      collectionId: context.fixtures.collectionId,
    }),
  })),
  'uploads.abort': by(({ name }) => ({ body: { uploadId: name, key: name } })),
  'uploads.complete': by(({ name, context }) => ({
    body: {
      uploadId: name,
      key: name,
      contentType: 'text/plain',
      parts: [{ partNumber: 1, eTag: name }],
      collectionId: context.fixtures.collectionId,
    },
  })),
  'assets.publish': async (context) => {
    const { owner, team, collectionId } = context.fixtures;
    const { id } = await upload(context.probe, sampleFile(10), {
      token: owner.token,
      collectionId,
    });
    const first = { token: owner.token, organizationId: team.id, params: { id } };
    return { first, other: { ...first, params: { id: context.fixtures.assetId } } };
  },
};

/** Requests to the webhook of the team with these bodies. */
function onWebhook(body: object, otherBody: object) {
  return ({ fixtures: { owner, team } }: CheckContext): Pair => {
    const first = { token: owner.token, params: { id: team.id, webhookId: team.webhookId }, body };
    return { first, other: { ...first, body: otherBody } };
  };
}

function hoursAgo(hours: number): string {
  return new Date(Date.now() - hours * 3_600_000).toISOString();
}

function by(make: (from: { name: string; context: CheckContext }) => RequestOptions) {
  return (context: CheckContext): Pair => {
    const name = `idempotent ${randomUUID()}`;
    const { token } = context.fixtures.owner;
    return {
      first: { token, ...make({ name, context }) },
      other: { token, ...make({ name: `${name} other`, context }) },
    };
  };
}

export const idempotencyChecks: readonly Check[] = Object.entries(pairs).map(([id, pairOf]) => {
  // The keys of `pairs` are ids of operations.
  const operation = id as OperationId;
  const rule = 'idempotency.replay';
  return operationCheck(rule, operation, {
    title: `${id} repeats its first response for a repeated Idempotency-Key`,
    run: async (context) => {
      const { probe } = context;
      const { first, other } = await pairOf(context);
      const headers = { ...first.headers, 'idempotency-key': randomUUID() };
      const response = await probe.request(operation, { ...first, headers });
      const again = await probe.request(operation, { ...first, headers });
      probe.expect({
        rule,
        response: again,
        holds: again.status === response.status && again.text === response.text,
        expected: `the first response (${response.status}) byte for byte`,
      });
      probe.expect({
        rule,
        response: again,
        holds: again.headers.get('idempotency-replayed') === 'true',
        expected: 'idempotency-replayed: true',
        actual: again.headers.get('idempotency-replayed') ?? 'none',
      });
      const reused = await probe.request(operation, { ...other, headers });
      probe.expectRefusal('idempotency.reused', reused, 'idempotency_key_reused');
    },
  });
});
