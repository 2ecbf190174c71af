import type { Operation, OperationId } from '@atelier/contract';
import type { z } from 'zod';
import type { RequestOptions } from './deployment.ts';
import type { Fixtures } from './fixtures.ts';
import { unreachable } from './unreachable.ts';
import { bodySchemaOf, paramNamesOf } from './request-schemas.ts';

/** The parts of a valid request; checks change one of them. */
export interface RequestParts extends RequestOptions {
  readonly params: Readonly<Record<string, string | number>>;
  readonly body?: unknown;
}

/**
 * Builds a valid request by the owner of the fixtures about a fixture. Sending it unchanged may change the
 * fixture.
 */
export function validRequest(operation: Operation, fixtures: Fixtures): RequestParts {
  const { access } = operation.endpoint.metadata;
  const body = bodyFor(operation, fixtures);
  return {
    params: paramsFor(operation, fixtures),
    ...(body !== undefined && { body }),
    ...queryFor(operation.id, fixtures),
    ...(access.kind === 'share' && {
      headers: { authorization: `Share ${fixtures.share.ticket}` },
    }),
    ...(access.kind !== 'public' &&
      access.kind !== 'share' && { token: tokenFor(operation.id, fixtures) }),
    ...((access.kind === 'administrator' || operation.id === 'assets.publish') && {
      organizationId: fixtures.team.id,
    }),
  };
}

function tokenFor(id: OperationId, fixtures: Fixtures): string {
  if (id === 'apiKeys.current') return fixtures.apiKey.ofLabels;
  return id === 'approvals.request' ? fixtures.apiKey.ofTasks : fixtures.owner.token;
}

function paramsFor(operation: Operation, fixtures: Fixtures): Record<string, string | number> {
  return Object.fromEntries(
    paramNamesOf(operation).map((name) => [name, paramFor(operation, name, fixtures)]),
  );
}

function paramFor({ id, endpoint }: Operation, name: string, fixtures: Fixtures): string | number {
  if (name === 'id' && endpoint.path.startsWith('/api/tasks/:id')) return fixtures.taskId;
  if (name === 'id' && endpoint.path.startsWith('/api/organizations/:id')) return fixtures.team.id;
  const [group] = id.split('.');
  switch (name) {
    case 'accountId':
      return fixtures.team.serviceAccountId;
    case 'keyId':
      return id === 'apiKeys.exclude' ? fixtures.apiKey.id : fixtures.team.serviceKeyId;
    case 'webhookId':
      return fixtures.team.webhookId;
    case 'deliveryId':
      return fixtures.team.deliveryId;
    case 'collectionId':
      return fixtures.collectionId;
    case 'assetId':
      return fixtures.assetId;
    case 'projectId':
      return fixtures.projectId;
    case 'taskId':
      return fixtures.taskId;
    case 'commentId':
      return group === 'assetComments' ? fixtures.assetCommentId : fixtures.commentId;
    case 'uploadId':
      return fixtures.upload.uploadId;
    case 'memberId':
      return fixtures.team.viewerMemberId;
    case 'invitationId':
      return fixtures.team.invitationId;
    case 'token':
      return fixtures.team.invitationToken;
    case 'versionNumber':
      return 1;
    case 'code':
      return fixtures.shortCode;
    case 'type':
      return 'collection';
    case 'provider':
      return 'google';
  }
  switch (group) {
    case 'assets':
    case 'assetComments':
      return fixtures.assetId;
    case 'projects':
      return fixtures.projectId;
    case 'tasks':
      return fixtures.taskId;
    case 'labels':
      return fixtures.labelId;
    case 'shares':
      return endpoint.metadata.access.kind === 'share' ? fixtures.assetId : fixtures.share.id;
    case 'sessions':
      return fixtures.sessionId;
    case 'apiKeys':
      return fixtures.apiKey.id;
    case 'approvals':
      return fixtures.approvalId;
    case 'account':
      return fixtures.exportId;
    default:
      return fixtures.collectionId;
  }
}

function queryFor(id: OperationId, { team }: Fixtures): Pick<RequestOptions, 'query'> {
  if (id === 'auth.verifyToken') return { query: { token: 'no-such-token' } };
  if (id === 'search.find' || id === 'search.suggest') return { query: { q: 'conformance' } };
  if (id === 'organizations.remove') return { query: { confirmName: team.name } };
  return {};
}

/** Returns the example of the contract, with the ids of the fixtures. */
function bodyFor(operation: Operation, fixtures: Fixtures): unknown {
  const schema = bodySchemaOf(operation);
  if (!schema) return undefined;
  const { owner, collectionId, upload, viewer } = fixtures;
  const bodies: Partial<Record<OperationId, unknown>> = {
    'tasks.move': { position: 0 },
    // What it is sent reaches nobody.
    'webhooks.create': { url: unreachable, events: ['label.delete'] },
    'shares.create': { targetType: 'COLLECTION', targetId: collectionId },
    'shares.createSharedComment': { body: 'Conformance comment', visitorName: 'Grace' },
    'shares.open': { token: fixtures.share.token },
    'labels.set': { labelIds: [fixtures.labelId] },
    'tasks.assign': { assigneeIds: [owner.id] },
    'uploads.initiate': {
      fileName: 'sample.bin',
      contentType: 'application/octet-stream',
      fileSize: 1000,
      collectionId,
    },
    'uploads.complete': {
      ...upload,
      contentType: 'application/octet-stream',
      parts: [{ partNumber: 1, eTag: '9b2cf535f27731c974343645a3985328' }],
      collectionId,
    },
    'uploads.abort': upload,
    'assets.publish': {},
    'approvals.request': { tool: 'tasks_remove', arguments: { id: fixtures.taskId } },
    'apiKeys.create': {
      name: 'Conformance key',
      preset: 'read-only',
      organizationIds: [fixtures.team.id],
    },
    'organizations.invite': { email: viewer.email, role: 'MEMBER' },
  };
  return bodies[operation.id] ?? firstExample(schema);
}

function firstExample(schema: z.ZodType): unknown {
  const { examples } = schema.meta() ?? {};
  return Array.isArray(examples) ? structuredClone(examples[0]) : undefined;
}
