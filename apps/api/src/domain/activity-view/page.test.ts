import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { storeManyActivities } from '../../testing/activities.ts';
import { call } from '../../testing/api.ts';
import { setUpApiWithUser } from '../../testing/set-up.ts';
import { makePlatformAdministrator, storeTeam } from '../../testing/teams.ts';

const { api, user } = await setUpApiWithUser();

const storeMany = (organizationId: string, count: number) =>
  storeManyActivities(api, { actorId: user.id, organizationId, count });

/** As retention does with old months. */
async function removeAll(): Promise<void> {
  await api.db.execute(sql`alter table activities disable trigger all`);
  await api.db.execute(sql`delete from activities where action = 'task.update'`);
}

test('only a list that is too long is not counted again, and only for its own filter', async () => {
  await makePlatformAdministrator(api, user);
  const [long, short] = await Promise.all([storeTeam(api, user), storeTeam(api, user)]);
  await storeMany(long, 10_001);
  await storeMany(short, 2);
  const ask = async (organizationId: string, query: Record<string, string | number> = {}) => {
    const options = { token: user.token, query, organizationId };
    const { body } = await call(api, 'timeline.list', options);
    return body.data.pagination;
  };
  const tooLong = { total: 10_000, isTotalLowerBound: true };
  expect(await ask(long)).toMatchObject({ ...tooLong, hasNext: true });
  expect(await ask(short)).toMatchObject({ total: 2 });
  await removeAll();
  expect(await ask(long, { limit: 10 })).toMatchObject({ ...tooLong, hasNext: false });
  expect(await ask(long, { action: 'task.update' })).toMatchObject({ total: 0 });
  expect(await ask(short)).toMatchObject({ total: 0 });
});
