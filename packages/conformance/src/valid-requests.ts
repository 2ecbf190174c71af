import type { Operation, OperationId } from '@atelier/contract';
import { z } from 'zod';
import type { CallOptions } from './deployment.ts';
import type { World } from './world.ts';

/** What a request of an operation is like; checks change one thing about it. */
export interface RequestParts extends CallOptions {
  readonly params: Readonly<Record<string, string | number>>;
  readonly body?: unknown;
}

/**
 * A request that the contract allows, by the owner of the world and about its things. Sending it as it
 * is may change them.
 */
export function validRequest(operation: Operation, world: World): RequestParts {
  const { access } = operation.endpoint.metadata;
  const body = bodyFor(operation, world);
  return {
    params: paramsFor(operation, world),
    ...(body !== undefined && { body }),
    ...queryFor(operation.id, world),
    ...(access.kind !== 'public' && { token: world.owner.token }),
    ...((access.kind === 'administrator' || operation.id === 'assets.publish') && {
      organizationId: world.team.id,
    }),
  };
}

/** The schema of the body; null where none is read. */
export function bodySchemaOf({ endpoint }: Operation): z.ZodType | null {
  const body: unknown = endpoint.body;
  return body instanceof z.ZodType && !endpoint.metadata.toleratesAnyBody ? body : null;
}

/** The schema of the query; null where none is read. */
export function querySchemaOf({ endpoint }: Operation): z.ZodType | null {
  return 'query' in endpoint && endpoint.query instanceof z.ZodType ? endpoint.query : null;
}

/** Names of the parameters in the path. */
export function paramNamesOf({ endpoint }: Operation): string[] {
  return [...endpoint.path.matchAll(/:(\w+)/g)].map(([, name]) => String(name));
}

function paramsFor(operation: Operation, world: World): Record<string, string | number> {
  return Object.fromEntries(
    paramNamesOf(operation).map((name) => [name, paramFor(operation.id, name, world)]),
  );
}

function paramFor(id: OperationId, name: string, world: World): string | number {
  const [group] = id.split('.');
  switch (name) {
    case 'collectionId':
      return world.collectionId;
    case 'projectId':
      return world.projectId;
    case 'taskId':
      return world.taskId;
    case 'commentId':
      return world.commentId;
    case 'uploadId':
      return world.upload.uploadId;
    case 'memberId':
      return world.team.viewerMemberId;
    case 'invitationId':
      return world.team.invitationId;
    case 'token':
      return world.team.invitationToken;
    case 'versionNumber':
      return 1;
    case 'code':
      return world.shortCode;
    case 'type':
      return 'collection';
  }
  switch (group) {
    case 'organizations':
      return world.team.id;
    case 'assets':
      return world.assetId;
    case 'projects':
      return world.projectId;
    case 'tasks':
      return world.taskId;
    case 'sessions':
      return world.sessionId;
    default:
      return world.collectionId;
  }
}

function queryFor(id: OperationId, { team }: World): Pick<CallOptions, 'query'> {
  if (id === 'auth.verifyToken') return { query: { token: 'no-such-token' } };
  if (id === 'organizations.remove') return { query: { confirmName: team.name } };
  return {};
}

/** The example of the contract, with the ids of the world. */
function bodyFor(operation: Operation, world: World): unknown {
  const schema = bodySchemaOf(operation);
  if (!schema) return undefined;
  const { owner, collectionId, upload, viewer } = world;
  const bodies: Partial<Record<OperationId, unknown>> = {
    'tasks.move': { position: 0 },
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
    'organizations.invite': { email: viewer.email, role: 'MEMBER' },
  };
  return bodies[operation.id] ?? firstExample(schema);
}

function firstExample(schema: z.ZodType): unknown {
  const { examples } = schema.meta() ?? {};
  return Array.isArray(examples) ? structuredClone(examples[0]) : undefined;
}
