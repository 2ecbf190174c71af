// @module-tag slow

import type { ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { asc, eq, sql } from 'drizzle-orm';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { followFor } from '../follow/testing/following-child.ts';
import { activities, notifications, users } from '../../db/generated/schema.ts';
import { announceAfterCommit } from '../../db/session/after-commit.ts';
import { newId } from '../../kernel/ids.ts';
import { newUser, type TestUser } from '../../testing/accounts.ts';
import { call } from '../../testing/api.ts';
import { newProject } from '../../testing/board.ts';
import { someFile, uploadFile } from '../../testing/library.ts';
import { joinTeam, newTeamOf } from '../../testing/organizations.ts';
import { setUpApi } from '../../testing/set-up.ts';
import { startJobs } from '../start.ts';
import { keepNotifications } from './keep.ts';

const api = await setUpApi({ JOBS: 'separate', DATABASE_POOL_MAX: '20' });

const jobs = await startJobs(api.deps);
const owner = await newUser(api, 'owner');
await jobs.stop();

type Person = Pick<TestUser, 'id'>;

/** Creates accounts that never sign in. */
async function newPeople(): Promise<[Person, Person]> {
  const [one, other] = [{ id: newId() }, { id: newId() }];
  const now = new Date();
  for (const { id } of [one, other]) {
    const email = `${id}@example.com`;
    await api.db
      .insert(users)
      .values({ id, email, accountStatus: 'VERIFIED', createdAt: now, updatedAt: now });
  }
  return [one, other];
}

const newTeam = async (people: readonly Person[]) => {
  const team = await newTeamOf(api, owner);
  for (const user of people) await joinTeam(api, team.organizationId, user, 'MEMBER');
  const projectId = await newProject(api, team);
  const { body } = await call(api, 'tasks.create', {
    ...team,
    params: { projectId },
    body: { title: 'Write the imprint', assigneeIds: people.map(({ id }) => id) },
  });
  return { ...team, taskId: String(body.data.id) };
};

/** Records comments of the owner that mention a person, in one transaction that stays open for a time. */
async function record(
  { organizationId, taskId }: { organizationId: string; taskId: string },
  { mentioned, rows, openMs }: { mentioned: Person; rows: number; openMs: number },
) {
  await api.db.transaction(async (tx) => {
    for (let row = 0; row < rows; row += 1) {
      await tx.insert(activities).values({
        id: newId(),
        action: 'comment.create',
        actorId: owner.id,
        organizationId,
        resourceType: 'comment',
        resourceId: newId(),
        resourceName: 'Write the imprint',
        changes: [],
        metadata: { taskId, mentionedIds: [mentioned.id] },
        createdAt: new Date(),
      });
    }
    await delay(openMs);
    announceAfterCommit(tx, `organization:${organizationId}`);
  });
}

const entriesOf = ({ id }: Person) =>
  api.db
    .select()
    .from(notifications)
    .where(eq(notifications.userId, id))
    .orderBy(asc(notifications.sequence));

async function eventsOf(user: Person, reason: string): Promise<number> {
  const entries = await entriesOf(user);
  return entries
    .filter((entry) => entry.reason === reason)
    .reduce((sum, { eventCount }) => sum + eventCount, 0);
}

describe('two processes that are killed again and again', () => {
  const running = new Set<ChildProcess>();
  let kills = 0;
  let areKilled = true;
  afterAll(() => {
    for (const child of running) child.kill('SIGKILL');
  });

  /** Kills processes one after the other; the last one is left alone. */
  async function keepKilling(): Promise<void> {
    while (true) {
      const { child, exited } = await followFor({
        program: join(import.meta.dirname, 'testing/notifying-process.ts'),
        databaseUrl: api.ownerUrl,
        running,
        ms: 300 + Math.random() * 1_200,
      });
      if (!areKilled) return;
      child.kill('SIGKILL');
      kills += 1;
      await exited;
    }
  }

  test('count each event once, in two teams that share their members', async () => {
    const [ada, bob] = await newPeople();
    const teams = [await newTeam([ada, bob]), await newTeam([ada, bob])];
    const killers = [keepKilling(), keepKilling()];
    const until = Date.now() + 4_000;
    let written = 0;
    await Promise.all(
      Array.from({ length: 8 }, async (_, writer) => {
        const team = teams[writer % teams.length];
        while (team && (Date.now() < until || kills < 4)) {
          const openMs = Math.random() < 0.2 ? Math.random() * 1_000 : Math.random() * 30;
          const rows = 1 + Math.floor(Math.random() * 3);
          await record(team, { mentioned: ada, rows, openMs });
          written += rows;
        }
      }),
    );
    areKilled = false;
    await Promise.all(killers);
    await vi.waitFor(
      async () => expect(await eventsOf(bob, 'commented')).toBeGreaterThanOrEqual(written),
      { timeout: 60_000, interval: 200 },
    );
    expect(await eventsOf(bob, 'commented')).toBe(written);
    expect(await eventsOf(ada, 'mentioned')).toBe(written);
    expect(await eventsOf(ada, 'commented')).toBe(0);
    for (const user of [ada, bob]) {
      const sequences = (await entriesOf(user)).map(({ sequence }) => sequence);
      expect(new Set(sequences).size).toBe(sequences.length);
      expect(await eventsOf(user, 'assigned')).toBe(2);
    }
    expect(await entriesOf(owner)).toEqual([]);
  });
});

async function assetInTheBin(organizationId: string): Promise<string> {
  const as = { token: owner.token, organizationId };
  const { body } = await call(api, 'collections.create', { ...as, body: { title: 'Pictures' } });
  const into = { collectionId: body.data.id, organizationId };
  const { id } = await uploadFile(api, owner, someFile(3), into);
  expect((await call(api, 'assets.remove', { ...as, params: { id } })).status).toBe(200);
  return id;
}

describe('the upkeep', () => {
  test('removes what is old, too much, or no longer readable, and nothing else', async () => {
    const [cem, dee] = await newPeople();
    const [team, left] = [await newTeam([cem]), await newTeam([dee])];
    const now = api.clock.now();
    const before = (days: number) => new Date(now.getTime() - days * 24 * 60 * 60 * 1_000);
    const insert = (sequence: number, row: Partial<typeof notifications.$inferInsert>) =>
      api.db.insert(notifications).values({
        organizationId: team.organizationId,
        id: newId(),
        userId: cem.id,
        sequence,
        reason: 'assigned',
        taskId: team.taskId,
        activityId: newId(),
        eventCount: 1,
        createdAt: now,
        updatedAt: now,
        ...row,
      });
    const aboutAsset = { reason: 'commented', taskId: null } as const;
    const binned = await assetInTheBin(team.organizationId);
    await api.db.execute(sql`insert into inboxes values (${cem.id}, 6000), (${dee.id}, 1)`);
    await insert(0, { ...aboutAsset, subjectId: binned });
    await insert(1, {});
    await insert(2, { readAt: before(181) });
    await insert(3, { updatedAt: before(366) });
    await insert(4, { taskId: newId() });
    await insert(5, { readAt: before(179) });
    await insert(6, { updatedAt: before(364) });
    await insert(7, { reason: 'removed', taskId: null });
    await insert(8, { ...aboutAsset, subjectId: newId() });
    await insert(1, { organizationId: left.organizationId, userId: dee.id, taskId: left.taskId });
    await api.db.execute(
      sql`delete from memberships where organization_id = ${left.organizationId} and user_id = ${dee.id}`,
    );
    await keepNotifications({ db: api.db, clock: api.clock });
    const kept = async (user: Person) => (await entriesOf(user)).map(({ sequence }) => sequence);
    expect(await kept(cem)).toEqual([0, 1, 5, 6, 7]);
    expect(await kept(dee)).toEqual([]);
    await api.db.execute(sql`
      insert into notifications (organization_id, id, user_id, sequence, reason, task_id, activity_id, event_count,
        created_at, updated_at)
      select ${team.organizationId}, uuidv7(), ${cem.id}, number, 'assigned', ${team.taskId}, uuidv7(), 1, now(), now()
      from generate_series(8, 5005) as number`);
    await keepNotifications({ db: api.db, clock: api.clock });
    const rest = await kept(cem);
    expect([rest.length, rest[0]]).toEqual([5_000, 6]);

    // More than a piece of the table.
    await api.db.execute(
      sql`update notifications set read_at = ${before(181).toISOString()} where user_id = ${cem.id} and sequence > 6`,
    );
    await keepNotifications({ db: api.db, clock: api.clock });
    expect(await kept(cem)).toEqual([6]);
  });
});
