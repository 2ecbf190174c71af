import { describe, expect, test } from 'vitest';
import { newUser } from '../../testing/accounts.ts';
import { newProject } from '../../testing/board.ts';
import { newTeamOf } from '../../testing/organizations.ts';
import { setUpApi } from '../../testing/set-up.ts';
import { callOnce, keyFor, sendText } from './testing.ts';

const api = await setUpApi();
const owner = await newUser(api, 'owner');
const team = await newTeamOf(api, owner);
const { key } = await keyFor(api, owner, [team.organizationId]);
const projectId = await newProject(api, team);
const query = 'toolsets=work,library,search,members,audit';

const use = (name: string, input: unknown) => callOnce(api, key, { name, input, query });
const useText = async (name: string, input: string) => {
  const text = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"${name}","arguments":${input}}}`;
  const { status, body } = await sendText(api, text, { key, query });
  expect([status, body.error]).toEqual([200, undefined]);
  return { isError: body.result.isError === true, text: String(body.result.content[0].text) };
};

/** What the API refuses is in its error shape; the arguments themselves are refused by a sentence. */
function refusedWith({ isError, text }: { isError: boolean; text: string }) {
  expect(isError).toBe(true);
  if (!text.startsWith('{')) return text;
  const { code } = JSON.parse(text) as { code: string };
  expect(code).not.toBe('internal_error');
  return code;
}

describe('an argument that the tool does not have', () => {
  test.each(['colour', 'organization_id', 'x-organization-id', 'authorization', 'headers', ''])(
    '%j is refused with those that it has',
    async (name) => {
      const result = await use('tasks_get', { id: projectId, [name]: 'x' });
      expect(refusedWith(result)).toBe(
        `tasks_get has no argument ${name}; its arguments: id, organizationId`,
      );
    },
  );

  test.each(['constructor', 'toString', 'hasOwnProperty', 'valueOf', '__defineGetter__'])(
    'is refused, also if objects have %s by themselves',
    async (name) => {
      const result = await use('tasks_get', { id: projectId, [name]: 'x' });
      expect(refusedWith(result)).toContain(`tasks_get has no argument ${name}`);
    },
  );

  test('called __proto__ changes nothing', async () => {
    const result = await useText(
      'tasks_create',
      `{"projectId":"${projectId}","__proto__":{"title":"Smuggled"}}`,
    );
    expect(refusedWith(result)).toBe('validation_failed');
    expect(({} as Record<string, unknown>)['title']).toBeUndefined();
  });
});

describe('an argument of the path', () => {
  const missing = 'tasks_get needs the argument id';
  test.each([
    ['missing', {}, missing],
    ['null', { id: null }, missing],
    ['empty', { id: '' }, missing],
    ['a dot', { id: '.' }, missing],
    ['two dots', { id: '..' }, missing],
    ['encoded dots', { id: '%2e%2e' }, 'validation_failed'],
    ['dots and a slash', { id: '../projects' }, 'validation_failed'],
    ['a slash', { id: '/' }, 'validation_failed'],
    ['a backslash', { id: String.raw`..\..` }, 'validation_failed'],
    ['a query', { id: `${projectId}?x=1` }, 'validation_failed'],
    ['a fragment', { id: `${projectId}#x` }, 'validation_failed'],
    ['a percent sign', { id: '%' }, 'validation_failed'],
    ['a NUL', { id: '\0' }, 'validation_failed'],
    ['a line', { id: '\r\nx: y' }, 'validation_failed'],
    ['an emoji', { id: '😀' }, 'validation_failed'],
    ['half of an emoji', { id: '\ud83d' }, 'Invalid id: expected a text of whole characters'],
    ['a number', { id: 12 }, 'validation_failed'],
    ['a boolean', { id: true }, 'validation_failed'],
    ['a list', { id: ['x'] }, 'Invalid id: expected a text, a number or a boolean'],
    ['an object', { id: { x: 1 } }, 'Invalid id: expected a text, a number or a boolean'],
    ['too long', { id: 'x'.repeat(10_000) }, 'malformed_request'],
  ])('that is %s is refused, and reaches no other operation', async (_, input, expected) => {
    expect(refusedWith(await use('tasks_get', input))).toBe(expected);
  });

  test('has to be there for each part of the path', async () => {
    const result = await use('comments_update', { taskId: projectId, body: 'x' });
    expect(refusedWith(result)).toBe('comments_update needs the argument commentId');
  });

  test('may be a number where the API reads one', async () => {
    const result = await use('assets_restore_version', { id: projectId, versionNumber: 1 });
    expect(refusedWith(result)).toBe('not_found');
  });
});

