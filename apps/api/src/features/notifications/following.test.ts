// @module-tag slow

import type { Notification } from '@atelier/contract';
import { beforeEach, describe, expect, test } from 'vitest';
import { newId } from '../../kernel/ids.ts';
import { newUser, type TestUser } from '../../testing/accounts.ts';
import { call, type CallOptions } from '../../testing/api.ts';
import { newProject } from '../../testing/board.ts';
import { untilEvents } from '../../testing/inboxes.ts';
import { joinTeam, newTeamOf } from '../../testing/organizations.ts';
import { setUpApi } from '../../testing/set-up.ts';

const api = await setUpApi();
const owner = await newUser(api, 'owner');

interface Member {
  readonly token: string;
  readonly organizationId: string;
}
let team: Member;
let bob: TestUser;
let projectId: string;

beforeEach(async () => {
  team = await newTeamOf(api, owner);
  bob = await newUser(api, 'bob');
  const { organizationId } = team;
  await joinTeam(api, organizationId, bob, 'VIEWER');
  projectId = await newProject(api, team);
});

const as = ({ token }: { token: string }): Member => ({ ...team, token });

async function newTask(body: Record<string, unknown> = {}, by = team): Promise<string> {
  const { status, body: made } = await call(api, 'tasks.create', {
    ...by,
    params: { projectId },
    body: { title: 'Write the imprint', ...body },
  });
  expect(status).toBe(201);
  return made.data.id;
}

async function comment(taskId: string, body: string, by = team): Promise<string> {
  const response = await call(api, 'comments.create', {
    ...by,
    params: { taskId },
    body: { body },
  });
  expect(response.status).toBe(201);
  return response.body.data.id;
}

const succeed = async (id: Parameters<typeof call>[1], options: CallOptions) => {
  const response = await call(api, id, options);
  expect([id, response.status < 300, response.body?.code]).toEqual([id, true, undefined]);
  return response;
};

const summaries = (items: readonly Notification[]) =>
  items.map(({ reason, eventCount }) => `${reason} ${eventCount}`).toSorted();

describe('following', () => {
  const follow = (taskId: string, by: Member) =>
    succeed('notifications.follow', { ...by, params: { id: taskId } });
  const unfollow = (taskId: string, by: Member) =>
    succeed('notifications.unfollow', { ...by, params: { id: taskId } });
  const following = async (taskId: string, by: Member) =>
    (await succeed('notifications.following', { ...by, params: { id: taskId } })).body.data;

  test('by hand brings comments, and ends by hand for good', async () => {
    const taskId = await newTask();
    expect(await following(taskId, as(bob))).toEqual({ isFollowing: false, followerCount: 1 });
    await follow(taskId, as(bob));
    expect(await following(taskId, as(bob))).toEqual({ isFollowing: true, followerCount: 2 });
    await comment(taskId, 'first');
    await untilEvents(api, bob, 1);
    await unfollow(taskId, as(bob));
    await comment(taskId, `second @${bob.email}`);
    await comment(taskId, 'third');
    await newTask({ assigneeIds: [bob.id] });
    expect(summaries(await untilEvents(api, bob, 3))).toEqual([
      'assigned 1',
      'commented 1',
      'mentioned 1',
    ]);
    expect(await following(taskId, as(bob))).toEqual({ isFollowing: false, followerCount: 1 });
  });

  test('comes with a mention', async () => {
    const taskId = await newTask();
    await comment(taskId, `@${bob.email}`);
    await comment(taskId, 'more');
    expect(summaries(await untilEvents(api, bob, 2))).toEqual(['commented 1', 'mentioned 1']);
    expect(await following(taskId, as(bob))).toMatchObject({ isFollowing: true });
  });

  test('a task of another organization, or none, is a 404', async () => {
    const taskId = await newTask();
    const stranger = await newTeamOf(api, bob);
    for (const params of [{ id: taskId }, { id: newId() }]) {
      for (const operation of ['follow', 'unfollow', 'following'] as const) {
        const { status } = await call(api, `notifications.${operation}`, { ...stranger, params });
        expect(status).toBe(404);
      }
    }
  });

  test('both ways at once, while the task is deleted, leaves nothing behind', async () => {
    const taskId = await newTask();
    const requests = Array.from({ length: 10 }, (_, n) =>
      call(api, n % 2 === 0 ? 'notifications.follow' : 'notifications.unfollow', {
        ...as(bob),
        params: { id: taskId },
      }),
    );
    const removal = call(api, 'tasks.remove', { ...team, params: { id: taskId } });
    for (const { status } of await Promise.all(requests)) expect([200, 404]).toContain(status);
    expect((await removal).status).toBe(200);
  });
});
