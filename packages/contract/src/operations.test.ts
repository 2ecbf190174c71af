import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { activityActions, errorCatalogue, operations, permissionMatrix, scopes } from './index.ts';
import type { Operation, OperationId } from './index.ts';

/** POST operations that respond with 200: they create nothing that has an id. */
const creatingNothing: readonly OperationId[] = [
  'auth.verifyEmail',
  'auth.requestPasswordReset',
  'auth.resetPassword',
  'auth.login',
  'auth.exchange',
  'auth.refresh',
  'auth.logout',
  'auth.confirm',
  'account.requestDeletion',
  'account.cancelDeletion',
  'account.requestEmailChange',
  'account.confirmEmailChange',
  'account.undoEmailChange',
  'apiKeys.reportLeak',
  'profile.completeAvatarUpload',
  'organizations.acceptInvitation',
  'collections.restore',
  'assets.restore',
  'uploads.complete',
  'uploads.abort',
  'auth.exchangeWithSecondFactor',
  'security.enableTotp',
  'auth.passkeyChallenge',
  'auth.loginWithPasskey',
  'security.passkeyChallenge',
  'security.startPasskey',
  'notifications.read',
  'notifications.archive',
  'notifications.unsubscribe',
  'shares.open',
  'approvals.approve',
  'approvals.refuse',
];

/** They create something under no idempotency key, each with the reason. */
const unrepeated: Partial<Record<OperationId, string>> = {
  'security.startTotp': 'a secret that was lost is replaced by another',
  'security.renewRecoveryCodes': 'codes that were lost are replaced by others',
  'security.addPasskey': 'a response of the browser is accepted once; what is there is listed',
  'approvals.request': 'as long as one for the same call counts, the response is that one',
};

/** Mutations that record no activity, each with the reason. */
const unrecorded: Partial<Record<OperationId, string>> = {
  'auth.refresh': 'rotation belongs to a session that was recorded when it started',
  'profile.startAvatarUpload': 'prepares a change that is recorded when it is completed',
  'security.startTotp': 'prepares a change that is recorded when a code enables it',
  'auth.passkeyChallenge': 'prepares a sign-in, which is recorded',
  'security.passkeyChallenge': 'prepares a proof, which is recorded with what it is for',
  'security.startPasskey': 'prepares a change that is recorded when the passkey is added',
  'security.renamePasskey': 'changes only what its owner calls it',
  'notifications.update': 'what one has read is of no interest to others',
  'notifications.read': 'what one has read is of no interest to others',
  'notifications.archive': 'what one has read is of no interest to others',
  'notifications.follow': 'what one is told of is of no interest to others',
  'notifications.unfollow': 'what one is told of is of no interest to others',
  'notifications.setPreferences': 'what one is told of is of no interest to others',
  'notifications.unsubscribe': 'what one is told of is of no interest to others',
  'shares.open': 'its members see it among the views of the share',
  'search.rebuild': 'changes nothing that is shown',
  'assets.setCover': 'like other thumbnails, it is derived from the content',
};

/** Their responses have a secret, or URLs that accept bytes from anyone. */
const writing: readonly OperationId[] = [
  'uploads.initiate',
  'profile.startAvatarUpload',
  'webhooks.create',
  'webhooks.rotateSecret',
];

/** They end or change something without a representation, so there is no state to compare. */
const withoutRepresentation: readonly OperationId[] = [
  'sessions.end',
  'sessions.endOthers',
  'organizations.revokeInvitation',
  'security.disableTotp',
  'security.removeIdentity',
  'security.changePassword',
  'security.renamePasskey',
  'security.removePasskey',
  'notifications.follow',
  'notifications.unfollow',
  // The count in the task is derived.
  'taskAssets.attach',
  'taskAssets.detach',
  // The thumbnail is derived.
  'assets.setCover',
  // Of what is in the bin, no operation returns an ETag.
  'assets.purge',
  'assets.emptyBin',
];

/** API keys need no scope for them beyond those of what they are about, each with the reason. */
const withoutScope: Partial<Record<OperationId, string>> = {
  'approvals.request': 'asks for a call, which needs its own scope',
};

