// @module-tag slow

import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { invitations } from '../../db/generated/schema.ts';
import { changeEmailOf } from '../../features/account/testing.ts';
import { logIn, newUser, type TestUser } from '../../testing/accounts.ts';
import { call, someEmail, startTestApi, type TestApi } from '../../testing/api.ts';
import { newCollection, runJobs } from '../../testing/library.ts';
import { makeOffer, takeOffer } from '../../testing/offers.ts';
import { newTeam } from '../../testing/organizations.ts';
import { deleteAtOnce } from '../delete-account/testing.ts';
import { keepActivities, type AsOwner } from './keep-activities.ts';

const day = 24 * 60 * 60;
const retentionMonths = 2;

interface Bounds {
  readonly name: string;
  /** Null: no lower or upper bound. */
  readonly from: string | null;
  readonly to: string | null;
}

interface Partition extends Bounds {
  readonly rows: number;
}

/** Ordered by month. */
async function partitions({ db }: TestApi): Promise<Partition[]> {
  const found = await db.execute<Bounds & Record<string, unknown>>(sql`
    select c.relname as name,
      substring(pg_get_expr(c.relpartbound, c.oid) from 'FROM \\(''([^'']+)''') as "from",
      substring(pg_get_expr(c.relpartbound, c.oid) from 'TO \\(''([^'']+)''') as "to"
    from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'activities'::regclass order by 2 nulls first`);
  return Promise.all(
    found.map(async (partition) => {
      const [counted] = await db.execute<{ rows: number }>(
        sql`select count(*)::int as rows from ${sql.identifier(partition.name)}`,
      );
      return { ...partition, rows: counted?.rows ?? 0 };
    }),
  );
}

/** The number of the month by the service's clock: 62 days from a 31st are two months or three. */
function monthOf({ clock }: TestApi): number {
  const now = clock.now();
  return now.getUTCFullYear() * 12 + now.getUTCMonth();
}

/** Every month has a partition: each begins where the one before it ends. */
function expectNoGaps(found: readonly Partition[]): void {
  expect(found[0]?.from).toBeNull();
  expect(found.at(-1)).toMatchObject({ name: 'activities_later', to: null });
  for (const [index, { from }] of found.entries()) {
    if (index > 0) expect(from).toBe(found[index - 1]?.to);
  }
}

async function titlesSentTo(api: TestApi, token: string): Promise<string[]> {
  const titles: string[] = [];
  let cursor: string | undefined;
  do {
    const query = { action: 'collection.create', limit: 2, ...(cursor && { cursor }) };
    const { status, body } = await call(api, 'timeline.mine', { token, query });
    expect(status).toBe(200);
    titles.push(
      ...body.data.items.map(({ resourceName }: { resourceName: string }) => resourceName),
    );
    cursor = body.data.pagination.nextCursor;
  } while (cursor !== undefined);
  return titles;
}

describe('as months go by', () => {
  let api: TestApi;
  let user: TestUser;
  beforeAll(async () => {
    api = await startTestApi();
    user = await newUser(api);
  });
  afterAll(() => api.close());

  test('there are partitions for three more months from the beginning, and the job always creates them', async () => {
    const before = await partitions(api);
    const began = monthOf(api);
    expectNoGaps(before);
    expect(before.length).toBeGreaterThanOrEqual(5);
    await runJobs(api, ['keep_activities']);
    expect(await partitions(api)).toHaveLength(before.length);
    api.clock.advance({ seconds: 62 * day });
    await runJobs(api, ['keep_activities', 'keep_activities']);
    const after = await partitions(api);
    expectNoGaps(after);
    expect(after.length).toBe(before.length + monthOf(api) - began);
  });

  test('each month has its own rows, and a timeline covers all of them', async () => {
    const titles: string[] = [];
    for (let month = 0; month < 4; month += 1) {
      const { token } = await logIn(api, user);
      for (const part of ['early', 'late']) {
        await newCollection(api, { token }, `${month} ${part}`);
        titles.unshift(`${month} ${part}`);
      }
      api.clock.advance({ seconds: 31 * day });
      await runJobs(api, ['keep_activities']);
    }
    expect((await partitions(api)).filter(({ rows }) => rows > 0).length).toBeGreaterThanOrEqual(4);
    expect(await titlesSentTo(api, (await logIn(api, user)).token)).toEqual(titles);
  });

  test('rows from before their month had a partition stay in place', async () => {
    const late = await startTestApi();
    try {
      // No job has run for a year and a half.
      late.clock.advance({ seconds: 550 * day });
      const user = await newUser(late);
      await newCollection(late, user, 'Late');
      const before = await partitions(late);
      expect(before.at(-1)?.rows).toBeGreaterThan(0);
      await runJobs(late, ['keep_activities']);
      const after = await partitions(late);
      expectNoGaps(after);
      expect(after.at(-1)?.rows).toBe(0);
      const sum = (all: Partition[]) => all.reduce((total, { rows }) => total + rows, 0);
      expect(sum(after)).toBe(sum(before));
      expect(await titlesSentTo(late, user.token)).toEqual(['Late']);
    } finally {
      await late.close();
    }
  });

  test('no partition allows updates of its rows, whenever it was created', async () => {
    for (const { name, rows } of [...(await partitions(api)), { name: 'activities', rows: 1 }]) {
      const table = sql.identifier(name);
      const attempts = [
        sql`truncate ${table}`,
        ...(rows > 0
          ? [sql`update ${table} set resource_name = 'x'`, sql`delete from ${table}`]
          : []),
      ];
      for (const attempt of attempts) {
        await expect(api.db.execute(attempt), name).rejects.toMatchObject({
          cause: { code: '23001' },
        });
        await expect(
          api.db.transaction(async (tx) => {
            await tx.execute(sql`set local session_replication_role = 'replica'`);
            await tx.execute(attempt);
          }),
          name,
        ).rejects.toMatchObject({ cause: { code: '23001' } });
      }
    }
  });

  test('the running job does not block requests', async () => {
    const { token } = await logIn(api, user);
    let isDone = false;
    const write = async () => {
      let written = 0;
      for (; !isDone || written < 20; written += 1) await newCollection(api, { token });
      return written;
    };
    const writing = Promise.all(Array.from({ length: 4 }, write));
    const { db, log } = api.deps;
    const asOwner: AsOwner = (work) => work(api.db);
    for (const months of [1, 2, 3]) {
      const clock = { now: () => new Date(api.clock.now().getTime() + months * 31 * day * 1_000) };
      await keepActivities({ db, clock, log, asOwner }, null);
    }
    isDone = true;
    for (const written of await writing) expect(written).toBeGreaterThanOrEqual(20);
    expectNoGaps(await partitions(api));
  });
});

