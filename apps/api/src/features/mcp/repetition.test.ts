import { describe, expect, test } from 'vitest';
import { activitiesOf } from '../../testing/activities.ts';
import { newUser } from '../../testing/accounts.ts';
import { call } from '../../testing/api.ts';
import { newProject } from '../../testing/board.ts';
import { newTeamOf } from '../../testing/organizations.ts';
import { setUpApi } from '../../testing/set-up.ts';
import { callOnce, connectAssistant, keyFor } from './testing.ts';

const api = await setUpApi();
const owner = await newUser(api, 'owner');
const team = await newTeamOf(api, owner);
const { id: apiKeyId, key } = await keyFor(api, owner, [team.organizationId]);
const projectId = await newProject(api, team);
const use = (name: string, input: object) => callOnce(api, key, { name, input });
const titled = async (title: string) => (await use('tasks_list', { q: title })).data.items.length;

describe('an idempotency key', () => {
  test('gives the same call one effect, also at once', async () => {
    const input = { projectId, title: 'Once', idempotencyKey: 'one of mine, with blanks' };
    const first = await use('tasks_create', input);
    const again = await use('tasks_create', input);
    expect([again.isError, again.data]).toEqual([false, first.data]);
    expect(await titled('Once')).toBe(1);

    const parallel = { projectId, title: 'Parallel', idempotencyKey: 'parallel' };
    const results = await Promise.all(
      Array.from({ length: 8 }, () => use('tasks_create', parallel)),
    );
    const made = results.filter(({ isError }) => !isError);
    expect(new Set(made.map(({ data }) => data.id)).size).toBe(1);
    const refused = results.filter(({ isError }) => isError);
    const codes = new Set(refused.map(({ text }) => JSON.parse(text).code));
    expect([...codes].filter((code) => code !== 'idempotency_in_flight')).toEqual([]);
    expect(await titled('Parallel')).toBe(1);
  });

  test('is refused for another call', async () => {
    const input = { projectId, title: 'Here', idempotencyKey: 'here' };
    await use('tasks_create', input);
    const { isError, text } = await use('tasks_create', { ...input, title: 'There' });
    expect([isError, JSON.parse(text).code]).toEqual([true, 'idempotency_key_reused']);
    expect(await titled('There')).toBe(0);
  });

  test('is optional: without one, each call has its effect', async () => {
    const input = { projectId, title: 'Twice' };
    await use('tasks_create', input);
    await use('tasks_create', input);
    expect(await titled('Twice')).toBe(2);
  });

  test('is that of the operation: the same request over HTTP is a repetition', async () => {
    const made = await use('tasks_create', { projectId, title: 'Both', idempotencyKey: 'both' });
    const { status, body } = await call(api, 'tasks.create', {
      token: key,
      organizationId: team.organizationId,
      params: { projectId },
      headers: { 'idempotency-key': 'both' },
      body: { title: 'Both' },
    });
    expect([status, body.data?.id]).toEqual([201, made.data.id]);
  });
});

describe('an ETag', () => {
  test('of a read lets a change pass, and an old one refuses it', async () => {
    const client = await connectAssistant(api, key);
    await client.listTools();
    const { data: made } = await use('tasks_create', { projectId, title: 'State' });
    const read = await client.callTool({ name: 'tasks_get', arguments: { id: made.id } });
    const { etag } = read.structuredContent as { etag: string };
    const change = (title: string, ifMatch: string) =>
      use('tasks_update', { id: made.id, title, ifMatch });
    const changed = await change('State 2', etag);
    expect([changed.isError, changed.data.title]).toEqual([false, 'State 2']);
    expect(changed.data.etag).not.toBe(etag);
    const late = await change('State 3', etag);
    expect([late.isError, JSON.parse(late.text).code]).toEqual([true, 'precondition_failed']);
    expect((await use('tasks_get', { id: made.id })).data.title).toBe('State 2');
    expect((await change('State 4', changed.data.etag)).isError).toBe(false);
  });

  test('is there for each record that can be changed', async () => {
    for (const [name, id] of [
      ['projects_get', projectId],
      ['tasks_get', (await use('tasks_create', { projectId, title: 'Tagged' })).data.id],
    ] as const) {
      expect((await use(name, { id })).data.etag).toMatch(/^(W\/)?"/);
    }
  });
});

test('the activity of a call names the key and the request', async () => {
  const made = await use('tasks_create', { projectId, title: 'Recorded' });
  const recorded = await activitiesOf(api, made.data.id);
  expect(recorded).toHaveLength(1);
  expect(recorded[0]).toMatchObject({
    action: 'task.create',
    actorId: owner.id,
    organizationId: team.organizationId,
    metadata: expect.objectContaining({ apiKeyId }),
  });
  const requestId = String(made.headers.get('x-request-id'));
  expect(JSON.stringify(recorded[0])).toContain(requestId);
  const own = await callOnce(api, key, {
    name: 'tasks_create',
    input: { projectId, title: 'Mine' },
    headers: { 'x-request-id': 'mine-1' },
  });
  expect(own.headers.get('x-request-id')).toBe('mine-1');
  expect(JSON.stringify(await activitiesOf(api, own.data.id))).toContain('mine-1');
});
