import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { activities, logPositions } from '../../db/generated/schema.ts';
import { followFromNow } from '../../domain/log-positions/queries.ts';
import { newId } from '../../kernel/ids.ts';
import { recordChange } from '../../testing/changes.ts';
import { call } from '../../testing/api.ts';
import { migrateForService } from '../../testing/databases.ts';
import { allSettled } from '../../testing/library.ts';
import { newTeam } from '../../testing/organizations.ts';
import { operate } from '../../testing/operator.ts';
import { setUpApiWithUser } from '../../testing/set-up.ts';
import { takeOnce } from './follow.ts';
import { readLags } from './queries.ts';
import { copying, createCopies } from './testing/copying.ts';

const { api, user } = await setUpApiWithUser();
const { clock, deps } = api;
// The owner: the service may not write to the table of copies.
const parts = { db: api.db, scopes: null, clock, log: deps.log };
await createCopies(api.db);

/** A transaction that no server of the tests will ever begin. */
const ofOtherServer = '9223372036854775807';

/** Adds an activity as a dump of another server has it. */
async function restore(organizationId: string): Promise<string> {
  const id = newId();
  const changed = await recordChange(api.db, organizationId);
  const set = JSON.stringify({ id, transaction_id: ofOtherServer });
  await api.db.execute(sql`
    insert into activities select (jsonb_populate_record(activities, ${set}::text::jsonb)).*
    from activities where resource_id = ${changed}`);
  return id;
}

/** The resources whose changes were taken; null where the consumer was told of another history. */
async function copied(organizationId: string) {
  const rows = await api.db.execute<{ changed: string | null }>(sql`
    select resource_id as changed from copies left join activities on activities.id = copies.activity_id
    where copies.organization_id = ${organizationId} order by number`);
  return rows.map(({ changed }) => changed);
}

test('activities of another server are followed no more, and later ones are', async () => {
  const { id } = await newTeam(api, user);
  const restored = [await restore(id), await restore(id)];
  const key = { organizationId: id, consumer: copying.name };
  await api.db.transaction((tx) => followFromNow(tx, key, clock.now()));
  await api.db
    .update(logPositions)
    .set({ epoch: 'another', transactionId: ofOtherServer })
    .where(sql`organization_id = ${id}`);
  const distributed = () => operate(['distribute'], { DATABASE_URL: api.ownerUrl });
  expect((await distributed()).stderr).toContain('run the migrations first');
  await migrateForService(api.ownerUrl);
  expect((await distributed()).stderr).toContain('This database has no Citus');

  await allSettled(api);
  expect(await takeOnce(parts, copying, id)).toBe('at once');
  expect(await takeOnce(parts, copying, id)).toBe('when announced');
  const later = await recordChange(api.db, id);
  await allSettled(api);
  expect(await takeOnce(parts, copying, id)).toBe('when announced');
  expect(await copied(id)).toEqual([null, later]);
  const lags = await readLags(api.db);
  expect(lags.find(({ consumer }) => consumer === copying.name)?.oldestSeconds).toBe(0);
  const kept = await api.db
    .select({ id: activities.id, transactionId: activities.transactionId })
    .from(activities)
    .where(sql`${activities.id} in ${restored}`);
  expect(kept.map((row) => row.id).toSorted()).toEqual(restored.toSorted());
  expect(kept.map(({ transactionId }) => transactionId)).not.toContain(ofOtherServer);
});

test('changes of one request id are several mutations also after a restore', async () => {
  const { id: organizationId } = await newTeam(api, user);
  const headers = { 'x-request-id': 'the-same-of-both' };
  const options = { token: user.token, organizationId, headers, body: { name: 'Website' } };
  for (const name of ['Website', 'Launch']) {
    const made = await call(api, 'projects.create', { ...options, body: { name } });
    expect(made.status).toBe(201);
    api.clock.advance({ seconds: 1 });
  }
  await api.db.execute(sql`alter table activities disable trigger activities_stay_as_they_are`);
  await api.db.execute(sql`
    update activities set transaction_id = ${ofOtherServer}::xid8 where organization_id = ${organizationId}`);
  await api.db.execute(
    sql`alter table activities enable always trigger activities_stay_as_they_are`,
  );
  await api.db.update(logPositions).set({ epoch: 'another' });
  await migrateForService(api.ownerUrl);
  const { S3_ENDPOINT, S3_BUCKET, S3_ACCESS_KEY, S3_SECRET_KEY } = api.config;
  const storage = { S3_ENDPOINT, S3_BUCKET, S3_ACCESS_KEY, S3_SECRET_KEY };
  const { stdout } = await operate(['verify'], { ...storage, DATABASE_URL: api.ownerUrl });
  expect(stdout).toContain('ok      one-activity-per-mutation');
});

test('an activity of a transaction that the server has begun keeps it, also for the owner', async () => {
  const { id } = await newTeam(api, user);
  const changed = await recordChange(api.db, id);
  await expect(
    api.db.execute(sql`
      update activities set transaction_id = pg_current_xact_id() where resource_id = ${changed}`),
  ).rejects.toMatchObject({ cause: { message: expect.stringContaining('append-only') } });
});
