import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { taskAssignees, users } from '../../../db/generated/schema.ts';
import { newId } from '../../../kernel/ids.ts';
import { changesOf } from '../../../testing/activities.ts';
import { newUser } from '../../../testing/accounts.ts';
import { call, type CallOptions } from '../../../testing/api.ts';
import { joinTeam, newTeam } from '../../../testing/organizations.ts';
import { setUpApi } from '../../../testing/set-up.ts';
import { newProject, newTask } from '../../../testing/work.ts';

const api = await setUpApi();
const [user, stranger] = await Promise.all([newUser(api), newUser(api)]);

const get = (id: string, options: CallOptions = {}) =>
  call(api, 'tasks.get', { token: user.token, params: { id }, ...options });
const assign = (id: string, assigneeIds: unknown, options: CallOptions = {}) =>
  call(api, 'tasks.assign', {
    token: user.token,
    params: { id },
    body: { assigneeIds },
    ...options,
  });

/** After the creation, oldest first. */
const some = async () => newTask(api, user, { projectId: await newProject(api, user) });

describe('assigning', () => {
  async function team() {
    const organization = await newTeam(api, user);
    const [member, suspended] = await Promise.all([newUser(api, 'member'), newUser(api, 'away')]);
    await joinTeam(api, organization.id, member, 'MEMBER');
    await joinTeam(api, organization.id, suspended, 'MEMBER', 'SUSPENDED');
    const projectId = await newProject(api, user, { organizationId: organization.id });
    const task = await newTask(api, user, { projectId, organizationId: organization.id });
    return { organization, member, suspended, task, inTeam: { organizationId: organization.id } };
  }
  const idsOf = (response: { body: { data: { assignees: { id: string }[] } } }) =>
    response.body.data.assignees.map(({ id }) => id);

  test('replaces the set, and records added and removed users', async () => {
    const { member, task, inTeam } = await team();
    const both = await assign(task.id, [member.id, user.id, member.id], inTeam);
    expect([both.status, both.body.message]).toEqual([200, 'Assignees updated']);
    expect(idsOf(both).toSorted()).toEqual([member.id, user.id].toSorted());
    const repeated = await assign(task.id, [user.id, member.id], inTeam);
    expect(repeated.body.data).toEqual(both.body.data);
    const one = await assign(task.id, [user.id], inTeam);
    expect(idsOf(one)).toEqual([user.id]);
    expect(idsOf(await assign(task.id, [], inTeam))).toEqual([]);
    expect(
      (await changesOf(api, task.id)).map(({ action, metadata }) => ({ action, metadata })),
    ).toEqual(
      [
        { added: [member.id, user.id], removed: [] },
        { added: [], removed: [member.id] },
        { added: [], removed: [user.id] },
      ].map((who) => ({
        action: 'task.assign',
        metadata: { projectId: task.projectId, ...who },
      })),
    );
  });

  test('accepts only active members of the organization, and all or none', async () => {
    const { suspended, task, inTeam } = await team();
    for (const other of [newId(), stranger.id, suspended.id]) {
      const response = await assign(task.id, [user.id, other], inTeam);
      expect([response.status, response.body.code]).toEqual([400, 'assignee_not_member']);
    }
    expect(
      await api.db.select().from(taskAssignees).where(eq(taskAssignees.taskId, task.id)),
    ).toEqual([]);
    expect(await changesOf(api, task.id)).toEqual([]);
  });

  test('in parallel, ends with the set of one of the requests and an activity for each change', async () => {
    const { member, task, inTeam } = await team();
    const wanted = [[], [user.id], [member.id], [user.id, member.id]];
    const responses = await Promise.all(
      Array.from({ length: 20 }, (_, index) => assign(task.id, wanted[index % 4], inTeam)),
    );
    expect(responses.every(({ status }) => status === 200)).toBe(true);
    const replayed = (await changesOf(api, task.id)).reduce<string[]>((assigned, { metadata }) => {
      const { added, removed } = metadata as { added: string[]; removed: string[] };
      for (const id of added) expect(assigned).not.toContain(id);
      for (const id of removed) expect(assigned).toContain(id);
      return [...assigned.filter((id) => !removed.includes(id)), ...added];
    }, []);
    expect(idsOf(await get(task.id, inTeam)).toSorted()).toEqual(replayed.toSorted());
  });

  test('shows the pictures of assignees', async () => {
    const { member, task, inTeam } = await team();
    await api.db.update(users).set({ avatarKey: 'avatars/a' }).where(eq(users.id, member.id));
    const { assignees } = (await assign(task.id, [member.id], inTeam)).body.data;
    expect(assignees[0].avatarUrl).toContain('X-Amz-Signature');
  });

  test('refuses more than twenty, and invalid ids', async () => {
    const task = await some();
    for (const ids of [Array.from({ length: 21 }, () => newId()), ['x'], 'x', null]) {
      expect((await assign(task.id, ids)).status).toBe(400);
    }
  });
});
