import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connectDatabase } from '../db/client.ts';
import { newUser } from '../testing/accounts.ts';
import { startTestApi } from '../testing/api.ts';
import { newCollection } from '../testing/library.ts';

const api = await startTestApi();
const user = await newUser(api);
const owner = connectDatabase({
  url: api.ownerUrl,
  maxConnections: 1,
  statementTimeoutMs: api.config.DATABASE_STATEMENT_TIMEOUT_MS,
});
const { db } = owner;
beforeAll(async () => {
  await newCollection(api, user);
  // To truncate is to lock each table in turn, and what runs beside requests reads several of them in another order.
  await api.close();
});
afterAll(() => owner.close(2));

describe.each([
  { name: 'activities', key: 'organization_id, id, created_at' },
  { name: 'account_activities', key: 'id, created_at' },
])('$name', ({ name, key }) => {
  const table = sql.identifier(name);
  const stored = () => db.execute(sql`select * from ${table} order by id`);

  test.each([
    ['changed', sql`update ${table} set resource_name = 'x'`],
    ['changed to what it is', sql`update ${table} set id = id`],
    [
      'changed by an insert',
      sql`insert into ${table} select * from ${table} on conflict (${sql.raw(key)}) do update set resource_name = 'x'`,
    ],
    [
      'changed by a merge',
      sql`merge into ${table} as kept using ${table} as same on same.id = kept.id when matched then delete`,
    ],
    ['removed', sql`delete from ${table}`],
    ['removed with all others', sql`truncate ${table}`],
    ['removed with what it refers to', sql`truncate users cascade`],
    ['removed with what others refer to', sql`truncate ${table} cascade`],
  ])('a row cannot be %s over the connection of the service', async (_, statement) => {
    const before = await stored();
    expect(before.length).toBeGreaterThan(0);
    await expect(db.execute(statement)).rejects.toHaveProperty('cause.code', '23001');
    expect(await stored()).toEqual(before);
  });

  test('nor with triggers switched off for the session', async () => {
    const before = await stored();
    const attempt = db.transaction(async (tx) => {
      await tx.execute(sql`set local session_replication_role = replica`);
      await tx.execute(sql`delete from ${table}`);
    });
    await expect(attempt).rejects.toHaveProperty('cause.code', '23001');
    expect(await stored()).toEqual(before);
  });
});

test('what a process of the release before records of an account is recorded where it belongs', async () => {
  const resource = sql`'user', ${user.id}::uuid, 'Ada', '[]'::jsonb, now()`;
  await db.execute(sql`
    insert into activities (id, action, actor_id, organization_id, resource_type, resource_id, resource_name, changes, created_at)
    select uuidv7(), 'user.update_profile', ${user.id}::uuid, null, ${resource}`);
  const found = await db.execute(sql`
    select action, transaction_id is not null as "isOrdered" from account_activities
    where resource_id = ${user.id} and resource_name = 'Ada'`);
  expect([...found]).toEqual([{ action: 'user.update_profile', isOrdered: true }]);
});
