import { randomUUID } from 'node:crypto';
import type { OperationId } from '@atelier/contract';
import { newCredentials } from '../accounts.ts';
import { operationCheck, type Check, type Scene } from '../check.ts';
import type { CallOptions } from '../deployment.ts';
import { initiation, sampleFile, upload } from '../uploading.ts';

/** A request with a key, and another that must not pass for it. */
interface Pair {
  readonly first: CallOptions;
  readonly other: CallOptions;
}

/** The second request of a pair changes the body, or the path where there is no body. */
const pairs: Partial<Record<OperationId, (scene: Scene) => Pair | Promise<Pair>>> = {
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
  'tasks.create': by(({ name, scene }) => ({
    params: { projectId: scene.world.projectId },
    body: { title: name },
  })),
  'comments.create': by(({ name, scene }) => ({
    params: { taskId: scene.world.taskId },
    body: { body: name },
  })),
  'organizations.invite': by(({ name, scene }) => ({
    params: { id: scene.world.team.id },
    body: { email: `${name.replaceAll(' ', '-')}@example.com` },
  })),
  'profile.startAvatarUpload': by(({ name }) => ({
    body: { contentType: 'image/png', fileSize: 100 + name.length },
  })),
  'profile.completeAvatarUpload': by(({ name }) => ({ body: { key: name } })),
  'organizations.acceptInvitation': by(({ name }) => ({ params: { token: name } })),
  'uploads.initiate': by(({ name, scene }) => ({
    body: initiation(sampleFile(10, name), {
      token: scene.world.owner.token,
      collectionId: scene.world.collectionId,
    }),
  })),
  'uploads.abort': by(({ name }) => ({ body: { uploadId: name, key: name } })),
  'uploads.complete': by(({ name, scene }) => ({
    body: {
      uploadId: name,
      key: name,
      contentType: 'text/plain',
      parts: [{ partNumber: 1, eTag: name }],
      collectionId: scene.world.collectionId,
    },
  })),
  'assets.publish': async (scene) => {
    const { owner, team, collectionId } = scene.world;
    const { id } = await upload(scene.probe, sampleFile(10), { token: owner.token, collectionId });
    const first = { token: owner.token, organizationId: team.id, params: { id } };
    return { first, other: { ...first, params: { id: scene.world.assetId } } };
  },
};

function by(make: (from: { name: string; scene: Scene }) => CallOptions) {
  return (scene: Scene): Pair => {
    const name = `idempotent ${randomUUID()}`;
    const { token } = scene.world.owner;
    return {
      first: { token, ...make({ name, scene }) },
      other: { token, ...make({ name: `${name} other`, scene }) },
    };
  };
}

export const idempotencyChecks: readonly Check[] = Object.entries(pairs).map(([id, pairOf]) => {
  // The names of `pairs` are ids of operations.
  const operation = id as OperationId;
  const rule = 'idempotency.replay';
  return operationCheck(rule, operation, {
    title: `${id} answers a repeated Idempotency-Key with its first answer`,
    run: async (scene) => {
      const { probe } = scene;
      const { first, other } = await pairOf(scene);
      const headers = { 'idempotency-key': randomUUID() };
      const answer = await probe.call(operation, { ...first, headers });
      const again = await probe.call(operation, { ...first, headers });
      probe.expect({
        rule,
        answer: again,
        holds: again.status === answer.status && again.text === answer.text,
        expected: `the first answer (${answer.status}) byte for byte`,
      });
      probe.expect({
        rule,
        answer: again,
        holds: again.headers.get('idempotency-replayed') === 'true',
        expected: 'idempotency-replayed: true',
        actual: again.headers.get('idempotency-replayed') ?? 'none',
      });
      const reused = await probe.call(operation, { ...other, headers });
      probe.expectRefusal('idempotency.reused', reused, 'idempotency_key_reused');
    },
  });
});