const byId = new Map(operations.map((operation) => [operation.id, operation.endpoint]));

describe.each(operations)('$id', ({ id, endpoint }: Operation) => {
  const { metadata, responses } = endpoint;
  const file = `packages/contract/src/${id.split('.')[0]}.ts`;
  const here = 'packages/contract/src/operations.test.ts';

  test('has a summary of one line without a full stop', () => {
    expect(endpoint.summary).toMatch(/^[A-Z].{3,78}[^.\n]$/);
  });

  test('has an access row', () => {
    const { access } = metadata;
    expect(['public', 'user', 'share', 'member', 'administrator']).toContain(access.kind);
    const permission = access.kind === 'member' ? access.permission : 'organization:read';
    expect(
      Object.keys(permissionMatrix),
      `add '${permission}' to permissionMatrix in packages/contract/src/access.ts`,
    ).toContain(permission);
    const byPath = access.kind === 'member' && access.organizationFrom === 'path';
    expect(
      endpoint.path.startsWith('/api/organizations/:id'),
      `write pathMemberAccess(…) in ${file} exactly for paths below /api/organizations/:id`,
    ).toBe(byPath);
  });

  test('has a decision about every kind of credential, and what it does', () => {
    const { access, keys, effect, confirmation } = metadata;
    if (access.kind === 'public' || access.kind === 'share') {
      expect(keys, `remove keys of ${id} in ${file}: it takes no credential`).toBe(null);
    } else {
      expect(['any', 'refused', ...scopes], `write \`keys: '…'\` for ${id} in ${file}`).toContain(
        keys,
      );
    }
    if (access.kind === 'member' && keys !== 'refused') {
      expect(
        keys,
        `remove keys of ${id} in ${file}, or add '${id}' with a reason to withoutScope in ${here}`,
      ).toBe(id in withoutScope ? 'any' : access.permission);
    }
    const changes = endpoint.method !== 'GET' || id.endsWith('Callback');
    expect(effect !== 'read', `write \`effect: '…'\` for ${id} in ${file}, or make it a GET`).toBe(
      changes,
    );
    if (endpoint.method === 'DELETE') expect(effect).toBe('remove');
    // No program can confirm, nor act as an owner or for the platform.
    if (confirmation === true) expect([access.kind === 'public', keys]).toEqual([false, 'refused']);
  });

  test('declares every parameter of its path, and no other', () => {
    const inPath = [...endpoint.path.matchAll(/:(\w+)/g)].map(([, name]) => name);
    expect(
      Object.keys(endpoint.pathParams?.shape ?? {}),
      `give ${id} pathParams with ${inPath.join(', ')} in ${file}`,
    ).toEqual(inPath);
  });

  test('declares the status of its success and of each of its errors, and no other', () => {
    const expected = new Set<number>([metadata.success.status]);
    if (metadata.etag) expected.add(304);
    for (const code of metadata.errors) {
      expect(Object.keys(errorCatalogue)).toContain(code);
      expected.add(errorCatalogue[code].status);
    }
    expect(
      Object.keys(responses)
        .map(Number)
        .toSorted((a, b) => a - b),
    ).toEqual([...expected].toSorted((a, b) => a - b));
    expect(new Set(metadata.errors).size).toBe(metadata.errors.length);
  });

  test('has the errors of a bearer token only if it needs one', () => {
    expect(metadata.errors.includes('unauthenticated')).toBe(metadata.access.kind !== 'public');
  });

  test('takes the organization header exactly when the header can select one', () => {
    const selects =
      metadata.access.kind === 'administrator' ||
      (metadata.access.kind === 'member' && metadata.access.organizationFrom === 'header');
    expect('x-organization-id' in endpoint.headers).toBe(selects);
    expect(metadata.errors.includes('organization_access_denied')).toBe(selects);
  });

  test('responds with 201 and takes an idempotency key if it creates something', () => {
    const creates = endpoint.method === 'POST' && !creatingNothing.includes(id);
    expect(
      metadata.success.status === 201,
      creates
        ? `write \`success: created(…)\` for ${id} in ${file}, or add '${id}' to creatingNothing in ${here}`
        : `write \`success: ok(…)\` for ${id} in ${file}, or remove '${id}' from creatingNothing in ${here}`,
    ).toBe(creates);
    if (creates)
      expect(
        metadata.idempotent,
        `write \`idempotent: true\` for ${id} in ${file}, or add '${id}' with a reason to unrepeated in ${here}`,
      ).toBe(unrepeated[id] === undefined);
    if (metadata.idempotent) expect(endpoint.method).toBe('POST');
    expect('idempotency-key' in endpoint.headers).toBe(metadata.idempotent || metadata.secretKey);
  });

  test('has an expiry if its response lets anyone write', () => {
    const { data } = metadata.success;
    const schema = data ? JSON.stringify(z.toJSONSchema(data, { io: 'input' })) : '';
    expect(
      metadata.responseExpires,
      `declare responseExpires of ${id} in ${file}, and list '${id}' in writing in ${here}, or neither`,
    ).toBe(writing.includes(id));
    if (!metadata.responseExpires) return;
    expect(metadata.idempotent).toBe(true);
    expect(schema).toMatch(/"expiresAt"|"expiresIn"/);
  });

  test('takes If-Match when it changes one resource', () => {
    const changes = ['PATCH', 'PUT', 'DELETE'].includes(endpoint.method);
    expect(
      metadata.ifMatch,
      `declare ifMatch of ${id} in ${file}, or add '${id}' to withoutRepresentation in ${here}`,
    ).toBe(changes && !withoutRepresentation.includes(id));
    expect('if-match' in endpoint.headers).toBe(metadata.ifMatch);
  });

  test('takes Last-Event-ID only if it is a stream', () => {
    const isStream = metadata.success.isStream ?? false;
    expect('last-event-id' in endpoint.headers).toBe(isStream);
    if (isStream) expect([endpoint.method, metadata.success.body]).toEqual(['GET', null]);
  });

  test('declares its activity when it changes something', () => {
    for (const action of metadata.activities) expect(activityActions).toContain(action);
    // A sign-in callback is a GET and may record a new account.
    const records = endpoint.method === 'GET' ? id.endsWith('Callback') : !(id in unrecorded);
    expect(
      metadata.activities.length > 0,
      `write \`activity: '…'\` for ${id} in ${file}, or add '${id}' with a reason to unrecorded in ${here}`,
    ).toBe(records);
  });
});

