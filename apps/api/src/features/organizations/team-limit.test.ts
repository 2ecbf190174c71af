// @module-tag slow

import { and, eq, isNull } from 'drizzle-orm';
import { beforeEach, expect, test } from 'vitest';
import { activities, organizations, plans } from '../../db/generated/schema.ts';
import { newUser, type TestUser } from '../../testing/accounts.ts';
import { call } from '../../testing/api.ts';
import { crowdVariables, times } from '../../testing/crowd.ts';
import { joinTeam, newTeam } from '../../testing/organizations.ts';
import { tally } from '../../testing/rate-limits.ts';
import { setUpApi } from '../../testing/set-up.ts';
let owner: TestUser;

const api = await setUpApi(crowdVariables);
beforeEach(async () => {
  owner = await newUser(api, 'owner');
});

const create = (name = 'One more', user = owner) =>
  call(api, 'organizations.create', { token: user.token, body: { name } });
const teams = () =>
  api.db
    .select()
    .from(organizations)
    .where(
      and(
        eq(organizations.ownerId, owner.id),
        eq(organizations.type, 'TEAM'),
        isNull(organizations.deletedAt),
      ),
    );
const creationsRecorded = () =>
  api.db.$count(
    activities,
    and(eq(activities.actorId, owner.id), eq(activities.action, 'organization.create')),
  );

async function teamsInStore(count: number) {
  return Promise.all(times(count, () => newTeam(api, owner)));
}

test('an account creates 20 teams on the free plan, and gets the limit in the error', async () => {
  await teamsInStore(19);
  expect((await create()).status).toBe(201);
  const refused = await create();
  expect([refused.status, refused.body.code]).toEqual([409, 'plan_limit_reached']);
  expect(refused.body.message).toBe('The plan allows 20 for teamsPerAccount; this would make 21');
  expect(await teams()).toHaveLength(20);
  expect(await creationsRecorded()).toBe(1);
});

test('40 parallel requests never exceed the limit, at 0 and at 19', async () => {
  const first = await Promise.all(times(40, (index) => create(`Team ${index}`)));
  expect(tally(first.map(({ status }) => status))).toEqual({ 201: 20, 409: 20 });
  expect(await teams()).toHaveLength(20);
  expect(await creationsRecorded()).toBe(20);

  owner = await newUser(api, 'owner');
  await teamsInStore(19);
  const second = await Promise.all(times(40, () => create('Same name')));
  expect(tally(second.map(({ status }) => status))).toEqual({ 201: 1, 409: 39 });
  expect(await teams()).toHaveLength(20);
  expect(await creationsRecorded()).toBe(1);
});

test('a deleted team, or one on another plan, does not count', async () => {
  const [deleted, booked] = await teamsInStore(20);
  expect((await create()).status).toBe(409);
  const removed = await call(api, 'organizations.remove', {
    token: owner.token,
    params: { id: String(deleted?.id) },
    query: { confirmName: 'Analytical Engines' },
  });
  expect(removed.status).toBe(200);
  expect((await create()).status).toBe(201);
  expect((await create()).status).toBe(409);
  await api.db
    .update(organizations)
    .set({ planCode: 'PRO' })
    .where(eq(organizations.id, String(booked?.id)));
  expect((await create()).status).toBe(201);
  expect((await create()).status).toBe(409);
});

test('teams of others do not count, whatever the role there', async () => {
  const other = await newUser(api, 'other');
  await teamsInStore(20);
  expect((await create('Mine', other)).status).toBe(201);
});

test('a team counts for its creator, even after leaving', async () => {
  const [left] = await teamsInStore(20);
  const heir = await newUser(api, 'heir');
  await joinTeam(api, String(left?.id), heir, 'OWNER');
  const members = await call(api, 'organizations.listMembers', {
    token: owner.token,
    params: { id: String(left?.id) },
  });
  const mine = members.body.data.items.find(
    ({ userId }: { userId: string }) => userId === owner.id,
  );
  const leaving = await call(api, 'organizations.removeMember', {
    token: owner.token,
    params: { id: String(left?.id), memberId: mine.id },
  });
  expect(leaving.status).toBe(200);
  expect((await create()).status).toBe(409);
});

test('the limit depends on the plan', async () => {
  await api.db.update(plans).set({ maxTeamsPerAccount: 1 }).where(eq(plans.code, 'FREE'));
  expect((await create()).status).toBe(201);
  expect((await create()).status).toBe(409);
  await api.db.update(plans).set({ maxTeamsPerAccount: null }).where(eq(plans.code, 'FREE'));
  expect((await create()).status).toBe(201);
  await api.db.update(plans).set({ maxTeamsPerAccount: 20 }).where(eq(plans.code, 'FREE'));
});
