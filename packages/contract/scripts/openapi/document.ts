import {
  createDocument,
  type ZodOpenApiOperationObject,
  type ZodOpenApiPathsObject,
} from 'zod-openapi';
import { z } from 'zod';
import manifest from '../../package.json' with { type: 'json' };
import { permissionMatrix, roles, type Access } from '../../src/access.ts';
import { ErrorBody } from '../../src/error-body.ts';
import { groupCatalogue } from '../../src/groups.ts';
import { operations, type Operation } from '../../src/operations.ts';
import { shareFields } from './inheritance.ts';
import { shareParameters } from './parameters.ts';
import { simplify, withoutPatternsOfFormats } from './simplify.ts';
import { headerComponents, responsesOf, sharedResponses } from './responses.ts';
import { introduction, operationText } from './texts.ts';
import { messageSchemas, withWebhooks } from './webhooks.ts';

/** The whole contract as an OpenAPI 3.1 document. */
export function openApiDocument(): ReturnType<typeof createDocument> {
  const document = createDocument(
    {
      openapi: '3.1.1',
      info: {
        title: 'Atelier',
        version: '1.0.0',
        description: introduction,
        contact: { name: 'Atelier', url: manifest.homepage },
        license: { name: 'MIT', identifier: 'MIT' },
      },
      // A deployment serves the document with its own address.
      servers: [{ url: 'https://api.atelier.example', description: 'Replace by your deployment.' }],
      tags: Object.entries(groupCatalogue).map(([name, { description }]) => ({
        name,
        description,
      })),
      security: [{ bearer: [] }],
      'x-permissions': permissionMarks(),
      paths: paths(),
      components: {
        schemas: { ErrorBody, ...messageSchemas },
        headers: headerComponents,
        responses: sharedResponses(),
        securitySchemes: {
          shareTicket: {
            type: 'apiKey',
            in: 'header',
            name: 'Authorization',
            description: '`Share`, a space, and the ticket from `shares.open`.',
          },
          bearer: {
            type: 'http',
            scheme: 'bearer',
            description: 'The access token from sign-in, exchange or refresh; an opaque value.',
          },
        },
      },
    },
    { override: simplify },
  );
  return withWebhooks(shareParameters(shareFields(withoutPatternsOfFormats(document))));
}

function paths(): ZodOpenApiPathsObject {
  const byPath: ZodOpenApiPathsObject = {};
  for (const operation of operations) {
    const path = operation.endpoint.path.replaceAll(/:(\w+)/g, '{$1}');
    const method = methods[operation.endpoint.method];
    byPath[path] = { ...byPath[path], [method]: operationObject(operation) };
  }
  return byPath;
}

const methods = { GET: 'get', POST: 'post', PUT: 'put', PATCH: 'patch', DELETE: 'delete' } as const;

/** Returns an operation in the form of the document. */
export function operationObject({ id, endpoint }: Operation): ZodOpenApiOperationObject {
  const { metadata, headers } = endpoint;
  // The general type of an operation has no body.
  const body: unknown = endpoint.body;
  return {
    operationId: id,
    tags: [id.split('.', 1)[0] ?? id],
    summary: endpoint.summary,
    description: operationText(endpoint.description, metadata),
    ...(metadata.deprecated && { deprecated: true }),
    ...(metadata.access.kind === 'public' && { security: [] }),
    ...(metadata.access.kind === 'share' && { security: [{ shareTicket: [] }] }),
    requestParams: {
      ...(endpoint.pathParams && { path: endpoint.pathParams }),
      ...(endpoint.query instanceof z.ZodObject && { query: endpoint.query }),
      ...(Object.keys(headers).length > 0 && { header: z.object(headers) }),
    },
    ...(body instanceof z.ZodType && {
      requestBody: {
        required: !body.safeParse(undefined).success,
        content: { 'application/json': { schema: body } },
      },
    }),
    responses: responsesOf(metadata),
    'x-access': accessMark(metadata.access),
  };
}

/** The access for machines: the kind, then the permission and where the organization comes from. */
function accessMark(access: Access): string {
  if (access.kind !== 'member') return access.kind;
  return `member ${access.permission} ${access.organizationFrom}`;
}

/** What each role may do, for machines: `any`, or `own` for its own records alone. */
function permissionMarks(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(permissionMatrix).map(([permission, reaches]) => [
      permission,
      roles
        .filter((role) => reaches[role] !== 'none')
        .map((role) => `${role}:${reaches[role]}`)
        .join(' '),
    ]),
  );
}
