import { randomUUID } from 'node:crypto';
import type { Check } from '../check.ts';
import type { Probe } from '../probe.ts';
import { expectGone } from './library.ts';

const taskOrder: Check = {
  id: 'task.order',
  group: 'tasks',
  title: 'tasks keep their order, without gaps',
  run: async ({ probe, fixtures: { owner } }) => {
    const { token } = owner;
    const projectId = await newProject(probe, token, 'Order');
    const ids: string[] = [];
    for (const title of ['a', 'b', 'c', 'd'])
      ids.push(await newTask(probe, { token, projectId, title }));
    const [a = '', b = '', c = '', d = ''] = ids;
    const move = (id: string, body: object) =>
      probe.succeed('tasks.move', { token, params: { id }, body });
    await move(d, { position: 0 });
    await expectOrder(probe, { token, projectId }, [d, a, b, c]);
    await move(a, { afterId: c });
    await move(c, { beforeId: d });
    await expectOrder(probe, { token, projectId }, [c, d, b, a]);
    await move(c, { status: 'DONE', position: 0 });
    await expectOrder(probe, { token, projectId }, [d, b, a]);
    const elsewhere = await probe.request('tasks.move', {
      token,
      params: { id: d },
      body: { afterId: c },
    });
    probe.expectRefusal('task.order', elsewhere, 'conflict');
  },
};

async function expectOrder(
  probe: Probe,
  { token, projectId }: { token: string; projectId: string },
  expected: readonly string[],
): Promise<void> {
  const response = await probe.request('tasks.listInProject', {
    token,
    params: { projectId },
    query: { status: 'TODO', sort: 'position' },
  });
  const { items } = probe.dataIn('tasks.listInProject', response);
  probe.expect({
    rule: 'task.order',
    response,
    holds:
      items.map(({ id }) => id).join() === expected.join() &&
      items.every(({ position }, index) => position === index),
    expected: 'the order of the moves, positions from 0',
    actual: items.map(({ title, position }) => `${position} ${title}`).join(', '),
  });
}

const taskLife: Check = {
  id: 'task.life',
  group: 'tasks',
  alsoShows: ['comments'],
  title: 'a task is assigned, completed, commented on and deleted',
  run: async ({ probe, fixtures: { owner, outsider } }) => {
    const { token } = owner;
    const projectId = await newProject(probe, token, 'Life');
    const id = await newTask(probe, { token, projectId, title: 'Life' });
    const params = { id };
    await probe.succeed('tasks.assign', { token, params, body: { assigneeIds: [owner.id] } });
    const stranger = { assigneeIds: [outsider.id] };
    const refused = await probe.request('tasks.assign', { token, params, body: stranger });
    probe.expectRefusal('isolation.foreign-assignee', refused, 'assignee_not_member');
    const created = await probe.request('tasks.create', {
      token,
      params: { projectId },
      body: { title: 'x', ...stranger },
    });
    probe.expectRefusal('isolation.foreign-assignee', created, 'assignee_not_member');
    const response = await probe.request('tasks.update', {
      token,
      params,
      body: { status: 'DONE' },
    });
    const { completedAt } = probe.dataIn('tasks.update', response);
    probe.expect({
      rule: 'task.life',
      response,
      holds: completedAt !== null,
      expected: 'completedAt of a completed task',
      actual: `completedAt ${completedAt}`,
    });
    await commentOn(probe, { token, taskId: id });
    await probe.succeed('tasks.remove', { token, params });
    await expectGone(probe, { token, group: 'tasks', params });
    await expectGone(probe, { token, group: 'comments', params: { taskId: id } });
  },
};

async function commentOn(
  probe: Probe,
  { token, taskId }: { token: string; taskId: string },
): Promise<void> {
  const { id: commentId } = await probe.succeed('comments.create', {
    token,
    params: { taskId },
    body: { body: 'First' },
  });
  const params = { taskId, commentId };
  const response = await probe.request('comments.update', {
    token,
    params,
    body: { body: 'Second' },
  });
  const edited = probe.dataIn('comments.update', response);
  probe.expect({
    rule: 'task.life',
    response,
    holds: edited.body === 'Second' && edited.editedAt !== null,
    expected: 'body "Second", and editedAt',
    actual: `body ${JSON.stringify(edited.body)}, editedAt ${edited.editedAt}`,
  });
  await probe.succeed('comments.remove', { token, params });
  await expectGone(probe, { token, group: 'comments', params });
}

const projectLife: Check = {
  id: 'project.life',
  group: 'projects',
  alsoShows: ['tasks'],
  title: 'a project is changed, moved, archived and deleted with its tasks',
  run: async ({ probe, fixtures: { owner } }) => {
    const { token } = owner;
    const id = await newProject(probe, token, 'Projects');
    const params = { id };
    const taskId = await newTask(probe, { token, projectId: id, title: 'Task of the project' });
    await probe.succeed('projects.move', { token, params, body: { position: 1_000_000 } });
    await probe.succeed('projects.update', { token, params, body: { status: 'ARCHIVED' } });
    const late = await probe.request('tasks.create', {
      token,
      params: { projectId: id },
      body: { title: 'x' },
    });
    probe.expectRefusal('project.life', late, 'project_archived');
    await probe.succeed('projects.remove', { token, params });
    await expectGone(probe, { token, group: 'projects', params });
    await expectGone(probe, { token, group: 'tasks', params: { projectId: id } });
    await expectGone(probe, { token, group: 'tasks', params: { id: taskId } });
  },
};

