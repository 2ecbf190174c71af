import { describe, expect, test, vi } from 'vitest';
import { newUser } from '../../testing/accounts.ts';
import { call, startTestApi, type CallOptions } from '../../testing/api.ts';
import { sentStatements } from '../../testing/recorded-statements.ts';
import { setUpApi } from '../../testing/set-up.ts';
import { newProject, newTask } from '../../testing/work.ts';

vi.mock('postgres', async (original) => {
  const { recordingDriver } = await import('../../testing/recorded-statements.ts');
  return recordingDriver(original);
});

const before = await startTestApi();
const user = await newUser(before);
await before.close();
const { clock, config } = before;
// Jobs run elsewhere: their statements don't count.
const api = await setUpApi({ JOBS: 'separate' }, { clock, databaseUrl: config.DATABASE_URL });

const get = async (id: string) => {
  const { body, headers } = await call(api, 'tasks.get', { token: user.token, params: { id } });
  return { task: body.data, eTag: headers.get('etag') ?? '' };
};

/** A subtask with everything that a task shows beside its own fields. */
async function furnishedTask() {
  const projectId = await newProject(api, user);
  const parent = await newTask(api, user, { projectId });
  const task = await newTask(api, user, { projectId, parentId: parent.id, assigneeIds: [user.id] });
  const neighbour = await newTask(api, user, { projectId });
  const params = { taskId: task.id };
  await call(api, 'comments.create', { token: user.token, params, body: { body: 'Seen' } });
  return { id: task.id, neighbourId: neighbour.id };
}

/** Sends a change. @returns the response, and its statements about tasks in order */
async function changeBy(id: 'tasks.update' | 'tasks.move', options: CallOptions) {
  sentStatements.length = 0;
  const { status, body } = await call(api, id, { token: user.token, ...options });
  const texts = sentStatements.map(({ text }) => text.trim());
  return { status, task: body.data, kinds: texts.map(kindOf).filter((kind) => kind !== null) };
}

/** Null for a statement that isn't about tasks, or happens beside the request. */
function kindOf(text: string): string | null {
  if (text.includes('json_agg')) return 'the displayed task';
  if (text.endsWith('for no key update')) return 'lock';
  if (text.includes('lock_for_move')) return 'locks';
  if (/\b(?:min|max)\(rank\)/.test(text)) return 'neighbour';
  if (text.startsWith('select "rank" from "tasks"')) return 'ranks';
  if (/^select \(\s*select case when own/.test(text)) return 'position';
  return /^(?:update|insert into) "?(tasks|column_sections|activities)\b/.exec(text)?.[1] ?? null;
}

describe('what a change sends: it reads the displayed task once', () => {
  test.each([false, true])('fields; with `If-Match`: %j', async (isConditional) => {
    const { id } = await furnishedTask();
    const { eTag } = await get(id);
    const changed = await changeBy('tasks.update', {
      params: { id },
      body: { title: 'Other', description: 'New', priority: 'HIGH', dueDate: '2027-01-01' },
      ...(isConditional && { headers: { 'if-match': eTag } }),
    });
    expect(changed).toEqual({
      status: 200,
      task: (await get(id)).task,
      kinds: ['lock', 'the displayed task', 'tasks', 'activities'],
    });
  });

  test('a status', async () => {
    const { id } = await furnishedTask();
    const changed = await changeBy('tasks.update', { params: { id }, body: { status: 'DONE' } });
    expect([changed.status, changed.task]).toEqual([200, (await get(id)).task]);
    expect(changed.kinds.slice(0, 3)).toEqual(['locks', 'the displayed task', 'ranks']);
    expect(changed.kinds.filter((kind) => kind === 'the displayed task')).toHaveLength(1);
    expect(changed.kinds).toContain('position');
  });

  test.each(['beforeId', 'afterId'])('a position: %s', async (anchor) => {
    const { id, neighbourId } = await furnishedTask();
    const { task } = await get(id);
    const target = await newTask(api, user, { projectId: task.projectId, status: 'DONE' });
    for (const [status, besideId] of [
      ['DONE', target.id],
      ['TODO', neighbourId],
    ]) {
      const body = { status, [anchor]: besideId };
      const changed = await changeBy('tasks.move', { params: { id }, body });
      expect([changed.status, changed.task]).toEqual([200, (await get(id)).task]);
      expect(changed.kinds.slice(0, 4)).toEqual([
        'locks',
        'the displayed task',
        'neighbour',
        'tasks',
      ]);
      expect(changed.kinds.slice(4)).not.toContain('the displayed task');
      expect(changed.kinds).not.toContain('position');
      expect(changed.kinds.at(-1)).toBe('activities');
    }
  });

  test('a position in a short column, whose sections stay as they are', async () => {
    const { id, neighbourId } = await furnishedTask();
    const move = (anchor: string) =>
      changeBy('tasks.move', { params: { id }, body: { [anchor]: neighbourId } });
    // Its sections begin with the first move.
    await move('afterId');
    for (const anchor of ['beforeId', 'afterId']) {
      expect(await move(anchor)).toEqual({
        status: 200,
        task: (await get(id)).task,
        kinds: ['locks', 'the displayed task', 'neighbour', 'tasks', 'activities'],
      });
    }
  });
});