const growing = operations.flatMap(({ id, endpoint: { query } }) =>
  query instanceof z.ZodObject && 'cursor' in query.shape ? [{ id, query }] : [],
);

test('every list that can grow without bound takes a cursor', () => {
  expect(
    growing.map(({ id }) => id),
    'update this list in packages/contract/src/operations.test.ts',
  ).toEqual([
    'timeline.mine',
    'timeline.list',
    'timeline.resource',
    'collections.list',
    'collections.bin',
    'assets.list',
    'assets.myLogs',
    'assets.bin',
    'assets.listInCollection',
    'assets.logs',
    'assets.versions',
    'tasks.list',
    'tasks.listInProject',
    'comments.list',
    'webhooks.listDeliveries',
    'notifications.list',
    'notifications.followers',
    'search.find',
    'assetComments.list',
    'shares.list',
    'shares.publicLinks',
    'shares.views',
    'shares.sharedAssets',
    'shares.sharedComments',
    'taskAssets.list',
    'approvals.list',
  ]);
});

const numbered = growing.filter(({ query }) => 'page' in query.shape);

test.each(numbered)('$id refuses a page together with a cursor', ({ query }) => {
  expect(query.safeParse({ page: '2' }).success).toBe(true);
  expect(query.safeParse({ cursor: 'opaque' }).success).toBe(true);
  expect(query.safeParse({ page: '1', cursor: 'opaque' }).error?.issues[0]?.path).toEqual(['page']);
});

