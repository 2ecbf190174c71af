import { expect, test } from 'vitest';
import { newUser } from '../../testing/accounts.ts';
import { call } from '../../testing/api.ts';
import { newProject } from '../../testing/board.ts';
import { newTeamOf } from '../../testing/organizations.ts';
import { setUpApi } from '../../testing/set-up.ts';
import { callOnce, connectAssistant, keyFor } from './testing.ts';

const api = await setUpApi();
const owner = await newUser(api, 'owner');
const team = await newTeamOf(api, owner);
const { key } = await keyFor(api, owner, [team.organizationId]);
const projectId = await newProject(api, team);

test('a result of more than 64 KiB is refused with the advice to ask for less, which works', async () => {
  const description = 'ä'.repeat(4_000);
  for (let task = 0; task < 12; task += 1) {
    const body = { title: `Task ${task}`, description };
    const made = await call(api, 'tasks.create', { ...team, params: { projectId }, body });
    expect(made.status).toBe(201);
  }
  const list = (input: object) => callOnce(api, key, { name: 'tasks_list', input });
  const refused = await list({});
  expect([refused.isError, refused.data]).toEqual([true, undefined]);
  expect(refused.text).toMatch(
    /^The result has \d+ bytes, and at most 65536 are returned: .*`limit`$/,
  );
  const fewer = await list({ limit: 5 });
  expect([fewer.isError, fewer.data.items.length]).toEqual([false, 5]);
  expect(Buffer.byteLength(fewer.text)).toBeLessThanOrEqual(64 * 1024);
});

test('a change is never refused for the length of its result', async () => {
  const body = { title: 'Long', description: '\u0001'.repeat(10) };
  const made = await callOnce(api, key, { name: 'tasks_create', input: { projectId, ...body } });
  expect([made.isError, made.data?.title ?? made.text]).toEqual([false, 'Long']);
});

test('a result is there twice: as an object, and as text for old clients', async () => {
  const { data, text } = await callOnce(api, key, {
    name: 'projects_get',
    input: { id: projectId },
  });
  expect(JSON.parse(text)).toEqual(data);
  const { body, headers } = await call(api, 'projects.get', { ...team, params: { id: projectId } });
  expect(data).toEqual({ ...body.data, etag: headers.get('etag') });
});

test('an error of the API is the one error shape, and no result of the tool', async () => {
  const { isError, text, data, headers } = await callOnce(api, key, {
    name: 'projects_get',
    input: { id: team.organizationId },
  });
  expect([isError, data]).toEqual([true, undefined]);
  expect(JSON.parse(text)).toEqual({
    message: expect.any(String),
    code: 'not_found',
    requestId: headers.get('x-request-id'),
  });
});

test('who asks is told, with what the key may do and where', async () => {
  const client = await connectAssistant(api, key);
  const { structuredContent } = await client.callTool({ name: 'whoami' });
  expect(structuredContent).toMatchObject({
    key: { name: 'Test', kind: 'PERSONAL' },
    organizations: [{ id: team.organizationId, effectiveScopes: expect.any(Array) }],
  });
  expect(JSON.stringify(structuredContent)).not.toContain(key);
});
