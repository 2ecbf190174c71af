import { operations, type Operation } from '@atelier/contract';
import { z } from 'zod';
import { wrongBodies, wrongQueries, type WrongValue } from '../cases.ts';
import { operationCheck, type Check, type Scene } from '../check.ts';
import type { CallOptions } from '../deployment.ts';
import { bodySchemaOf, paramNamesOf, querySchemaOf, validRequest } from '../valid-requests.ts';

/** What breaks the contract is refused with 400, 413 or 415, and nothing comes of it. */
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
      title: `${operation.id} refuses bodies that break the contract`,
      run: async (scene) => {
        const request = validRequest(operation, scene.world);
        const cases = wrongBodies(schema, request.body);
        await refuseEach(scene, { operation, rule, cases }, (body) => ({ ...request, body }));
        const { body: _, ...bodiless } = request;
        if (schema.safeParse(undefined).success) return;
        const answer = await scene.probe.call(operation.id, bodiless);
        scene.probe.expectRefusal(rule, answer, 'validation_failed');
      },
    }),
  ];
}

function queryChecks(operation: Operation): Check[] {
  const schema = querySchemaOf(operation);
  // Sign-in callbacks count what they can't read as absent.
  if (!schema || schema.safeParse({ code: '\0', state: '\0', page: '0' }).success) return [];
  const rule = 'input.query';
  return [
    operationCheck(rule, operation.id, {
      title: `${operation.id} refuses queries that break the contract`,
      run: async (scene) => {
        const request = validRequest(operation, scene.world);
        const cases = wrongQueries(schema, request.query ?? {});
        await refuseEach(scene, { operation, rule, cases }, (query) => ({
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
      title: `${operation.id} refuses malformed ids in its path`,
      run: async (scene) => {
        const request = validRequest(operation, scene.world);
        const cases = names.flatMap((name) =>
          (name === 'token' ? ['\0'] : malformedIds).map((value) => ({
            what: `${name} of ${JSON.stringify(value)}`,
            value: { [name]: value },
          })),
        );
        await refuseEach(scene, { operation, rule, cases }, (params) => ({
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
      title: `${operation.id} refuses malformed headers`,
      run: async (scene) => {
        const { organizationId: _, ...request } = validRequest(operation, scene.world);
        const cases = names.map((name) => ({ what: name, value: { [name]: wrong[name] } }));
        await refuseEach(scene, { operation, rule, cases }, (headers) => ({
          ...request,
          headers: z.record(z.string(), z.string()).parse(headers),
        }));
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
      title: `${id} refuses a body that is no JSON`,
      run: async ({ probe, world }) => {
        const request = { ...validRequest(operation, world), headers: json };
        for (const rawBody of ['{"a":', '['.repeat(100) + ']'.repeat(100)]) {
          const answer = await probe.call(id, { ...request, rawBody });
          probe.expectRefusal('input.malformed-json', answer, 'malformed_json');
        }
      },
    }),
    operationCheck('input.media-type', id, {
      title: `${id} refuses a body of another media type`,
      run: async ({ probe, world }) => {
        const answer = await probe.call(id, {
          ...validRequest(operation, world),
          rawBody: 'a=1',
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
        });
        probe.expectRefusal('input.media-type', answer, 'unsupported_media_type');
      },
    }),
    operationCheck('input.too-large', id, {
      title: `${id} refuses a body above ${bodyLimitBytes} bytes`,
      run: async ({ probe, world }) => {
        const answer = await probe.call(id, {
          ...validRequest(operation, world),
          rawBody: `{"filler":"${'x'.repeat(bodyLimitBytes)}"}`,
          headers: json,
        });
        probe.expectRefusal('input.too-large', answer, 'body_too_large');
      },
    }),
  ];
}

async function refuseEach(
  { probe }: Scene,
  { operation, rule, cases }: { operation: Operation; rule: string; cases: readonly WrongValue[] },
  requestWith: (value: Record<string, unknown>) => CallOptions,
): Promise<void> {
  for (const { what, value } of cases) {
    const answer = await probe.call(operation.id, requestWith(value));
    const isRefused = probe.expect({
      rule,
      answer,
      holds: answer.status === 400,
      expected: `400 for ${what}`,
    });
    if (!isRefused) continue;
    probe.expect({
      rule,
      answer,
      holds: saysWhatIsWrong(answer.json),
      expected: `errors that name what is wrong (${what})`,
    });
  }
}

const NamedErrors = z.union([
  z.object({ errors: z.array(z.object({ message: z.string() })).min(1) }),
  // What can't be read at all has no part that could be named.
  z.object({ code: z.literal('malformed_request') }),
]);

function saysWhatIsWrong(json: unknown): boolean {
  return NamedErrors.safeParse(json).success;
}
