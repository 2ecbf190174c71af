import { readFile } from 'node:fs/promises';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { beforeAll, expect, test } from 'vitest';
import { errorCatalogue, type ErrorCode } from '../../src/errors.ts';
import { operations } from '../../src/operations.ts';
import { operationsOf, resolved, type Content, type OpenApi } from '../compatibility/document.ts';

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
        .filter(([status]) => Number(status) >= 400)
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

test('every error code is explained', () => {
  const declared = new Set(operations.flatMap(({ endpoint }) => endpoint.metadata.errors));
  for (const code of declared) {
    expect(text, `${code} of packages/contract/src/errors.ts: pnpm generate`).toContain(
      JSON.stringify(errorCatalogue[code].when).slice(1, -1),
    );
  }
});

test('it stays small enough to read whole', () => {
  // Of 200,000 bytes, with room for what a release adds.
  expect(Buffer.byteLength(text)).toBeLessThan(190_000);
});
