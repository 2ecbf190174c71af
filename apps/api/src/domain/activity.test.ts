import { eq, sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { activities } from '../db/generated/schema.ts';
import { setUpApiWithUser } from '../testing/set-up.ts';

const { api, user } = await setUpApiWithUser();

const stored = () =>
  api.db.select().from(activities).where(eq(activities.actorId, user.id)).orderBy(activities.id);

test.each([
  ['changed', sql`update activities set resource_name = 'x'`],
  ['changed to what it is', sql`update activities set id = id`],
  [
    'changed by an insert',
    sql`insert into activities select * from activities on conflict (id, created_at) do update set resource_name = 'x'`,
  ],
  [
    'changed by a merge',
    sql`merge into activities using activities as same on same.id = activities.id when matched then delete`,
  ],
  ['removed', sql`delete from activities`],
  ['removed with all others', sql`truncate activities`],
  ['removed with what it refers to', sql`truncate users cascade`],
  ['removed with what others refer to', sql`truncate activities cascade`],
])('a row cannot be %s over the connection of the service', async (_, statement) => {
  const before = await stored();
  expect(before.length).toBeGreaterThan(0);
  await expect(api.db.execute(statement)).rejects.toHaveProperty('cause.code', '23001');
  expect(await stored()).toEqual(before);
});

test('nor with triggers switched off for the session', async () => {
  const before = await stored();
  const attempt = api.db.transaction(async (tx) => {
    await tx.execute(sql`set local session_replication_role = replica`);
    await tx.execute(sql`delete from activities`);
  });
  await expect(attempt).rejects.toHaveProperty('cause.code', '23001');
  expect(await stored()).toEqual(before);
});
