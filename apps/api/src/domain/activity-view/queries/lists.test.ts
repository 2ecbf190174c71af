import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { storeManyActivities } from '../../../testing/activities.ts';
import { call } from '../../../testing/api.ts';
import { setUpApiWithUser } from '../../../testing/set-up.ts';
import { makePlatformAdministrator, storeTeam } from '../../../testing/teams.ts';
import { latestActivities } from './latest.ts';

const { api, user } = await setUpApiWithUser();

const storeMany = (organizationId: string, count: number) =>
  storeManyActivities(api, { actorId: user.id, organizationId, count });

test('a count is exact up to 10,000 and then a lower bound', async () => {
  await makePlatformAdministrator(api, user);
  const team = await storeTeam(api, user);
  const ask = async (query: Record<string, string | number>, organizationId?: string) => {
    const { body } = await call(api, 'timeline.list', {
      token: user.token,
      query: { limit: 100, ...query },
      ...(organizationId && { organizationId }),
    });
    return body.data.pagination;
  };
  await storeMany(team, 10_000);
  for (const query of [
    {},
    { action: 'task.update' },
    { resourceType: 'task' },
    { actorId: user.id },
  ]) {
    const exact = await ask(query, team);
    expect(exact).toMatchObject({ total: 10_000, totalPages: 100, hasNext: true });
    expect(exact).not.toHaveProperty('isTotalLowerBound');
  }

  await storeMany(team, 1);
  for (const query of [
    {},
    { action: 'task.update' },
    { resourceType: 'task' },
    { actorId: user.id },
  ]) {
    for (const organizationId of [team, undefined]) {
      expect(await ask(query, organizationId)).toMatchObject({
        total: 10_000,
        isTotalLowerBound: true,
        hasNext: true,
      });
    }
  }
  // Pages continue past the counted rows, and the last one is marked as the last.
  const last = await ask({ page: 101 }, team);
  expect(last).toMatchObject({ page: 101, total: 10_000, totalPages: 100, hasNext: false });
  const summary = await call(api, 'timeline.summary', { token: user.token, organizationId: team });
  expect(summary.body.data).toMatchObject({ total: 10_001, byAction: { 'task.update': 10_001 } });
});

test('the latest activities of an organization have no count', async () => {
  const team = await storeTeam(api, user);
  await storeMany(team, 12);
  const rows = await latestActivities(api.db, {
    organizationId: team,
    viewer: { userId: user.id, role: 'OWNER', scopes: null },
  });
  expect(rows.map(({ resourceName }) => resourceName)).toEqual(
    Array.from({ length: 10 }, (_, index) => `Task ${12 - index}`),
  );
  expect(rows[0]).toMatchObject({
    organizationId: team,
    actor: { id: user.id, email: user.email },
  });
});

test('an action belongs to the type of its resource', async () => {
  const wrong = api.db.execute(sql`
    insert into activities (id, action, organization_id, resource_type, resource_id, resource_name, changes, created_at)
    values (uuidv7(), 'task.update', uuidv7(), 'project', uuidv7(), 'x', '[]', now())`);
  await expect(wrong).rejects.toHaveProperty('cause.code', '23514');
});
