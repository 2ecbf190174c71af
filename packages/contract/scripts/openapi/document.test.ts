import { readFile } from 'node:fs/promises';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { beforeAll, expect, test } from 'vitest';
import { errorCatalogue, type ErrorCode } from '../../src/errors.ts';
import { operations } from '../../src/operations.ts';
import { webhookEventTypes, webhookMessageSchema } from '../../src/webhook-events.ts';
import {
  operationsOf,
  resolved,
  type Content,
  type OpenApi,
  type Schema,
} from '../compatibility/document.ts';

const file = new URL('../../openapi.json', import.meta.url);
let text = '';
let document: OpenApi = {};

beforeAll(async () => {
  const written = await readFile(file, 'utf8');
  document = JSON.parse(written) as OpenApi;
  text = JSON.stringify(document);
});

test('it is valid by the JSON Schema of OpenAPI 3.1', async () => {
  expect(await new Validator().validate(JSON.parse(text) as Record<string, unknown>)).toEqual({
    valid: true,
  });
});

test('it has no finding of a second validator, which also follows references', async () => {
  expect(await findingsIn(text)).toEqual([]);
  expect(
    await findingsIn(text.replace('/components/schemas/Task"', '/components/schemas/Tusk"')),
  ).toHaveLength(1);
});

async function findingsIn(source: string) {
  const config = await createConfig({ extends: ['spec'] });
  const findings = await lintFromString({ source, config });
  return findings.map(({ message, location }) => [message, location[0]?.pointer]);
}

/**
 * A parameter whose pattern refuses the other path's literal makes no path ambiguous, but the rule reads no
 * patterns. The paths are of the specification.
 */
function isToldApartByPattern(message: string): boolean {
  const [, one = '', other = ''] = /`(.+)` and `(.+)`/.exec(message) ?? [];
  const [segments, others] = [one.split('/'), other.split('/')];
  return (
    segments.some((segment, index) => refuses(one, segment, others[index] ?? '')) ||
    others.some((segment, index) => refuses(other, segment, segments[index] ?? ''))
  );
}

function refuses(path: string, segment: string, literal: string): boolean {
  const name = /^\{(.+)\}$/.exec(segment)?.[1];
  if (name === undefined || literal.startsWith('{')) return false;
  const parameters = [...operationsOf(document)]
    .filter(([route]) => route.endsWith(` ${path}`))
    .map(([, operation]) => operation.parameters?.find((one) => one.name === name));
  return parameters.every((parameter) => {
    const { pattern } = resolved(document, parameter?.schema ?? {});
    return pattern !== undefined && !new RegExp(pattern).test(literal);
  });
}

test('Redocly recommends nothing else', async () => {
  const config = await createConfig({ extends: ['recommended'] });
  const findings = await lintFromString({ source: text, config });
  const others = findings.filter(
    ({ ruleId, message }) => !(ruleId === 'no-ambiguous-paths' && isToldApartByPattern(message)),
  );
  expect(others.map(({ message, location }) => [message, location[0]?.pointer])).toEqual([]);
  expect(
    isToldApartByPattern(
      '`/api/organizations/invitations/{token}` and `/api/organizations/invitations/none`',
    ),
  ).toBe(false);
});

test('names of components are identifiers, so that generators need not invent others', () => {
  const named = Object.values(document.components ?? {}).flatMap((section) => Object.keys(section));
  expect(named.filter((name) => !/^[A-Za-z_]\w*$/.test(name))).toEqual([]);
});

test('defaults and patterns of the common parameters are said', () => {
  const { parameters = {} } = document.components ?? {};
  const schemaOf = (name: string) => (parameters[name] as { schema: Schema }).schema;
  expect([schemaOf('page').default, schemaOf('limit').default]).toEqual([1, 20]);
  expect(schemaOf('sort').default).toBe('-createdAt');
  expect(schemaOf('cursor')).toMatchObject({ minLength: 1, maxLength: 4096 });
  for (const name of ['ifMatch', 'idempotencyKey']) {
    expect(schemaOf(name).pattern, name).toMatch(/^\^.+\$$/);
  }
});

