import { defaultToolsets, toolsets } from '@atelier/contract';
import { describe, expect, test } from 'vitest';
import { newUser } from '../../testing/accounts.ts';
import { newTeamOf } from '../../testing/organizations.ts';
import { setUpApi } from '../../testing/set-up.ts';
import { callOnce, connectAssistant, keyFor, sendMessage } from './testing.ts';

const api = await setUpApi();
const owner = await newUser(api, 'owner');
const { organizationId } = await newTeamOf(api, owner);
const { key } = await keyFor(api, owner, [organizationId]);
const reader = await keyFor(api, owner, [organizationId], {
  preset: undefined,
  scopes: ['task:read', 'asset:read'],
});

const namesFor = async (options: Parameters<typeof connectAssistant>[2], by = key) => {
  const client = await connectAssistant(api, by, options);
  const { tools } = await client.listTools();
  return tools.map(({ name }) => name);
};

describe.each(['auto', 'legacy'] as const)('the list of tools (%s)', (era) => {
  test('has the default toolsets, and what is in every list', async () => {
    const names = await namesFor({ era });
    expect(names).toEqual(expect.arrayContaining(['whoami', 'tasks_list', 'assets_get']));
    expect(names).toEqual(expect.arrayContaining(['search_find', 'assets_read_text']));
    expect(names).not.toContain('organizations_get');
    expect(names).not.toContain('timeline_list');
    expect(new Set(names).size).toBe(names.length);
  });

  test('says of each tool what it is and takes, with objects for schemas', async () => {
    const client = await connectAssistant(api, key, {
      era,
      query: `toolsets=${toolsets.join(',')}`,
    });
    const { tools } = await client.listTools();
    expect(tools.length).toBeGreaterThan(60);
    for (const { name, title, description, inputSchema, outputSchema, annotations } of tools) {
      expect([name, typeof title, typeof description]).toEqual([name, 'string', 'string']);
      expect([name, inputSchema.type, inputSchema['additionalProperties']]).toEqual([
        name,
        'object',
        false,
      ]);
      expect([name, outputSchema?.['type'] ?? 'object']).toEqual([name, 'object']);
      expect([name, annotations?.openWorldHint]).toEqual([name, false]);
    }
  });

  test('has only what the key may do somewhere', async () => {
    const names = await namesFor({ era, query: `toolsets=${toolsets.join(',')}` }, reader.key);
    expect(names).toEqual(expect.arrayContaining(['whoami', 'tasks_list', 'assets_read_text']));
    expect(names).not.toContain('tasks_create');
    expect(names).not.toContain('projects_list');
    expect(names).not.toContain('assets_upload_small');
  });

  test('has only tools that read, in the mode for that', async () => {
    const client = await connectAssistant(api, key, { era, query: 'mode=read-only' });
    const { tools } = await client.listTools();
    expect(tools.length).toBeGreaterThan(20);
    expect(tools.filter(({ annotations }) => annotations?.readOnlyHint !== true)).toEqual([]);
  });
});

test('toolsets in the address replace the default ones', async () => {
  expect(await namesFor({ query: 'toolsets=audit' })).toEqual([
    'whoami',
    'timeline_list',
    'timeline_resource',
    'timeline_summary',
  ]);
  expect(await namesFor({ query: 'toolsets=search&mode=read-only' })).toEqual([
    'whoami',
    'search_find',
  ]);
  expect(await namesFor({ query: `toolsets=${defaultToolsets.join(',')}` })).toEqual(
    await namesFor({}),
  );
  expect(await namesFor({ query: 'toolsets=audit&toolsets=search' })).toContain('search_find');
});

test.each([
  ['mode=read-only', 'tasks_create', 'is for reading only'],
  ['mode=read-only', 'assets_upload_small', 'is for reading only'],
  ['toolsets=audit', 'tasks_list', 'toolset work, which the address of this client leaves out'],
])('by %s, calling %s by name is refused with the reason', async (query, name, reason) => {
  const result = await callOnce(api, key, { name, input: {}, query });
  expect(result.isError).toBe(true);
  expect(result.text).toContain(name);
  expect(result.text).toContain(reason);
});

test('calling a tool without its scope is refused with the scope', async () => {
  const result = await callOnce(api, reader.key, { name: 'tasks_create', input: {} });
  expect([result.isError, result.text]).toEqual([
    true,
    'The API key lacks the scope task:create, which tasks_create needs',
  ]);
});

test('calling what is no tool is an error of the protocol that names it', async () => {
  for (const name of ['tasks_explode', 'tasks.create', '__proto__', 'shares_create', '']) {
    const message = { jsonrpc: '2.0', id: 7, method: 'tools/call', params: { name } };
    const { status, body } = await sendMessage(api, message, { key });
    expect([status, body.id, body.error.code]).toEqual([200, 7, -32602]);
    expect(body.error.message).toBe(`There is no tool ${name}`);
  }
});

describe('an address', () => {
  test.each([
    ['toolsets=work,games', 'toolsets', 'work, library, search, members, audit'],
    ['toolsets=', 'toolsets', 'work, library, search, members, audit'],
    ['toolsets=__proto__', 'toolsets', 'work, library, search, members, audit'],
    ['mode=write', 'mode', '`read-only`'],
    ['mode=', 'mode', '`read-only`'],
    ['mode=read-only&mode=read-only', 'mode', '`read-only`'],
    ['tolsets=work', 'tolsets', '`toolsets` or `mode`'],
    ['__proto__=work', '__proto__', '`toolsets` or `mode`'],
  ])('with %s is refused: it names %s, and what is wanted', async (query, name, wanted) => {
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
    const { status, headers, body } = await sendMessage(api, message, { key, query });
    expect([status, body.code, body.requestId]).toEqual([
      400,
      'validation_failed',
      headers.get('x-request-id'),
    ]);
    expect(body.errors).toEqual([
      {
        in: 'query',
        path: [name],
        code: 'invalid_value',
        message: expect.stringMatching(`^Invalid ${name}: expected .*`),
      },
    ]);
    expect(body.errors[0].message).toContain(wanted);
  });
});
