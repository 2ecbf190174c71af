import { resourceTypes, type ActivityAction } from '@atelier/contract';
import { eq } from 'drizzle-orm';
import { beforeAll, describe, expect, test } from 'vitest';
import { activities, organizations } from '../../db/generated/schema.ts';
import { newId } from '../../kernel/ids.ts';
import { newUser, type TestUser } from '../../testing/accounts.ts';
import { call, startTestApi, type CallOptions } from '../../testing/api.ts';
import { newCollection, someFile, uploadFile } from '../../testing/library.ts';
import { joinTeam, newTeam } from '../../testing/organizations.ts';
import { setUpApi } from '../../testing/set-up.ts';
import { newProject, newTask } from '../../testing/work.ts';

const day = 24 * 60 * 60;

const api = await setUpApi();

async function summary(user: TestUser, options: CallOptions = {}) {
  const { status, body } = await call(api, 'dashboard.summary', { token: user.token, ...options });
  expect([status, body.message]).toEqual([200, 'Dashboard retrieved']);
  return body.data;
}

const inDays = (days: number) =>
  new Date(api.clock.now().getTime() + days * day * 1000).toISOString();

test('a new organization has only its owner', async () => {
  const user = await newUser(api);
  expect(await summary(user)).toEqual({
    members: 1,
    projects: { active: 0, archived: 0 },
    tasks: {
      total: 0,
      byStatus: { BACKLOG: 0, TODO: 0, IN_PROGRESS: 0, IN_REVIEW: 0, DONE: 0, CANCELLED: 0 },
      overdue: 0,
      assignedToMe: 0,
      completedLast7Days: 0,
    },
    assets: { count: 0, storageBytes: 0, storageLimitBytes: 10_737_418_240 },
    collections: 0,
    recentActivity: [],
    generatedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
  });
});

describe('an organization with data', () => {
  let user: TestUser;
  let neighbour: TestUser;
  let projectId: string;
  beforeAll(async () => {
    user = await newUser(api);
    neighbour = await newUser(api);
    projectId = await newProject(api, user);
    await newProject(api, user, { name: 'Old website', status: 'ARCHIVED' });
    for (const [person, project] of [
      [user, projectId],
      [neighbour, await newProject(api, neighbour)],
    ] as const) {
      const task = (body: Record<string, unknown>) =>
        newTask(api, person, { projectId: project, ...body });
      await task({ dueDate: inDays(-1), assigneeIds: [person.id] });
      await task({ dueDate: inDays(1), status: 'IN_PROGRESS' });
      await task({ dueDate: inDays(-1), status: 'DONE', assigneeIds: [person.id] });
      await task({ dueDate: inDays(-1), status: 'CANCELLED' });
    }
  });

  test('counts its tasks by column, and what is due, mine and done', async () => {
    const { tasks, projects } = await summary(user);
    expect(projects).toEqual({ active: 1, archived: 1 });
    expect(tasks).toEqual({
      total: 4,
      byStatus: { BACKLOG: 0, TODO: 1, IN_PROGRESS: 1, IN_REVIEW: 0, DONE: 1, CANCELLED: 1 },
      overdue: 1,
      assignedToMe: 1,
      completedLast7Days: 1,
    });
  });

  test('counts stored bytes with the bin, and assets and collections without it', async () => {
    const collectionId = await newCollection(api, user);
    const binned = await uploadFile(api, user, someFile(1_000), { collectionId });
    await uploadFile(api, user, someFile(500), { collectionId });
    const removed = await call(api, 'assets.remove', {
      token: user.token,
      params: { id: binned.id },
    });
    expect(removed.status).toBe(200);
    const { assets, collections } = await summary(user);
    expect(assets).toMatchObject({ count: 1, storageBytes: 1_500 });
    expect(collections).toBe(1);
  });

  test('shows its own latest ten activities, newest first', async () => {
    for (const title of ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight']) {
      await newTask(api, user, { projectId, title });
      await newTask(api, neighbour, { projectId: await newProject(api, neighbour) });
    }
    const { recentActivity } = await summary(user);
    expect(recentActivity).toHaveLength(10);
    const named = recentActivity.map(({ resourceName }: { resourceName: string }) => resourceName);
    expect(named.slice(0, 3)).toEqual(['eight', 'seven', 'six']);
    for (const { organizationId } of recentActivity) {
      expect(organizationId).toBe(user.organizationId);
    }
  });
});

test('completions a week ago are not in the last seven days', async () => {
  const later = await startTestApi();
  try {
    const user = await newUser(later);
    const projectId = await newProject(later, user);
    await newTask(later, user, { projectId, status: 'DONE' });
    later.clock.advance({ seconds: 7 * day + 60 });
    const { token } = (
      await call(later, 'auth.login', { body: { email: user.email, password: user.password } })
    ).body.data;
    const { body } = await call(later, 'dashboard.summary', { token: token.accessToken });
    expect(body.data.tasks).toMatchObject({ total: 1, completedLast7Days: 0 });
  } finally {
    await later.close();
  }
});

test("members see their team's figures, but only members who may invite see invitations", async () => {
  const [owner, viewer] = [await newUser(api), await newUser(api)];
  const { id } = await newTeam(api, owner);
  await joinTeam(api, id, viewer, 'VIEWER');
  const invited = await call(api, 'organizations.invite', {
    token: owner.token,
    params: { id },
    body: { email: 'grace@example.com' },
  });
  expect(invited.status).toBe(201);
  const seenByOwner = await summary(owner, { organizationId: id });
  const seenByViewer = await summary(viewer, { organizationId: id });
  expect([seenByOwner.members, seenByViewer.members]).toEqual([2, 2]);
  expect(seenByOwner.recentActivity).toHaveLength(1);
  expect(seenByViewer.recentActivity).toEqual([]);
});

test('many newer activities that a member may not see leave the latest ten that they may', async () => {
  const [owner, viewer] = [await newUser(api), await newUser(api)];
  const { id } = await newTeam(api, owner);
  await joinTeam(api, id, viewer, 'VIEWER');
  const store = (action: ActivityAction, count: number, actorId = owner.id) =>
    api.db.insert(activities).values(
      Array.from({ length: count }, (_, index) => ({
        id: newId(),
        action,
        actorId,
        organizationId: id,
        resourceType: resourceTypes.find((type) => action.startsWith(`${type}.`)) ?? 'task',
        resourceId: newId(),
        resourceName: `${action} ${index}`,
        changes: [],
        createdAt: api.clock.now(),
      })),
    );
  const actionsSeenBy = async (user: TestUser) =>
    (await summary(user, { organizationId: id })).recentActivity.map(
      ({ action }: { action: string }) => action,
    );
  await store('task.create', 10);
  await store('asset.favorite', 1, viewer.id);
  await store('asset.favorite', 50);
  await store('invitation.create', 50);
  expect(await actionsSeenBy(owner)).toEqual(Array(10).fill('invitation.create'));
  expect(await actionsSeenBy(viewer)).toEqual([
    'asset.favorite',
    ...Array.from({ length: 9 }, () => 'task.create'),
  ]);
});

test('a plan without limit shows none', async () => {
  const user = await newUser(api);
  await api.db
    .update(organizations)
    .set({ planCode: 'BUSINESS' })
    .where(eq(organizations.id, user.organizationId));
  expect((await summary(user)).assets.storageLimitBytes).toBe(10_995_116_277_760);
});
