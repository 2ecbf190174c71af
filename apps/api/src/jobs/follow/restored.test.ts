import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { activities, logPositions } from '../../db/generated/schema.ts';
import { followFromNow } from '../../domain/log-positions/queries.ts';
import { newId } from '../../kernel/ids.ts';
import { migrateForService } from '../../testing/databases.ts';
import { allSettled } from '../../testing/library.ts';
import { newTeam } from '../../testing/organizations.ts';
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

async function record(organizationId: string, set: { transactionId?: string } = {}) {
  const id = newId();
  await api.db.insert(activities).values({
    id,
    action: 'collection.create',
    actorId: user.id,
    organizationId,
    resourceType: 'collection',
    resourceId: newId(),
    resourceName: 'Pictures',
    changes: [],
    createdAt: new Date(),
    ...set,
  });
  return id;
}

async function copied(organizationId: string) {
  const rows = await api.db.execute<{ id: string | null }>(sql`
    select activity_id as id from copies where organization_id = ${organizationId} order by number`);
  return rows.map(({ id }) => id);
}

test('activities of another server are followed no more, and later ones are', async () => {
  const { id } = await newTeam(api, user);
  const key = { organizationId: id, consumer: copying.name };
  await api.db.transaction((tx) => followFromNow(tx, key, clock.now()));
  const restored = [
    await record(id, { transactionId: ofOtherServer }),
    await record(id, { transactionId: ofOtherServer }),
  ];
  await api.db
    .update(logPositions)
    .set({ epoch: 'another', transactionId: ofOtherServer })
    .where(sql`organization_id = ${id}`);
  await migrateForService(api.ownerUrl);

  await allSettled(api);
  expect(await takeOnce(parts, copying, id)).toBe('at once');
  expect(await takeOnce(parts, copying, id)).toBe('when announced');
  const later = await record(id);
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

test('an activity of a transaction that the server has begun keeps it, also for the owner', async () => {
  const { id } = await newTeam(api, user);
  const recorded = await record(id);
  await expect(
    api.db.execute(sql`
      update activities set transaction_id = pg_current_xact_id() where id = ${recorded}`),
  ).rejects.toMatchObject({ cause: { message: expect.stringContaining('append-only') } });
});
