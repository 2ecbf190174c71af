import { eq, sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { erasedSubjects, webhookDeliveries } from '../../db/generated/schema.ts';
import { newUser, type TestUser } from '../../testing/accounts.ts';
import { boundStatements } from '../../testing/bounded-statements.ts';
import { setUpApi } from '../../testing/set-up.ts';
import { newId } from '../../kernel/ids.ts';
import { deleteDeliveriesOf } from './queries.ts';

const api = await setUpApi();

/** Activities of an actor, each with two messages about it. */
async function insertDelivered(actor: TestUser, { resourceId = actor.id, count = 1 } = {}) {
  await api.db.execute(sql`
    with written as (
      insert into activities (id, action, actor_id, organization_id, resource_type, resource_id, resource_name, changes,
        created_at)
      select uuidv7(), 'member.update', ${actor.id}, ${actor.organizationId}, 'member', ${resourceId}, 'x', '[]', now()
      from generate_series(1, ${count}::int)
      returning id, organization_id, created_at)
    insert into webhook_deliveries (organization_id, id, webhook_id, event_id, event_type, sequence, body, status,
      attempt_count, is_replay, created_at)
    select organization_id, uuidv7(), ${newId()}, id, 'member.update', 1, '', 'DELIVERED', 1, is_replay, created_at
    from written, (values (false), (true)) as sent(is_replay)`);
}

const deliveriesIn = ({ organizationId }: TestUser) =>
  api.db.$count(webhookDeliveries, eq(webhookDeliveries.organizationId, organizationId));

test('messages of an account are deleted in pieces, with those about what it was, and no others', async () => {
  const [leaver, other] = [await newUser(api), await newUser(api)];
  const memberId = newId();
  await api.db
    .insert(erasedSubjects)
    .values({ id: memberId, userId: leaver.id, erasedAt: api.clock.now() });
  await insertDelivered(leaver, { count: 2_500 });
  await insertDelivered(other, { resourceId: memberId, count: 1_200 });
  await insertDelivered(other, { count: 3 });
  await boundStatements(api, 'webhook_deliveries', 2_000);
  await deleteDeliveriesOf(api.db, leaver);
  expect([await deliveriesIn(leaver), await deliveriesIn(other)]).toEqual([0, 6]);
});
