import { eq, sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { digests, notifications } from '../../db/generated/schema.ts';
import { boundStatements } from '../../testing/bounded-statements.ts';
import { setUpApiWithUser } from '../../testing/set-up.ts';
import { keepNotifications } from './keep.ts';

const { api, user } = await setUpApiWithUser();
const { organizationId } = user;

test('the notifications that are too many, and old marks of digests, are removed in pieces', async () => {
  const now = api.clock.now().toISOString();
  await api.db.execute(sql`
    insert into notifications (organization_id, id, user_id, sequence, reason, event_count, created_at, updated_at)
    select ${organizationId}, uuidv7(), ${user.id}, number, 'removed', 1, ${now}::timestamptz, ${now}::timestamptz
    from generate_series(1, 9500) as number`);
  await api.db.execute(sql`
    insert into digests (user_id, period)
    select ${user.id}, (${now}::timestamptz at time zone 'UTC')::date - number from generate_series(1, 4560) as number`);
  for (const table of ['notifications', 'digests']) await boundStatements(api, table, 2_000);
  await keepNotifications({ db: api.db, clock: api.clock });
  const isOfUser = eq(notifications.userId, user.id);
  expect(await api.db.$count(notifications, isOfUser)).toBe(5_000);
  const [oldest] = await api.db.execute(
    sql`select min(sequence)::int as sequence from notifications where user_id = ${user.id}`,
  );
  expect(oldest).toEqual({ sequence: 4_501 });
  expect(await api.db.$count(digests, eq(digests.userId, user.id))).toBe(60);
});