test('every response declares the headers that it is sent with', () => {
  for (const [route, { responses = {} }] of operationsOf(document)) {
    for (const [status, response] of Object.entries(responses)) {
      const sent = Object.keys(response.headers ?? {});
      expect(sent, `${route} ${status}`).toEqual(
        expect.arrayContaining(['x-request-id', 'cache-control']),
      );
      if (status === '401') expect(sent, route).toContain('WWW-Authenticate');
    }
  }
  const eTagged = [...operationsOf(document)].filter(
    ([, { responses }]) => 'ETag' in (responses?.['200']?.headers ?? {}),
  );
  expect(eTagged.map(([route]) => route)).toContain('PATCH /api/tasks/{id}');
});

test('every example fits its schema', () => {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  // The package is CommonJS: its default export is the module.
  addFormats.default(ajv);
  ajv.addSchema(document, 'openapi');
  const wrong: unknown[] = [];
  let count = 0;
  for (const [name, schema] of Object.entries(document.components?.['schemas'] ?? {})) {
    const { examples = [] } = schema as { examples?: readonly unknown[] };
    const validate = ajv.compile({ $ref: `openapi#/components/schemas/${name}` });
    for (const example of examples) {
      count += 1;
      if (!validate(example)) wrong.push({ name, example, errors: validate.errors });
    }
  }
  expect(wrong).toEqual([]);
  expect(count).toBeGreaterThan(60);
});

test('every operation is there by its id, with every code it declares under its status', () => {
  const described = new Map(
    [...operationsOf(document).values()].map((operation) => [operation.operationId, operation]),
  );
  expect([...described.keys()].toSorted()).toEqual(operations.map(({ id }) => id).toSorted());
  for (const { id, endpoint } of operations) {
    const { errors, success } = endpoint.metadata;
    const responses = described.get(id)?.responses ?? {};
    const expected = Object.groupBy(errors, (code) => errorCatalogue[code].status);
    const given = Object.fromEntries(
      Object.entries(responses)
        // 431 comes before an operation is found.
        .filter(([status]) => Number(status) >= 400 && status !== '431')
        .map(([status, response]) => [status, codesOf(response)]),
    );
    expect(given, id).toEqual(expected);
    expect(responses[String(success.status)], id).toBeDefined();
  }
});

function codesOf(response: Content): readonly ErrorCode[] {
  const { allOf } = resolved(document, response.content?.['application/json']?.schema ?? {});
  return (allOf?.[1]?.properties?.['code']?.enum ?? []) as ErrorCode[];
}

test('every message of webhooks is there, with its headers and what a receiver may respond', () => {
  const { webhooks = {} } = document;
  expect(Object.keys(webhooks)).toEqual(webhookEventTypes);
  const ajv = new Ajv2020({ strict: false });
  addFormats.default(ajv);
  ajv.addSchema(document, 'openapi');
  for (const type of webhookEventTypes) {
    const { parameters = [], requestBody, responses = {} } = webhooks[type]?.post ?? {};
    const names = parameters.map((one) => resolved(document, one).name);
    expect(names).toEqual(['webhook-id', 'webhook-timestamp', 'webhook-signature']);
    expect(Object.keys(responses).toSorted()).toEqual(['2XX', '410']);
    const pointer = `/webhooks/${type}/post/requestBody/content/application~1json/schema`;
    const validate = ajv.compile({ $ref: `openapi#${pointer}` });
    const { allOf = [] } = requestBody?.content?.['application/json']?.schema ?? {};
    const [example] = resolved(document, allOf[0] ?? {}).examples ?? [];
    const message = { ...Object(example), type };
    expect(validate(message), type).toBe(true);
    expect(validate({ ...message, type: 'task.vanish' }), type).toBe(false);
    // What the contract sends, it also reads.
    webhookMessageSchema(type).parse(message);
  }
});

test('every error code is explained', () => {
  const declared = new Set(operations.flatMap(({ endpoint }) => endpoint.metadata.errors));
  for (const code of declared) {
    expect(text, `${code} of packages/contract/src/errors.ts: pnpm generate`).toContain(
      JSON.stringify(errorCatalogue[code].when).slice(1, -1),
    );
  }
});

test('it stays small enough to read whole', () => {
  // Every operation says its headers anew, as OpenAPI can't say them once; lists of event names are as long as the events are many.
  const bytesForEach = 2_750;
  expect(Buffer.byteLength(text)).toBeLessThan(operations.length * bytesForEach);
});