test('no two operations have the same method and path, apart from parameter names', () => {
  const shapes = operations.map(
    ({ endpoint }) => `${endpoint.method} ${endpoint.path.replaceAll(/:\w+/g, ':')}`,
  );
  expect(new Set(shapes).size).toBe(shapes.length);
});

test.each(['auth.login', 'auth.refresh', 'auth.exchange'] as const)(
  '%s has no stored response: it would have tokens',
  (id) => {
    expect(byId.get(id)?.metadata.idempotent).toBe(false);
  },
);

describe('the idempotency key of a refresh', () => {
  const header = byId.get('auth.refresh')?.headers['idempotency-key'];
  const bytes = Uint8Array.from({ length: 16 }, (_, index) => 251 - index * 7);

  test('is the only one that has to be secret', () => {
    const secret = operations.filter(({ endpoint }) => endpoint.metadata.secretKey);
    expect(secret.map(({ id }) => id)).toEqual(['auth.refresh']);
  });

  test.each([
    ['hexadecimal digits', Buffer.from(bytes).toString('hex')],
    ['upper case', Buffer.from(bytes).toString('hex').toUpperCase()],
    ['base64', Buffer.from(bytes).toString('base64')],
    ['base64url', Buffer.from(bytes).toString('base64url')],
    ['255 characters', 'k'.repeat(255)],
    ['none', undefined],
  ])('may be %s', (_, key) => {
    expect(header?.safeParse(key).success).toBe(true);
  });

  test.each([
    ['31 hexadecimal digits', 'a'.repeat(31)],
    ['21 characters of base64url', 'k'.repeat(21)],
    ['a UUID, which has six bits less', 'b3d8ad0a-6b3f-4c5e-8f0e-0d3c3b7f9a11'],
    ['256 characters', 'k'.repeat(256)],
    ['empty', ''],
    ['with spaces', `${'k'.repeat(22)} ${'k'.repeat(22)}`],
  ])('may not be %s', (_, key) => {
    const { error } = header?.safeParse(key) ?? {};
    expect(error?.issues[0]?.message).toContain('at least 128 random bits');
  });
});

test.each(['assets.publish', 'uploads.initiate', 'uploads.complete', 'uploads.abort'] as const)(
  '%s takes an idempotency key',
  (id) => {
    expect(byId.get(id)?.metadata.idempotent).toBe(true);
  },
);

test('a resource that can be changed is read with an ETag', () => {
  const changed = operations.filter(({ endpoint }) => endpoint.method === 'PATCH');
  const reads = operations.filter(
    ({ endpoint }) =>
      endpoint.method === 'GET' && changed.some((other) => other.endpoint.path === endpoint.path),
  );
  expect(
    reads.map(({ id }) => id),
    'update this list in packages/contract/src/operations.test.ts',
  ).toEqual([
    'apiKeys.policy',
    'organizations.get',
    'collections.get',
    'assets.get',
    'projects.get',
    'tasks.get',
    'labels.get',
    'webhooks.get',
    'shares.get',
    'shares.policy',
  ]);
  for (const { id, endpoint } of reads) {
    const file = `packages/contract/src/${id.split('.')[0]}.ts`;
    expect(endpoint.metadata.etag, `write \`etag: true\` for ${id} in ${file}`).toBe(true);
  }
});

test('every action has a name like resource.verb', () => {
  for (const action of activityActions)
    expect(action).toMatch(/^[a-z]+(_[a-z]+)*\.[a-z]+(_[a-z]+)*$/);
  expect(new Set(activityActions).size).toBe(activityActions.length);
});

test('every error has a snake_case code, an error status, a message and a condition', () => {
  for (const [code, { status, message, when }] of Object.entries(errorCatalogue)) {
    expect(code).toMatch(/^[a-z]+(_[a-z]+)*$/);
    expect(status).toBeGreaterThanOrEqual(400);
    expect(status).toBeLessThan(600);
    expect(message.length, code).toBeGreaterThan(5);
    expect(when.length, code).toBeGreaterThan(10);
  }
});