describe('an argument of a header', () => {
  const names = ['idempotencyKey', 'organizationId'] as const;
  const values = [
    ['a NUL', 'a\0b'],
    ['a line', 'a\r\nx-organization-id: b'],
    ['a tab', '\t'],
    ['an umlaut', 'ä'],
    ['an emoji', '😀'],
    ['half of an emoji', '\ud83d'],
    ['nothing', ''],
    ['a blank', ' '],
    ['256 characters', 'x'.repeat(256)],
    ['65,000 characters', 'x'.repeat(65_000)],
    ['a list', ['x']],
    ['an object', { x: 1 }],
  ] as const;

  test.each(names.flatMap((name) => values.map(([what, value]) => [name, what, value] as const)))(
    '%s of %s is refused',
    async (name, _, value) => {
      const input = { projectId, title: `Not made with ${name}`, [name]: value };
      expect(refusedWith(await use('tasks_create', input))).toMatch(
        new RegExp(`^(validation_failed|Invalid ${name}: expected .*)$`),
      );
    },
  );

  test.each(values)('ifMatch of %s is refused', async (_, value) => {
    const result = await use('projects_update', { id: projectId, name: 'Not so', ifMatch: value });
    expect(refusedWith(result)).toMatch(/^(validation_failed|Invalid ifMatch: expected .*)$/);
  });

  test('of null is as good as none', async () => {
    const input = { projectId, title: 'Made', idempotencyKey: null, organizationId: null };
    expect((await use('tasks_create', input)).isError).toBe(false);
  });

  test('none of these calls had an effect', async () => {
    const { data } = await use('tasks_list', { q: 'Not made with' });
    expect(data.items).toEqual([]);
    expect((await use('projects_get', { id: projectId })).data.name).toBe('Website');
  });
});

describe('an argument of the query', () => {
  test('keeps umlauts, emoji and separators', async () => {
    const title = 'Grüße & größere=1? 😀 + #x%20';
    await use('tasks_create', { projectId, title });
    const { data } = await use('tasks_list', { q: title });
    expect(data.items.map((task: { title: string }) => task.title)).toEqual([title]);
  });

  test('may be a number, or its text', async () => {
    for (const limit of [1, '1']) {
      const { data } = await use('tasks_list', { limit });
      expect(data.items).toHaveLength(1);
    }
  });

  test.each([
    ['0', { limit: 0 }],
    ['a fraction', { limit: 1.5 }],
    ['a word', { limit: 'many' }],
    ['another order', { sort: 'colour' }],
    ['two parameters', { sort: 'title&limit=1' }],
    ['a boolean', { assigneeId: true }],
    ['a NUL', { q: '\0' }],
  ])('that is %s is refused by the API', async (_, input) => {
    expect(refusedWith(await use('tasks_list', input))).toBe('validation_failed');
  });

  test.each([
    ['a list', { status: ['TODO'] }],
    ['an object', { status: { is: 'TODO' } }],
  ])('that is %s is refused', async (_, input) => {
    expect(refusedWith(await use('tasks_list', input))).toBe(
      'Invalid status: expected a text, a number or a boolean',
    );
  });
});

describe('an argument of the body', () => {
  test('keeps umlauts, emoji and lines', async () => {
    const texts = { title: 'Größe 😀', description: 'Zeile 1\nZeile 2\t"ß"' };
    const { data } = await use('tasks_create', { projectId, ...texts });
    expect(data).toMatchObject(texts);
  });

  test('of null removes what is there', async () => {
    const made = await use('tasks_create', { projectId, title: 'Due', dueDate: '2026-12-01' });
    const changed = await use('tasks_update', { id: made.data.id, dueDate: null });
    expect([made.data.dueDate, changed.data.dueDate]).toEqual(['2026-12-01T00:00:00.000Z', null]);
  });

  test.each([
    ['a number for a text', { title: 1 }],
    ['an object for a text', { title: { text: 'x' } }],
    ['a list for a text', { title: ['x'] }],
    ['null for a text', { title: null }],
    ['a text for a list', { title: 'x', assigneeIds: owner.id }],
    ['half of an emoji', { title: '\ud83d', assigneeIds: 1 }],
    ['nothing', {}],
  ])('that is %s is refused by the API', async (_, input) => {
    expect(refusedWith(await use('tasks_create', { projectId, ...input }))).toBe(
      'validation_failed',
    );
  });
});

test.each([
  ['a list', '[]'],
  ['a text', '"x"'],
  ['null', 'null'],
])('arguments that are %s are an error of the protocol', async (_, text) => {
  const message = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"whoami","arguments":${text}}}`;
  const { body } = await sendText(api, message, { key });
  expect(body.error.code).toBe(-32602);
});

test('arguments may be left out, also for a tool that needs some', async () => {
  expect((await use('whoami', undefined)).isError).toBe(false);
  expect(refusedWith(await use('tasks_get', undefined))).toBe('tasks_get needs the argument id');
});

test('a tool moves a task by a position or a neighbour', async () => {
  const [first, second] = [
    await use('tasks_create', { projectId, title: 'First', status: 'BACKLOG' }),
    await use('tasks_create', { projectId, title: 'Second', status: 'BACKLOG' }),
  ];
  const moved = await use('tasks_move', { id: second.data.id, beforeId: first.data.id });
  expect([moved.isError, moved.data?.position]).toEqual([false, 0]);
  const done = await use('tasks_move', { id: second.data.id, status: 'DONE', position: 0 });
  expect(done.data).toMatchObject({ status: 'DONE', position: 0 });
});
