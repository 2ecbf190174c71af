import { expect, test, describe } from 'vitest';
import { z } from 'zod';
import * as contractExports from './index.ts';
import { operations } from './index.ts';

const exported: Record<string, unknown> = contractExports;
const named = Object.entries(exported).filter(
  (entry): entry is [string, z.ZodType] => entry[1] instanceof z.ZodType && /^[A-Z]/.test(entry[0]),
);
const exportedIds = named.map(([, schema]) => schema.meta()?.id);
function examplesOf(schema: z.ZodType): unknown[] {
  const examples = schema.meta()?.examples;
  return Array.isArray(examples) ? examples : [];
}

const directions = ['input', 'output'] as const;

describe.each(named)('%s', (_name, schema) => {
  const meta = schema.meta();

  test('has an id, a description, and examples that parse', () => {
    expect(meta?.id).toMatch(/^[A-Z][A-Za-z]+$/);
    expect(meta?.description?.length).toBeGreaterThan(5);
    const examples = examplesOf(schema);
    expect(examples.length).toBeGreaterThan(0);
    for (const example of examples) {
      expect(schema.safeParse(example).error?.issues).toBeUndefined();
    }
  });

  test.each(directions)('has a JSON Schema of draft 2020-12 as %s', (io) => {
    const json = z.toJSONSchema(schema, { io, target: 'draft-2020-12', unrepresentable: 'throw' });
    expect(json.$schema).toBe('https://json-schema.org/draft/2020-12/schema');
  });
});

const shareToken = '[0-9A-Za-z]{43}';
const webhookSecret = /^whsec_[0-9A-Za-z+/]{43}=$/;

test.each([
  ['NewApiKey', 'key', contractExports.apiKeyPattern],
  ['LeakedKeyBody', 'key', contractExports.apiKeyPattern],
  ['Share', 'url', new RegExp(`#atls_${shareToken}$`)],
  ['OpenShareBody', 'token', new RegExp(`^atls_${shareToken}$`)],
  ['OpenedShare', 'ticket', new RegExp(`^atlv_${shareToken}$`)],
  ['PublicLink', 'url', /\/s\/[0-9A-Za-z]{16}$/],
  ['CreatedWebhook', 'secret', webhookSecret],
  ['RotatedWebhookSecret', 'secret', webhookSecret],
])('the example of %s has a %s as long as real ones', (name, field, pattern) => {
  const examples = named.flatMap(([own, schema]) => (own === name ? examplesOf(schema) : []));
  expect(examples).toEqual([expect.objectContaining({ [field]: expect.stringMatching(pattern) })]);
});

test('no two schemas have the same id', () => {
  expect(new Set(exportedIds).size).toBe(exportedIds.length);
});

const schemasOf = ({ endpoint }: contractExports.Operation): [string, z.ZodType][] =>
  Object.entries({
    path: endpoint.pathParams,
    query: endpoint.query,
    body: endpoint.body,
    ...endpoint.headers,
    ...endpoint.responses,
    // The response of a stream has no one schema.
    data: endpoint.metadata.success.data,
  }).filter((entry): entry is [string, z.ZodType] => entry[1] instanceof z.ZodType);

describe.each(operations)('$id', (operation) => {
  test.each(directions)('has JSON Schemas as %s, with exported names only', (io) => {
    for (const [, schema] of schemasOf(operation)) {
      const json = z.toJSONSchema(schema, { io, target: 'draft-2020-12' });
      for (const id of Object.keys(json.$defs ?? {})) expect(exportedIds).toContain(id);
    }
  });
});

const responses = operations.flatMap(({ id, endpoint }) => {
  const { data } = endpoint.metadata.success;
  return data === null ? [] : [{ id, data }];
});

/** They show a secret when it is made, and keep that response for a short time if at all. */
const showingSecret: readonly string[] = [
  'webhooks.create',
  'webhooks.rotateSecret',
  'security.startTotp',
];

describe.each(responses)('$id', ({ id, data }) => {
  test('responds with a named schema whose examples parse to themselves', () => {
    const examples = examplesOf(data);
    expect(examples.length).toBeGreaterThan(0);
    for (const example of examples) expect(data.parse(example)).toEqual(example);
  });

  test('has no secret in the response', () => {
    const printed = JSON.stringify(z.toJSONSchema(data, { io: 'output' }));
    expect(printed).not.toMatch(/"(password|passwordHash|tokenHash|rank)":/i);
    expect(printed.includes('"secret":')).toBe(showingSecret.includes(id));
  });
});

const queryFields = operations.flatMap(({ id, endpoint: { query } }) =>
  query instanceof z.ZodObject
    ? Object.keys(query.shape).map((field) => ({ id, query, field }))
    : [],
);
const isCallback = ({ id }: { id: string }) => id.startsWith('auth.') && id.endsWith('Callback');

test.each(queryFields.filter(isCallback))(
  '$id takes a malformed $field for an absent one',
  ({ query, field }) => {
    for (const malformed of [['1', '1'], '', 'x'.repeat(4097), 'a\0b', '\ud800', {}]) {
      expect(query.parse({ [field]: malformed })).toEqual({ [field]: undefined });
    }
    expect(query.parse({ [field]: 'fine' })).toEqual({ [field]: 'fine' });
  },
);

test.each(queryFields.filter((entry) => !isCallback(entry)))(
  '$id refuses a repeated $field',
  ({ query, field }) => {
    const issues = query.safeParse({ [field]: ['1', '1'] }).error?.issues ?? [];
    expect(issues.map((issue) => issue.path[0])).toContain(field);
  },
);

const bodies = operations.flatMap(({ id, endpoint: { body } }) => {
  const schema: unknown = body;
  return schema instanceof z.ZodType && id !== 'auth.logout' ? [{ id, schema }] : [];
});

test.each(bodies)(
  '$id drops unknown fields of the body, also those that reach for the prototype',
  ({ schema }) => {
    const [example] = examplesOf(schema);
    const unknown = Object.entries({
      id: 'x',
      accountStatus: 'VERIFIED',
      organizationId: 'x',
    }).filter(([name]) => !(schema instanceof z.ZodObject && name in schema.shape));
    const foreign = { ...Object(example), ...Object.fromEntries(unknown) };
    const hostile: unknown = JSON.parse(
      JSON.stringify(foreign).replace(
        /^\{/,
        '{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}},',
      ),
    );
    const parsed = schema.parse(hostile);
    expect(parsed).toEqual(schema.parse(example));
    expect(parsed).not.toHaveProperty('polluted');
    expect({}).not.toHaveProperty('polluted');
  },
);

test('every named schema is reached by an operation, or by a message of webhooks', () => {
  const reached = new Set<unknown>(['WebhookMessage', 'WebhookServiceMessage']);
  for (const operation of operations) {
    for (const [, schema] of schemasOf(operation)) {
      reached.add(schema.meta()?.id);
      const json = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
      for (const id of Object.keys(json.$defs ?? {})) reached.add(id);
    }
  }
  expect(
    exportedIds.filter((id) => !reached.has(id)),
    'use each exported schema in an operation of packages/contract/src, or remove it',
  ).toEqual(['ErrorBody']);
});
