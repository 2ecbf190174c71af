import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { memberAccess } from './access.ts';
import { endpoint } from './endpoint.ts';
import { ok } from './envelope.ts';
import { operations, type Operation } from './operations.ts';
import { anyId, Id } from './primitives.ts';
import { filterBy, target, type TargetField } from './targets.ts';

/** What they name and isn't the caller's, they leave as it is. */
const marking: readonly string[] = [
  'notifications.read',
  'notifications.archive',
  'assets.emptyBin',
];

const idPattern = String(z.toJSONSchema(Id)['pattern']);

/** Whether a schema holds an id, however deep. */
const holdsId = (schema: z.ZodType) => {
  const text = JSON.stringify(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }));
  return text.includes(JSON.stringify(idPattern).slice(1, -1)) || text.includes('/Id"');
};

/** Objects at the top of a schema: what is optional is one, a union has several. */
function objectsOf(schema: unknown): z.ZodObject[] {
  if (schema instanceof z.ZodObject) return [schema];
  if (schema instanceof z.ZodOptional) return objectsOf(schema.unwrap());
  if (schema instanceof z.ZodUnion) return schema.options.flatMap(objectsOf);
  return [];
}

function fieldsOf({ endpoint: { pathParams, query, body } }: Operation) {
  const parts = Object.entries({ params: pathParams, query, body });
  return parts.flatMap(([where, schema]) =>
    objectsOf(schema).flatMap(({ shape }) =>
      Object.entries(shape).map(([name, field]) => ({ name: `${where}.${name}`, field })),
    ),
  );
}

describe.each(operations)('$id', (operation) => {
  const { access, targets, errors } = operation.endpoint.metadata;
  const fields = fieldsOf(operation);
  const file = `packages/contract/src/${operation.id.split('.')[0]}.ts`;

  test('declares a target of every id', () => {
    const missing = fields
      .filter(({ name, field }) => holdsId(field as z.ZodType) && !(name in targets))
      .map(({ name }) => `${file}: add \`targets: { '${name}': target(…) }\` to ${operation.id}`);
    expect(missing).toEqual([]);
  });

  test('says it of no field that is not there', () => {
    const names = fields.map(({ name }) => name);
    expect(Object.keys(targets).filter((field) => !names.includes(field))).toEqual([]);
  });

  test('declares the error of a target that is absent', () => {
    for (const [field, named] of Object.entries(targets)) {
      if (named.kind === 'filter') continue;
      expect([field, errors.includes(named.absent)]).toEqual([field, true]);
    }
  });

  test('has records only where the caller is a member, and filters only in reads, and where many are marked or deleted', () => {
    for (const [field, named] of Object.entries(targets)) {
      const isOfMember = access.kind === 'member';
      expect([field, named.kind !== 'record' || isOfMember]).toEqual([field, true]);
      const filters = operation.endpoint.method === 'GET' || marking.includes(operation.id);
      expect([field, named.kind !== 'filter' || filters]).toEqual([field, true]);
    }
  });

  test('asks of the organization in its path what its access asks', () => {
    if (access.kind !== 'member' || access.organizationFrom !== 'path') return;
    expect(targets['params.id']).toEqual(target('organization', access.permission));
  });
});

test('a body that is a union, a list and an optional object have their ids found', () => {
  const found = (body: z.ZodType) =>
    fieldsOf({ id: 'tasks.move', endpoint: { body } } as unknown as Operation)
      .filter(({ field }) => holdsId(field as z.ZodType))
      .map(({ name }) => name);
  const one = z.object({ oneId: Id, title: z.string() });
  expect(found(one.optional())).toEqual(['body.oneId']);
  expect(found(z.union([one, z.object({ ids: z.array(Id.describe('Others.')) })]))).toEqual([
    'body.oneId',
    'body.ids',
  ]);
});

describe('to the compiler', () => {
  const common = {
    method: 'PATCH',
    path: '/api/things/:id',
    summary: 'Change a thing',
    access: memberAccess('asset:edit'),
    effect: 'change',
    success: ok('Thing changed', z.object({ id: Id })),
  } as const;
  const pathParams = z.object({ id: Id });
  const targets = { 'params.id': target('asset', 'asset:edit') };

  test('an id with a target is right', () => {
    const { metadata } = endpoint({ ...common, pathParams, targets });
    expect(metadata.targets).toEqual(targets);
    endpoint({ ...common, path: '/api/things', body: z.object({ title: z.string() }) });
    endpoint({ ...common, pathParams, body: z.object({ id: z.string() }), targets });
  });

  test('an id without one is wrong, wherever it is', () => {
    // @ts-expect-error -- in the path
    endpoint({ ...common, pathParams });
    // @ts-expect-error -- in the query
    endpoint({ ...common, query: z.object({ otherId: Id.optional() }) });
    // @ts-expect-error -- in the body
    endpoint({ ...common, body: z.object({ otherId: Id.describe('Other.').nullable() }) });
    // @ts-expect-error -- in the body, as one that may be malformed
    endpoint({ ...common, body: z.object({ otherId: anyId() }) });
    // @ts-expect-error -- in a list
    endpoint({ ...common, body: z.object({ otherIds: z.array(Id).max(3).default([]) }) });
    // @ts-expect-error -- in one object of a union
    endpoint({ ...common, body: z.union([z.object({}), z.object({ otherId: Id })]).optional() });
    // @ts-expect-error -- deep inside
    endpoint({ ...common, body: z.object({ things: z.array(z.object({ id: Id })) }) });
    const ofPath = { 'params.id': target('asset', 'asset:edit') };
    // @ts-expect-error -- beside another
    endpoint({ ...common, pathParams, query: z.object({ otherId: Id }), targets: ofPath });
    // @ts-expect-error -- as one word of several
    endpoint({ ...common, query: z.object({ who: z.union([z.literal('me'), Id]) }) });
    const targets = { 'params.otherId': filterBy('asset') };
    // @ts-expect-error -- under another name
    const misnamed = endpoint({ ...common, pathParams, targets });
    expect(misnamed.metadata.targets).not.toHaveProperty(['params.id']);
  });
});

test('a target field is a part of the request and a field of it', () => {
  const field: TargetField = 'body.assetId';
  expect(field).toBe('body.assetId');
  // @ts-expect-error -- headers select organizations, which the access of an operation is about
  const none: TargetField = 'headers.x-organization-id';
  expect(none).toBeTruthy();
});
