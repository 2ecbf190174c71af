import { eq, sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { labels, taskLabels } from '../../db/generated/schema.ts';
import { activitiesOf } from '../../testing/activities.ts';
import { call } from '../../testing/api.ts';
import { insertTask, newProject } from '../../testing/board.ts';
import {
  crowd,
  crowdVariables,
  organizationRow,
  times,
  whileRowsLocked,
} from '../../testing/crowd.ts';
import { newTeam } from '../../testing/organizations.ts';
import { setUpApiWithUser } from '../../testing/set-up.ts';

const { api, user } = await setUpApiWithUser(crowdVariables);

async function team() {
  const { id: organizationId } = await newTeam(api, user);
  const by = { token: user.token, organizationId };
  const create = (name: string) =>
    call(api, 'labels.create', { ...by, body: { name, color: 'RED' } });
  const newLabel = async (name: string) => String((await create(name)).body.data.id);
  const rename = (id: string, name: string) =>
    call(api, 'labels.update', { ...by, params: { id }, body: { name } });
  const remove = (id: string) => call(api, 'labels.remove', { ...by, params: { id } });
  const set = (id: string, labelIds: string[]) =>
    call(api, 'labels.set', { ...by, params: { id }, body: { labelIds } });
  const projectId = await newProject(api, by);
  const taskId = await insertTask(api, { organizationId, projectId, createdBy: user });
  return { organizationId, taskId, create, newLabel, rename, remove, set };
}

const namesIn = async (organizationId: string) =>
  (await api.db.select().from(labels).where(eq(labels.organizationId, organizationId))).map(
    ({ name }) => name,
  );
const actionsOf = async (id: string) => (await activitiesOf(api, id)).map(({ action }) => action);

test('of twenty labels with one name, one is created', async () => {
  const { organizationId, create } = await team();
  const responses = await crowd(
    api,
    organizationRow(organizationId),
    times(20, (index) => () => create(index % 2 ? 'BUG' : 'bug')),
  );
  const statuses = responses.map(({ status }) => status).toSorted((a, b) => a - b);
  expect(statuses).toEqual([201, ...times(19, () => 409)]);
  expect(await namesIn(organizationId)).toHaveLength(1);
});

test('of labels that are renamed alike while one is created, one gets the name', async () => {
  const { organizationId, newLabel, rename, create } = await team();
  const ids = [await newLabel('a'), await newLabel('b'), await newLabel('c')];
  const responses = await crowd(api, organizationRow(organizationId), [
    ...ids.map((id) => () => rename(id, 'Bug')),
    () => create('bug'),
    () => create('BUG'),
  ]);
  expect(responses.filter(({ status }) => status < 300)).toHaveLength(1);
  expect(responses.filter(({ status }) => status === 409)).toHaveLength(4);
  const names = await namesIn(organizationId);
  expect(names.filter((name) => name.toLowerCase() === 'bug')).toHaveLength(1);
});

test('a label that is deleted while a task gets it is absent', async () => {
  const { taskId, newLabel, set } = await team();
  const id = await newLabel('Bug');
  const { status, body } = await whileRowsLocked(
    api,
    sql`delete from labels where id = ${id}`,
    () => set(taskId, [id]),
  );
  expect([status, body.code]).toEqual([404, 'not_found']);
  expect(await actionsOf(taskId)).toEqual([]);
});

test('a label that a task gets while it is deleted goes with all its tasks', async () => {
  const { organizationId, taskId, newLabel, remove } = await team();
  const id = await newLabel('Bug');
  const { status } = await whileRowsLocked(
    api,
    sql`insert into task_labels (organization_id, task_id, label_id)
      values (${organizationId}, ${taskId}, ${id})`,
    () => remove(id),
  );
  expect(status).toBe(200);
  expect(await api.db.select().from(taskLabels).where(eq(taskLabels.taskId, taskId))).toEqual([]);
});

test('setting and deleting at once neither fails nor leaves a label of a task without its label', async () => {
  const { organizationId, taskId, newLabel, set, remove } = await team();
  const ids: string[] = [];
  for (const name of ['a', 'b', 'c', 'd']) ids.push(await newLabel(name));
  await set(taskId, ids);
  const responses = await crowd(
    api,
    sql`select from tasks where id = ${taskId}`,
    ids.flatMap((id, index) => [
      () => set(taskId, ids.slice(index)),
      () => set(taskId, [id]),
      () => set(taskId, []),
      () => remove(id),
    ]),
  );
  expect(responses.filter(({ status }) => ![200, 404].includes(status))).toEqual([]);
  expect(await namesIn(organizationId)).toEqual([]);
  expect(await api.db.select().from(taskLabels).where(eq(taskLabels.taskId, taskId))).toEqual([]);
  for (const id of ids) {
    expect((await actionsOf(id)).filter((action) => action === 'label.delete')).toHaveLength(1);
  }
});
