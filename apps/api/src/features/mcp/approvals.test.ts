import { expect, test } from 'vitest';
import { newUser } from '../../testing/accounts.ts';
import { makeKey } from '../../testing/api-keys.ts';
import { call } from '../../testing/api.ts';
import { newProject } from '../../testing/board.ts';
import { newTeamOf } from '../../testing/organizations.ts';
import { setUpApi } from '../../testing/set-up.ts';
import { connectAssistant, textOf } from './testing.ts';

const api = await setUpApi();
const owner = await newUser(api, 'owner');
const team = await newTeamOf(api, owner);
const projectId = await newProject(api, team, 'Website');
const { key } = await makeKey(api, owner, {
  preset: 'contributor',
  organizationIds: [team.organizationId],
  expiresInDays: 30,
});

async function newTask(title = 'Launch'): Promise<string> {
  const made = await call(api, 'tasks.create', { ...team, params: { projectId }, body: { title } });
  return made.body.data.id;
}

async function waiting(): Promise<{ id: string; status: string; records: unknown[] }[]> {
  const { body } = await call(api, 'approvals.list', team);
  return body.data.items;
}

test('what a tool removes waits for a person, and happens once', async () => {
  const id = await newTask();
  const client = await connectAssistant(api, key);
  const removal = { name: 'tasks_remove', arguments: { id } };
  const asked = await client.callTool(removal);
  expect(asked.isError).toBe(true);
  expect((await call(api, 'tasks.get', { ...team, params: { id } })).status).toBe(200);
  const [approval] = await waiting();
  expect(approval).toMatchObject({
    status: 'WAITING',
    tool: 'tasks_remove',
    title: 'Delete a task',
    records: [{ argument: 'id', resourceType: 'task', id, name: 'Launch' }],
  });
  expect(textOf(asked)).toContain(`/approvals/${approval?.id}?organizationId=`);
  // Asked again, it is the same question.
  await client.callTool(removal);
  expect(await waiting()).toHaveLength(1);
  const params = { id: approval?.id ?? '' };
  expect((await call(api, 'approvals.approve', { ...team, params })).status).toBe(200);
  const removed = await client.callTool(removal);
  expect(removed.structuredContent).toEqual({ id });
  expect((await call(api, 'tasks.get', { ...team, params: { id } })).status).toBe(404);
  expect((await waiting())[0]).toMatchObject({ id: approval?.id, status: 'USED' });
});
