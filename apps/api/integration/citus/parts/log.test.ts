import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Transaction } from '../../../src/db/executor.ts';
import { activities } from '../../../src/db/generated/schema.ts';
import { followFromNow } from '../../../src/domain/log-positions/queries.ts';
import { eventQueries } from '../../../src/features/events/queries.ts';
import { takeOnce } from '../../../src/jobs/follow/follow.ts';
import { newId } from '../../../src/kernel/ids.ts';
import { newUser, type TestUser } from '../../../src/testing/accounts.ts';
import { startTestApi, type TestApi } from '../../../src/testing/api.ts';
import { recordChange } from '../../../src/testing/changes.ts';
import { newDistributedDatabase } from '../../../src/testing/citus/databases.ts';
import { notePrepared, writeOnWorker } from '../../../src/testing/citus/worker-writes.ts';

let api: TestApi;
let user: TestUser;
let organizationId: string;
beforeAll(async () => {
  api = await startTestApi({}, { databaseUrl: await newDistributedDatabase() });
  user = await newUser(api);
  ({ organizationId } = user);
});
afterAll(() => api.close());

/** Readers of the log, each from now on, and what they have been given. */
async function newReaders() {
  const { db, clock, log } = api.deps;
  const consumer = { name: `test ${newId()}`, follows: 'where it is wanted' as const };
  await db.transaction((tx) =>
    followFromNow(tx, { organizationId, consumer: consumer.name }, clock.now()),
  );
  const queries = eventQueries(api.deps.db);
  let seen = await queries.currentSnapshot(organizationId);
  const [taken, shown]: [string[], string[]] = [[], []];
  const follower = {
    ...consumer,
    take: (_tx: Transaction, _organizationId: string, rows: readonly { resourceId: string }[]) => {
      taken.push(...rows.map(({ resourceId }) => resourceId));
      return Promise.resolve();
    },
    restart: () => Promise.reject(new Error('the position is unknown')),
  };
  async function read(): Promise<void> {
    const { current, changes } = await queries.changesSince(organizationId, seen.snapshot);
    seen = current;
    shown.push(...changes.map(({ resourceId }) => resourceId));
    await takeOnce({ db, scopes: null, clock, log }, follower, organizationId);
  }
  return {
    read,
    /** What was read of these. A position may begin a little earlier, before a transaction that was under way. */
    of(ids: readonly string[]) {
      const among = (all: readonly string[]) => all.filter((id) => ids.includes(id));
      return { taken: among(taken), shown: among(shown) };
    },
    async untilTaken(ids: readonly string[]): Promise<void> {
      const left = async () => {
        await read();
        return ids.filter((id) => !taken.includes(id));
      };
      await expect.poll(left, { interval: 20 }).toEqual([]);
      // What comes twice comes now.
      await read();
    },
  };
}

/** A change of a table of every server beside it: the transaction commits on several of them. */
async function recordEverywhere(tx: Transaction): Promise<string> {
  await tx.execute(sql`
    insert into erased_subjects (id, user_id, erased_at) values (${newId()}, ${user.id}, now())`);
  return recordChange(tx, organizationId);
}

/** The resources in the order of the log. */
async function logged(among: readonly string[]): Promise<string[]> {
  const rows = await api.db
    .select({ resourceId: activities.resourceId })
    .from(activities)
    .where(eq(activities.organizationId, organizationId))
    .orderBy(activities.transactionId, activities.id);
  return rows.map(({ resourceId }) => resourceId).filter((id) => among.includes(id));
}

/** Not one that selects from a table of organizations: the service has none, as the test of its statements sees. */
test('each form of an insert stores the transaction of the coordinator', async () => {
  const columns = sql`id, action, organization_id, resource_type, resource_id, resource_name, changes, created_at`;
  const row = sql`uuidv7(), 'task.update', ${organizationId}::uuid, 'task', uuidv7(), 'Form', '[]'::jsonb, now()`;
  await api.db.execute(sql`
    create function record_by_function(an_organization uuid) returns void language plpgsql as $$
    begin
      insert into activities (id, action, organization_id, resource_type, resource_id, resource_name, changes, created_at)
        values (uuidv7(), 'task.update', an_organization, 'task', uuidv7(), 'Form', '[]', now());
    end $$`);
  const stored = await api.db.transaction(async (tx) => {
    await recordChange(tx, organizationId, { resourceName: 'Form' });
    await tx.execute(sql`insert into activities (${columns}) values (${row}), (${row})`);
    await tx.execute(sql`insert into activities (${columns}) select ${row}`);
    await tx.execute(sql`select record_by_function(${organizationId}::uuid)`);
    const rows = await tx.execute<{ amount: number; isOwn: boolean }>(sql`
      select count(*)::int as amount, min(transaction_id) = max(transaction_id) as "isOwn", min(transaction_id)::text as id
      from activities where organization_id = ${organizationId} and resource_name = 'Form'`);
    const [own] = await tx.execute<{ id: string }>(sql`select pg_current_xact_id()::text as id`);
    return { ...rows[0], own: own?.id };
  });
  expect(stored).toEqual({ amount: 5, isOwn: true, id: stored.own, own: stored.own });
});

test('each change is read once and in order, while many commit on one server and on several', async () => {
  const readers = await newReaders();
  const written: string[] = [];
  let isDone = false;
  const writing = Promise.all(
    Array.from({ length: 8 }, async (_, writer) => {
      for (let count = 0; count < 25; count += 1) {
        written.push(
          await api.db.transaction((tx) =>
            writer % 2 === 0 ? recordEverywhere(tx) : recordChange(tx, organizationId),
          ),
        );
      }
    }),
  ).finally(() => {
    isDone = true;
  });
  while (!isDone) await readers.read();
  await writing;
  await readers.untilTaken(written);
  const { taken, shown } = readers.of(written);
  expect(taken).toEqual(await logged(written));
  expect(shown.toSorted()).toEqual(written.toSorted());
});

describe('when the coordinator dies', () => {
  test('after the worker has committed: the change is there, and read once', async () => {
    const readers = await newReaders();
    const ids: string[] = [];
    const dying = api.db.transaction(async (tx) => {
      const there = await writeOnWorker(tx, { db: api.db, organizationId }, () => 'commit');
      await there.close();
      ids.push(there.resourceId);
      await readers.read();
      expect(readers.of(ids)).toEqual({ taken: [], shown: [] });
      throw new Error('the coordinator died');
    });
    await expect(dying).rejects.toThrow('the coordinator died');
    ids.push(await recordChange(api.db, organizationId));
    await readers.untilTaken(ids);
    expect(readers.of(ids)).toEqual({ taken: ids, shown: ids });
  });

  test('before the worker has committed what both have promised: no reader passes it', async () => {
    const readers = await newReaders();
    const there = await api.db.transaction(async (tx) => {
      const prepared = await writeOnWorker(
        tx,
        { db: api.db, organizationId },
        (gid) => `prepare transaction '${gid}'`,
      );
      await notePrepared(tx, prepared);
      return prepared;
    });
    const later = await recordChange(api.db, organizationId);
    const ids = [there.resourceId, later];
    await readers.read();
    expect(readers.of(ids)).toEqual({ taken: [], shown: [later] });
    await there.run(`commit prepared '${there.gid}'`);
    await there.close();
    await readers.untilTaken(ids);
    expect(readers.of(ids)).toEqual({ taken: ids, shown: [later, there.resourceId] });
  });
});
