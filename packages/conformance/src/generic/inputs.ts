import { operations, type Operation } from '@atelier/contract';
import { z } from 'zod';
import { wrongBodies, wrongQueries, type WrongValue } from '../cases.ts';
import { operationCheck, type Check, type CheckContext } from '../check.ts';
import type { RequestOptions } from '../deployment.ts';
import { bodySchemaOf, paramNamesOf, querySchemaOf } from '../request-schemas.ts';
import { validRequest } from '../valid-requests.ts';

/** Input that violates the contract is rejected with 400, 413 or 415 and has no effect. */
export const inputChecks: readonly Check[] = operations.flatMap((operation) => [
  ...bodyChecks(operation),
  ...queryChecks(operation),
  ...pathChecks(operation),
  ...headerChecks(operation),
  ...mediaChecks(operation),
]);

function bodyChecks(operation: Operation): Check[] {
  const schema = bodySchemaOf(operation);
  if (!schema) return [];
  const rule = 'input.body';
  return [
    operationCheck(rule, operation.id, {
      title: `${operation.id} rejects bodies that violate the contract`,
      run: async (context) => {
        const request = validRequest(operation, context.fixtures);
        const cases = wrongBodies(schema, request.body);
        await expectEachRejected(context, { operation, rule, cases }, (body) => ({
          ...request,
          body,
        }));
        const { body: _, ...bodiless } = request;
        if (schema.safeParse(undefined).success) return;
        const response = await context.probe.request(operation.id, bodiless);
        context.probe.expectRefusal(rule, response, 'validation_failed');
      },
    }),
  ];
}

function queryChecks(operation: Operation): Check[] {
  const schema = querySchemaOf(operation);
  // Sign-in callbacks treat unreadable parameters as absent.
  if (!schema || schema.safeParse({ code: '\0', state: '\0', page: '0' }).success) return [];
  const rule = 'input.query';
  return [
    operationCheck(rule, operation.id, {
      title: `${operation.id} rejects queries that violate the contract`,
      run: async (context) => {
        const request = validRequest(operation, context.fixtures);
        const cases = wrongQueries(schema, request.query ?? {});
        await expectEachRejected(context, { operation, rule, cases }, (query) => ({
          ...request,
          query: z.record(z.string(), z.string()).parse(query),
        }));
      },
    }),
  ];
}

function pathChecks(operation: Operation): Check[] {
  const rule = 'input.path';
  const names = paramNamesOf(operation);
  if (names.length === 0) return [];
  return [
    operationCheck(rule, operation.id, {
      title: `${operation.id} rejects malformed ids in its path`,
      run: async (context) => {
        const request = validRequest(operation, context.fixtures);
        const cases = names.flatMap((name) =>
          (name === 'token' ? ['\0'] : malformedIds).map((value) => ({
            what: `${name} of ${JSON.stringify(value)}`,
            value: { [name]: value },
          })),
        );
        await expectEachRejected(context, { operation, rule, cases }, (params) => ({
          ...request,
          params: { ...request.params, ...z.record(z.string(), z.string()).parse(params) },
        }));
      },
    }),
  ];
}

const malformedIds = ['no-id', '019AA4F0-5C1E-7B3A-9D2F-6F1F0C7A9E42', "' or 1=1 --", '-1', '\0'];

function headerChecks(operation: Operation): Check[] {
  const rule = 'input.header';
  const wrong: Readonly<Record<string, string>> = {
    'x-organization-id': 'no-id',
    'idempotency-key': 'k'.repeat(256),
    'if-match': 'no quotes',
  };
  const names = Object.keys(operation.endpoint.headers).filter((name) => name in wrong);
  if (names.length === 0) return [];
  return [
    operationCheck(rule, operation.id, {
      title: `${operation.id} rejects malformed headers`,
      run: async (context) => {
        const { organizationId: _, ...request } = validRequest(operation, context.fixtures);
        const cases = names.map((name) => ({ what: name, value: { [name]: wrong[name] } }));
        await expectEachRejected(context, { operation, rule, cases }, (headers) =>
          withHeaders(request, z.record(z.string(), z.string()).parse(headers)),
        );
      },
    }),
  ];
}

function mediaChecks(operation: Operation): Check[] {
  const { id, endpoint } = operation;
  if (endpoint.method === 'GET' || endpoint.metadata.toleratesAnyBody) return [];
  const { bodyLimitBytes } = endpoint.metadata;
  const json = { 'content-type': 'application/json' };
  return [
    operationCheck('input.malformed-json', id, {
      title: `${id} rejects a body that is not JSON`,
      run: async ({ probe, fixtures }) => {
        const request = withHeaders(validRequest(operation, fixtures), json);
        for (const rawBody of ['{"a":', '['.repeat(100) + ']'.repeat(100)]) {
          const response = await probe.request(id, { ...request, rawBody });
          probe.expectRefusal('input.malformed-json', response, 'malformed_json');
        }
      },
    }),
    operationCheck('input.media-type', id, {
      title: `${id} rejects a body of another media type`,
      run: async ({ probe, fixtures }) => {
        const response = await probe.request(id, {
          ...withHeaders(validRequest(operation, fixtures), {
            'content-type': 'application/x-www-form-urlencoded',
          }),
          rawBody: 'a=1',
        });
        probe.expectRefusal('input.media-type', response, 'unsupported_media_type');
      },
    }),
    operationCheck('input.too-large', id, {
      title: `${id} rejects a body above ${bodyLimitBytes} bytes`,
      run: async ({ probe, fixtures }) => {
        const response = await probe.request(id, {
          ...withHeaders(validRequest(operation, fixtures), json),
          rawBody: `{"filler":"${'x'.repeat(bodyLimitBytes)}"}`,
        });
        probe.expectRefusal('input.too-large', response, 'body_too_large');
      },
    }),
  ];
}

/** Adds headers to those of a request: a visitor's ticket is one of them. */
function withHeaders(
  request: RequestOptions,
  headers: Readonly<Record<string, string>>,
): RequestOptions {
  return { ...request, headers: { ...request.headers, ...headers } };
}

async function expectEachRejected(
  { probe }: CheckContext,
  { operation, rule, cases }: { operation: Operation; rule: string; cases: readonly WrongValue[] },
  requestWith: (value: Record<string, unknown>) => RequestOptions,
): Promise<void> {
  for (const { what, value } of cases) {
    const response = await probe.request(operation.id, requestWith(value));
    const isRejected = probe.expect({
      rule,
      response,
      holds: response.status === 400,
      expected: `400 for ${what}`,
    });
    if (!isRejected) continue;
    probe.expect({
      rule,
      response,
      holds: namesInvalidParts(response.json),
      expected: `errors that name the invalid part (${what})`,
    });
  }
}

const NamedErrors = z.union([
  z.object({ errors: z.array(z.object({ message: z.string() })).min(1) }),
  // A request that can't be parsed has no part to name.
  z.object({ code: z.literal('malformed_request') }),
]);

function namesInvalidParts(json: unknown): boolean {
  return NamedErrors.safeParse(json).success;
}