const labelLife: Check = {
  id: 'label.life',
  group: 'labels',
  title: 'a label is unique by name, found by its tasks, and deleted from them',
  run: async ({ probe, fixtures: { owner } }) => {
    const { token } = owner;
    const projectId = await newProject(probe, token, 'Labels');
    const taskId = await newTask(probe, { token, projectId, title: 'Labelled' });
    const name = randomUUID();
    const body = { name, color: 'RED' };
    const { id } = await probe.succeed('labels.create', { token, body });
    const other = await probe.succeed('labels.create', {
      token,
      body: { name: `${name} 2`, color: 'BLUE' },
    });
    const taken = { name: name.toUpperCase() };
    const repeated = await probe.request('labels.create', { token, body: { ...body, ...taken } });
    probe.expectRefusal('label.life', repeated, 'label_exists');
    const params = { id };
    const renamed = await probe.request('labels.update', {
      token,
      params: { id: other.id },
      body: taken,
    });
    probe.expectRefusal('label.life', renamed, 'label_exists');
    await probe.succeed('labels.update', { token, params, body: { color: 'GREEN' } });
    const set = { token, params: { id: taskId }, body: { labelIds: [id] } };
    await probe.succeed('labels.set', set);
    await expectLabelled(probe, { token, labelId: id }, [taskId]);
    await probe.succeed('labels.remove', { token, params: { id: other.id } });
    await probe.succeed('labels.remove', { token, params });
    await expectGone(probe, { token, group: 'labels', params });
    await expectLabelled(probe, { token, labelId: id }, []);
    probe.expectRefusal('label.life', await probe.request('labels.set', set), 'not_found');
  },
};

async function expectLabelled(
  probe: Probe,
  { token, labelId }: { token: string; labelId: string },
  taskIds: readonly string[],
): Promise<void> {
  const response = await probe.request('tasks.list', { token, query: { labelId } });
  const { items } = probe.dataIn('tasks.list', response);
  probe.expect({
    rule: 'label.life',
    response,
    holds:
      items.map(({ id }) => id).join() === taskIds.join() &&
      items.every(({ labels }) => labels.some(({ id }) => id === labelId)),
    expected: 'exactly the tasks that carry the label',
    actual: items.map(({ title }) => title).join(', '),
  });
}

const subtasks: Check = {
  id: 'task.subtasks',
  group: 'tasks',
  title: 'subtasks have one level and one project, are counted, and outlive their task',
  run: async ({ probe, fixtures: { owner } }) => {
    const { token } = owner;
    const projectId = await newProject(probe, token, 'Subtasks');
    const at = { token, projectId };
    const id = await newTask(probe, { ...at, title: 'Whole' });
    const create = { token, params: { projectId }, body: { title: 'Part', parentId: id } };
    const part = await probe.succeed('tasks.create', create);
    const other = await newTask(probe, { ...at, title: 'Other' });
    const elsewhere = await newProject(probe, token, 'Elsewhere');
    const foreign = await newTask(probe, { token, projectId: elsewhere, title: 'Foreign' });
    const update = (taskId: string, body: object) =>
      probe.request('tasks.update', { token, params: { id: taskId }, body });
    for (const [taskId, parentId] of [
      [other, part.id],
      [other, other],
      [other, foreign],
      [id, other],
    ] as const) {
      probe.expectRefusal('task.subtasks', await update(taskId, { parentId }), 'invalid_parent');
    }
    const nested = { ...create, body: { title: 'x', parentId: part.id } };
    const refused = await probe.request('tasks.create', nested);
    probe.expectRefusal('task.subtasks', refused, 'invalid_parent');
    probe.dataIn('tasks.update', await update(other, { parentId: id, status: 'DONE' }));
    await expectSubtasks(probe, { token, id }, { subtaskCount: 2, completedSubtaskCount: 1 });
    probe.dataIn('tasks.update', await update(part.id, { parentId: null }));
    await expectSubtasks(probe, { token, id }, { subtaskCount: 1, completedSubtaskCount: 1 });
    await probe.succeed('tasks.remove', { token, params: { id } });
    const { parent } = await probe.succeed('tasks.get', { token, params: { id: other } });
    const response = await probe.request('tasks.get', { token, params: { id: other } });
    probe.expectFields({
      rule: 'task.subtasks',
      response,
      actual: { parent },
      expected: { parent: null },
    });
  },
};

async function expectSubtasks(
  probe: Probe,
  { token, id }: { token: string; id: string },
  expected: { subtaskCount: number; completedSubtaskCount: number },
): Promise<void> {
  const response = await probe.request('tasks.get', { token, params: { id } });
  const { subtaskCount, completedSubtaskCount } = probe.dataIn('tasks.get', response);
  const actual = { subtaskCount, completedSubtaskCount };
  probe.expectFields({ rule: 'task.subtasks', response, actual, expected });
}

async function newProject(probe: Probe, token: string, name: string): Promise<string> {
  return (await probe.succeed('projects.create', { token, body: { name } })).id;
}

async function newTask(
  probe: Probe,
  { token, projectId, title }: { token: string; projectId: string; title: string },
): Promise<string> {
  const params = { projectId };
  return (await probe.succeed('tasks.create', { token, params, body: { title } })).id;
}

export const workScenarios: readonly Check[] = [
  taskOrder,
  taskLife,
  subtasks,
  projectLife,
  labelLife,
];
