import { eq, ne, sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import {
  committedResponses,
  erasedSubjects,
  idempotencyKeys,
  invitations,
  webhookDeliveries,
} from '../../db/generated/schema.ts';
import { newUser, type TestUser } from '../../testing/accounts.ts';
import { boundStatements } from '../../testing/bounded-statements.ts';
import { waitingIn } from '../../testing/organizations.ts';
import { setUpApi } from '../../testing/set-up.ts';
import { newId } from '../../kernel/ids.ts';
import { eraseText, recordSubjects } from './erase.ts';
import { deleteDeliveriesOf, deleteStoredResponsesOf } from './queries.ts';

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

test('invitations and stored responses of an account are erased in pieces, and no others', async () => {
  const [leaver, other] = [await newUser(api), await newUser(api)];
  const { organizationId } = other;
  const now = api.clock.now().toISOString();
  await api.db.execute(sql`
    insert into invitations (organization_id, id, email, role, status, invited_by, created_at, expires_at, account_id)
    select ${organizationId}, uuidv7(), 'former-' || number || '@example.com', 'MEMBER', 'ACCEPTED', ${other.id},
      ${now}::timestamptz, ${now}::timestamptz, case when number <= 4500 then ${leaver.id}::uuid end
    from generate_series(1, 4501) as number`);
  for (const scope of [leaver.id, other.id]) {
    await api.db.execute(sql`
      insert into idempotency_keys (scope, operation, key, payload_hash, holder, leased_until, expires_at)
      select ${scope}, 'tasks.create', number::text, '', uuidv7(), ${now}::timestamptz, ${now}::timestamptz
      from generate_series(1, 2500) as number`);
    await api.db.execute(sql`
      insert into committed_responses
      select ${organizationId}, ${scope}, 'tasks.create', number::text, '', 201, '{}', '', ${now}::timestamptz
      from generate_series(1, 2500) as number`);
  }
  for (const table of ['invitations', 'idempotency_keys', 'committed_responses']) {
    await boundStatements(api, table, 2_000);
  }
  await recordSubjects(api.db, leaver, api.clock.now());
  await eraseText({ db: api.db }, leaver);
  const erased = `deleted-${leaver.id}@deleted.invalid`;
  expect(await api.db.$count(invitations, eq(invitations.email, erased))).toBe(4_500);
  expect(await api.db.$count(invitations, ne(invitations.email, erased))).toBe(1);
  for (const table of [idempotencyKeys, committedResponses]) {
    const left = [leaver, other].map(({ id }) => api.db.$count(table, eq(table.scope, id)));
    expect(await Promise.all(left)).toEqual([0, 2_500]);
  }
});

test('a stored response that a request under way has locked is waited for', async () => {
  const { id, organizationId } = await newUser(api);
  const now = api.clock.now().toISOString();
  await api.db.execute(sql`
    insert into idempotency_keys (scope, operation, key, payload_hash, holder, leased_until, expires_at)
    values (${id}, 'tasks.create', 'key', '', uuidv7(), ${now}::timestamptz, ${now}::timestamptz)`);
  await api.db.execute(sql`
    insert into committed_responses
    values (${organizationId}, ${id}, 'tasks.create', 'key', '', 201, '{}', '', ${now}::timestamptz)`);
  const erased = await api.db.transaction(async (tx) => {
    for (const table of [idempotencyKeys, committedResponses]) {
      await tx.select().from(table).where(eq(table.scope, id)).for('update');
    }
    const underWay = deleteStoredResponsesOf({ db: api.db }, { id });
    await expect.poll(() => waitingIn(tx), { timeout: 10_000, interval: 5 }).toBe(1);
    // Wrapped, so that the transaction ends before the deletion does.
    return { underWay };
  });
  await erased.underWay;
  for (const table of [idempotencyKeys, committedResponses]) {
    expect(await api.db.$count(table, eq(table.scope, id))).toBe(0);
  }
});
