import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { Id, memberAccess, ok, tools, type Tool } from '../../src/index.ts';
import { endpoint } from '../../src/endpoint.ts';
import { target } from '../../src/targets.ts';
import { openApiDocument } from '../openapi/document.ts';
import { declarationOf, toolsDocument } from './document.ts';

const openApi = openApiDocument();
const declarations = toolsDocument(openApi);
const byOperation = new Map(tools.map((tool) => [tool.id, tool]));

function newAjv() {
  const ajv = new Ajv2020({
    strict: true,
    allErrors: true,
    // A schema may narrow another that it refers to, and a field may be a text or null.
    strictTypes: false,
    strictRequired: false,
  });
  // The package is CommonJS: its default export is the module.
  addFormats.default(ajv);
  return ajv;
}

/** Every place in a schema where it refers to another. */
function referencesIn(schema: unknown): string[] {
  const found: string[] = [];
  JSON.stringify(schema, (key, value: unknown) => {
    if (key === '$ref') found.push(String(value));
    return value;
  });
  return found;
}

describe.each(declarations)('$name', (declaration) => {
  const { operation, inputSchema, outputSchema, places } = declaration;
  const tool = byOperation.get(operation);
  if (tool === undefined) throw new Error(`${operation} is no tool`);
  const properties = inputSchema['properties'] as Record<string, unknown>;

  test('has valid schemas, which refer only to their own definitions', () => {
    const ajv = newAjv();
    for (const schema of [inputSchema, outputSchema]) {
      ajv.compile(schema);
      const defined = Object.keys(schema['$defs'] ?? {});
      const references = referencesIn(schema);
      expect(references.filter((to) => !/^#\/\$defs\/\w+$/.test(to))).toEqual([]);
      expect([...new Set(references.map((to) => to.slice('#/$defs/'.length)))].toSorted()).toEqual(
        defined.toSorted(),
      );
    }
  });

  test('takes an object without other arguments, and has an object as its result', () => {
    expect([inputSchema['type'], inputSchema['additionalProperties']]).toEqual(['object', false]);
    expect([outputSchema['type'], '$ref' in outputSchema]).toEqual(['object', false]);
    expect(inputSchema).not.toHaveProperty('anyOf');
  });

  test('has a place for each argument, and for no other', () => {
    expect(Object.keys(places)).toEqual(Object.keys(properties));
    const required = inputSchema['required'] as string[];
    expect(required.filter((argument) => !(argument in properties))).toEqual([]);
    const inPath = [...tool.endpoint.path.matchAll(/:(\w+)/g)].map(([, argument]) => argument);
    expect(required).toEqual(expect.arrayContaining(inPath));
    const ofPath = Object.entries(places).filter(([, place]) => place === 'path');
    expect(ofPath.map(([argument]) => argument).toSorted()).toEqual(inPath.toSorted());
  });

  test('takes the examples of its body', () => {
    const { ids, bodies } = examplesOf(tool);
    const validate = newAjv().compile(inputSchema);
    for (const body of bodies) {
      expect([validate({ ...ids, ...body }), validate.errors]).toEqual([true, null]);
    }
    const takesBody = Object.values(places).includes('body');
    expect(bodies.length > 0).toBe(takesBody);
    expect(validate({ ...ids, ...bodies[0], another: 1 })).toBe(false);
  });

  test('has the examples of its success as results', () => {
    const validate = newAjv().compile(outputSchema);
    const results = resultsOf(tool);
    for (const result of results) {
      expect([validate(result), validate.errors]).toEqual([true, null]);
    }
    expect(results).not.toEqual([]);
    expect(validate({})).toBe((outputSchema['required'] as string[]).length === 0);
  });
});

/** Examples of the arguments in the path, and of those in the body. */
function examplesOf({ endpoint: { pathParams, body } }: Tool) {
  const names = Object.keys(pathParams?.shape ?? {});
  const others: Readonly<Record<string, unknown>> = { type: 'task', versionNumber: 1 };
  const ids = Object.fromEntries(
    names.map((name) => [name, others[name] ?? '019aa4f2-1b3c-7d4e-9f50-6b7c8d9e0f1a']),
  );
  const schema: unknown = body;
  const bodies = schema instanceof z.ZodType ? (schema.meta()?.examples ?? []) : [];
  return { ids, bodies: bodies as readonly Record<string, unknown>[] };
}

/** Results made of the examples of the contract: those of a success, or a page with those of its items. */
function resultsOf({ endpoint: { metadata } }: Tool): readonly unknown[] {
  const data = metadata.success.data as z.ZodType | undefined;
  if (data === undefined) return [{}];
  const examples = data.meta()?.examples;
  if (Array.isArray(examples) && examples.length > 0) return examples;
  const { items } = (data as z.ZodObject<{ items: z.ZodArray<z.ZodType> }>).shape;
  const ofItems = items.element.meta()?.examples ?? [];
  const pagination = { page: 1, limit: 20, total: 1, totalPages: 1, nextCursor: null };
  return [{ items: ofItems, pagination }];
}

/** A tool that the contract doesn't have. @returns it and its part of the document */
function madeUp(parameters: readonly object[], requestBody?: object) {
  const spec = {
    method: 'POST',
    path: '/api/things/:id',
    summary: 'Change a thing',
    access: memberAccess('task:edit'),
    effect: 'change',
    pathParams: z.object({ id: Id }),
    targets: { 'params.id': target('task', 'task:edit') },
    success: ok('Thing changed', z.object({ id: Id })),
  } as const;
  const tool = {
    id: 'tasks.update',
    endpoint: endpoint(spec),
    name: 'things_change',
    toolset: 'work',
  } as Tool;
  const post = {
    parameters,
    ...(requestBody && {
      requestBody: { content: { 'application/json': { schema: requestBody } } },
    }),
    responses: {},
  };
  const document = { paths: { '/api/things/{id}': { post } }, components: {} };
  return declarationOf(tool, document as never);
}

const text = { type: 'string' };
const id = { in: 'path', name: 'id', required: true, schema: text };

describe('the generator', () => {
  test.each([
    ['of path and body', [id], ['id', 'title']],
    ['of path and query', [id, { in: 'query', name: 'id', schema: text }], ['title']],
    [
      'of a header and the body',
      [id, { in: 'header', name: 'if-match', schema: text }],
      ['ifMatch', 'title'],
    ],
  ])('refuses two fields with one name, %s', (_, parameters, fields) => {
    const properties = Object.fromEntries(fields.map((name) => [name, text]));
    expect(() => madeUp(parameters, { type: 'object', properties })).toThrow(
      /^tasks\.update has two fields named (id|ifMatch): name one of them differently$/,
    );
  });

  test('offers three headers, and no other', () => {
    const headers = ['x-organization-id', 'idempotency-key', 'if-match', 'if-none-match', 'range'];
    const { places } = madeUp([
      id,
      ...headers.map((name) => ({ in: 'header', name, schema: text })),
    ]);
    expect(places).toEqual({
      id: 'path',
      organizationId: 'header',
      idempotencyKey: 'header',
      ifMatch: 'header',
    });
  });

  test('offers the fields of all alternatives of a body', () => {
    const { places, inputSchema, description } = madeUp([id], {
      description: 'One of both.',
      anyOf: [
        { type: 'object', properties: { a: text, b: { not: {} }, c: text }, required: ['a', 'c'] },
        { type: 'object', properties: { a: { not: {} }, b: text, c: text }, required: ['c', 'b'] },
      ],
    });
    expect(places).toEqual({ id: 'path', a: 'body', b: 'body', c: 'body' });
    expect(inputSchema).toMatchObject({ required: ['id', 'c'], properties: { a: text, b: text } });
    expect(description).toContain('One of both.');
  });

  test('refuses a body that is no object', () => {
    expect(() => madeUp([id], { type: 'array', items: text })).toThrow('has no fields');
  });
});