describe('retention', () => {
  test('drops whole months that are older, and nothing younger', async () => {
    const api = await startTestApi({ ACTIVITY_RETENTION_MONTHS: String(retentionMonths) });
    try {
      const user = await newUser(api);
      await newCollection(api, user, 'Old');
      api.clock.advance({ seconds: 35 * day });
      const { token } = await logIn(api, user);
      await newCollection(api, { token }, 'Young');
      await runJobs(api, ['keep_activities']);
      expect(await titlesSentTo(api, token)).toEqual(['Young', 'Old']);

      api.clock.advance({ seconds: (retentionMonths * 31 + 1) * day - 35 * day + 31 * day });
      await runJobs(api, ['keep_activities']);
      const { token: later } = await logIn(api, user);
      const left = await partitions(api);
      expect(await titlesSentTo(api, later)).toEqual(['Young']);
      const oldest = left[0]?.from ?? '';
      expect(new Date(oldest).getTime()).toBeLessThanOrEqual(
        api.clock.now().getTime() - retentionMonths * 28 * day * 1_000,
      );
    } finally {
      await api.close();
    }
  });

  test('an account is erased from invitations to a former email, whose change is no longer recorded', async () => {
    const api = await startTestApi({ ACTIVITY_RETENTION_MONTHS: String(retentionMonths) });
    try {
      const [owner, leaver, other] = await Promise.all([
        newUser(api, 'owner'),
        newUser(api, 'former'),
        newUser(api, 'other'),
      ]);
      const offer = { email: leaver.email, role: 'MEMBER' } as const;
      const joined = await newTeam(api, owner, 'Is joined');
      const accepted = await makeOffer(api, owner, { teamId: joined.id, ...offer });
      expect((await takeOffer(api, leaver, accepted)).status).toBe(200);
      const left = await newTeam(api, owner, 'Invites in vain');
      await makeOffer(api, owner, { teamId: left.id, ...offer });
      await makeOffer(api, owner, { teamId: left.id, ...offer, email: other.email });
      const email = someEmail('present');
      await changeEmailOf(api, leaver, email);

      api.clock.advance({ seconds: (retentionMonths + 2) * 31 * day });
      await runJobs(api, ['clean_up', 'keep_activities']);
      await deleteAtOnce(api, await logIn(api, { ...leaver, email }));
      const rows = await api.db.select({ email: invitations.email }).from(invitations);
      const deleted = { email: `deleted-${leaver.id}@deleted.invalid` };
      expect(rows.filter((row) => row.email !== other.email)).toEqual([deleted, deleted]);
      expect(rows).toHaveLength(3);
    } finally {
      await api.close();
    }
  });

  test('without it, everything is kept', async () => {
    const api = await startTestApi();
    try {
      const user = await newUser(api);
      await newCollection(api, user, 'Old');
      api.clock.advance({ seconds: 400 * day });
      await runJobs(api, ['keep_activities']);
      expect(await titlesSentTo(api, (await logIn(api, user)).token)).toEqual(['Old']);
    } finally {
      await api.close();
    }
  });
});
